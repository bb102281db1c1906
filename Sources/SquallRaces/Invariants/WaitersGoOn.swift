import SquallBackend

/// All callers that wait for a refresh share its result.
struct WaitersGoOn: RaceInvariant {
    let id = "L5"
    let name = "waitersGoOn"
    let claim = "When a refresh succeeds, every call that waited for it is sent again."
    let needs: Evidence = [.refusal, .refreshed]
    let source = "load-science R10; axios-auth-refresh #307"

    func violations(in history: History) -> [Violation] {
        let attempts = history.attempts
        return history.users.compactMap { user in
            for attempt in attempts where attempt.sent.user == user && !attempt.isRefresh {
                guard attempt.meaning == .expired, let refused = attempt.ended,
                    !wasSentAgain(attempt, attempts),
                    let failed = failure(of: attempt, in: history),
                    let refresh = success(around: refused, failed, of: attempt, attempts)
                else { continue }
                return violation(
                    "\(history.name(attempt.sent.endpoint)) failed with the old refusal although"
                        + " a refresh succeeded", user: user, cause: "waiter",
                    events: [refused, refresh, failed].sorted())
            }
            return nil
        }
    }

    /// Whether an attempt follows an attempt of the same call that was refused as well: replays are
    /// bounded, so a call that is refused twice may give up although a refresh is under way.
    private func wasSentAgain(_ attempt: WireAttempt, _ attempts: [WireAttempt]) -> Bool {
        attempts.contains {
            $0.meaning == .expired && $0.sent.user == attempt.sent.user
                && $0.sent.request == attempt.sent.request && $0.sentIndex < attempt.sentIndex
        }
    }

    /// Where the call failed, if this attempt was its last.
    private func failure(of attempt: WireAttempt, in history: History) -> Int? {
        let later = history.events.indices.first { index in
            let event = history.events[index]
            return index > attempt.sentIndex && event.user == attempt.sent.user
                && event.request == attempt.sent.request
                && (event.kind == .sent || event.kind == .callFailed || event.kind == .leaves)
        }
        guard let later, history.events[later].kind == .callFailed else { return nil }
        let hasLeft = history.events[..<later].contains {
            $0.user == attempt.sent.user && ($0.kind == .leaves || $0.kind == .cancelled)
        }
        return hasLeft ? nil : later
    }

    /// The end of a refresh that was under way at the refusal or later and succeeded.
    ///
    /// `nil` when another failed while the call was under way: the call may have waited for that
    /// one, and failing it then follows from that refresh.
    private func success(
        around refused: Int, _ failed: Int, of call: WireAttempt, _ attempts: [WireAttempt]
    ) -> Int? {
        let refreshes = attempts.filter { $0.isRefresh && $0.sent.user == call.sent.user }
        let hasFailed = refreshes.contains { refresh in
            guard let end = refresh.ended, refresh.meaning != .success else { return false }
            return end > call.sentIndex && end < failed
        }
        guard !hasFailed else { return nil }
        return refreshes.first { refresh in
            guard refresh.meaning == .success, let end = refresh.ended else { return false }
            return refresh.sentIndex < failed && end > refused
        }?.ended
    }
}
