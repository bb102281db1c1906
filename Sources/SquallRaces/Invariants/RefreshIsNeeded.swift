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
            guard !Self.isDue(history.tokens[token].expiry, at: refresh.sent.at) else { return nil }
            return violation(
                Self.text(history.name(ofToken: token)), user: user, cause: "no reason",
                events: [refresh.sentIndex])
        }
    }

    /// What is said of a token that was refreshed too early.
    static func text(_ token: String) -> String {
        "\(token) was refreshed although no response had refused it"
    }

    /// Whether a token's expiry is so near that a client may refresh it proactively.
    static func isDue(_ expiry: Int64?, at moment: Int64) -> Bool {
        let expiry = expiry ?? .max
        let life = expiry == .max ? 0 : expiry
        return moment >= life - window(ofLife: life)
    }

    /// How long before its expiry a token of a life may be refreshed proactively.
    static func window(ofLife life: Int64) -> Int64 { max(life / 5, 60_000_000_000) }
}
