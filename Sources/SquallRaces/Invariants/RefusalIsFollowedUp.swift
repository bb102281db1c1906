import SquallBackend

/// A refusal has a consequence.
struct RefusalIsFollowedUp: RaceInvariant {
    let id = "L1"
    let name = "refusalIsFollowedUp"
    let claim = "A call that is refused as expired succeeds, fails, or signs out in the end."
    let needs: Evidence = [.refusal]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        let open = history.openCalls
        return history.attempts.compactMap { attempt in
            guard !attempt.isRefresh, attempt.meaning == .expired, let end = attempt.ended,
                attempt.sent.request != nil, open.contains(attempt.sent.call)
            else { return nil }
            return violation(
                "\(history.name(attempt.sent.endpoint)) was refused and has no end",
                user: attempt.sent.user, cause: history.name(attempt.sent.endpoint),
                events: [end])
        }
    }
}

extension History {
    /// The calls that began and did not end.
    var openCalls: Set<AttemptKey> {
        var open: Set<AttemptKey> = []
        for event in events where event.request != nil {
            switch event.kind {
            case .callBegan: open.insert(event.call)
            case .callEnded, .callFailed: open.remove(event.call)
            default: continue
            }
        }
        return open
    }
}
