import SquallBackend

/// A client answers a late refusal with the new token, not with a refresh.
struct StaleRefusalRefreshesNothing: RaceInvariant {
    let id = "S4"
    let name = "staleRefusal"
    let claim = "A refusal of a token that has been replaced never starts a refresh."
    let needs: Evidence = [.lateRefusal]
    let source = "load-science R2; OkHttp pattern in edx-app-android #834"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            let refreshes = history.refreshes(of: user)
            for refresh in refreshes {
                guard refresh.reason == .late, refresh.doubled(among: refreshes) == nil,
                    let refusal = refusal(before: refresh, in: history)
                else { continue }
                return violation(
                    "\(history.name(ofToken: refresh.replaces)) was fresh when a late refusal of"
                        + " \(history.name(ofToken: refusal.token)) had it refreshed",
                    user: user, cause: "late refusal",
                    events: [refusal.index, refresh.sentIndex])
            }
            return nil
        }
    }

    /// The refusal that made a client refresh, or the newest one before, and the refused token.
    private func refusal(
        before refresh: WireAttempt, in history: History
    ) -> (index: Int, token: Int?)? {
        let refused = history.attempts.filter { attempt in
            guard let end = attempt.ended, end < refresh.sentIndex else { return false }
            return attempt.sent.user == refresh.sent.user && attempt.meaning == .expired
        }
        let own = refused.last { $0.sent.request == refresh.sent.refreshFor }
        let newest = own ?? refused.max { ($0.ended ?? 0) < ($1.ended ?? 0) }
        return newest.flatMap { attempt in attempt.ended.map { ($0, attempt.sent.access) } }
    }
}
