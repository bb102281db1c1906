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
            let doubled = Set(history.doubledRefreshes(of: user).map(\.refresh.sentIndex))
            for refresh in history.refreshes(of: user) {
                guard refresh.reason == .late, !doubled.contains(refresh.sentIndex),
                    let refusal = refusal(before: refresh, in: history)
                else { continue }
                return violation(
                    Self.text(
                        history.name(ofToken: refresh.replaces),
                        refused: history.name(ofToken: refusal.token)),
                    user: user, cause: "late refusal",
                    events: [refusal.index, refresh.sentIndex])
            }
            return nil
        }
    }

    /// What is said of a token that was refreshed for the refusal of an older one.
    static func text(_ token: String, refused: String) -> String {
        "\(token) was fresh when a late refusal of \(refused) had it refreshed"
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
