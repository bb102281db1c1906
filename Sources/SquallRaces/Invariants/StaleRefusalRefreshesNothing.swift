import SquallBackend

/// A late 419 is answered with the new token.
struct StaleRefusalRefreshesNothing: RaceInvariant {
    let id = "S4"
    let name = "staleRefusal"
    let claim = "A refusal of a token that has been replaced never starts a refresh."
    let looksAt = "refreshes that a call caused, and the token that the call had been refused with"
    let source = "load-science R2; OkHttp pattern in edx-app-android #834"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            let refreshes = history.refreshes(of: user)
            for refresh in refreshes {
                guard let token = refresh.sent.access, isFresh(token, refresh, refreshes, history),
                    let refusal = refusal(before: refresh, of: user, history)
                else { continue }
                return violation(
                    "\(history.name(ofToken: token)) was fresh when a late refusal of"
                        + " \(history.name(ofToken: refusal.token)) had it refreshed",
                    user: user, cause: "late refusal",
                    events: [refusal.index, refresh.sentIndex])
            }
            return nil
        }
    }

    /// Whether a token came from a refresh and has not been refused.
    private func isFresh(
        _ token: Int, _ refresh: WireAttempt, _ all: [WireAttempt], _ history: History
    ) -> Bool {
        guard all.contains(where: { $0.broughtAccess == token }) else { return false }
        return !history.attempts.contains { attempt in
            guard let end = attempt.ended, end < refresh.sentIndex else { return false }
            return !attempt.isRefresh && attempt.sent.access == token
                && attempt.meaning == .expired
        }
    }

    /// The newest refusal before a refresh, and the token it was of.
    private func refusal(
        before refresh: WireAttempt, of user: Int, _ history: History
    ) -> (index: Int, token: Int)? {
        let refused = history.attempts.filter { attempt in
            guard let end = attempt.ended, end < refresh.sentIndex else { return false }
            return attempt.sent.user == user && !attempt.isRefresh && attempt.meaning == .expired
        }
        guard let last = refused.max(by: { $0.ended ?? 0 < $1.ended ?? 0 }), let end = last.ended,
            let token = last.sent.access
        else { return nil }
        return (end, token)
    }
}
