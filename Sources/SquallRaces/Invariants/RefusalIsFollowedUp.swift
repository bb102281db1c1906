import SquallBackend

/// A refusal leads somewhere.
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
                let request = attempt.sent.request, open.contains([attempt.sent.user, request])
            else { return nil }
            return violation(
                "\(history.name(attempt.sent.endpoint)) was refused and has no end",
                user: attempt.sent.user, cause: history.name(attempt.sent.endpoint),
                events: [end])
        }
    }
}

extension History {
    /// The calls that began and did not end, each a user and a number.
    var openCalls: Set<[Int]> {
        var open: Set<[Int]> = []
        for event in events {
            guard let request = event.request else { continue }
            switch event.kind {
            case .callBegan: open.insert([event.user, request])
            case .callEnded, .callFailed: open.remove([event.user, request])
            default: continue
            }
        }
        return open
    }
}
