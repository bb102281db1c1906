import SquallBackend

/// A refresh has a reason.
struct RefreshIsNeeded: RaceInvariant {
    let id = "S3"
    let name = "refreshIsNeeded"
    let claim = "A token is refreshed only if it is due or the server has refused it."
    let needs: Evidence = [.replacement]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        history.attempts.compactMap { refresh in
            guard refresh.isRefresh, let token = refresh.replaces else { return nil }
            let user = refresh.sent.user
            let wasRefused = history.events[..<refresh.sentIndex].contains {
                $0.user == user && $0.kind == .answered && $0.meaning == .expired
            }
            if wasRefused { return nil }
            let expiry = history.tokens[token].expiry ?? .max
            let life = expiry == .max ? 0 : expiry
            let isDue = refresh.sent.at >= life - max(life / 5, 60_000_000_000)
            guard !isDue else { return nil }
            return violation(
                "\(history.name(ofToken: token)) was refreshed although no response had refused it",
                user: user, cause: "no reason", events: [refresh.sentIndex])
        }
    }
}
