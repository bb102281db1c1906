import SquallBackend

/// At most one refresh per expiry.
struct SingleFlight: RaceInvariant {
    let id = "S1"
    let name = "singleFlight"
    let claim = "One expiry is refreshed once: no second refresh follows for the same token."
    let needs: Evidence = [.replacement, .secondCall]
    let source = "load-science R1; Alamofire #3297, Auth0.swift #429"

    func violations(in history: History) -> [Violation] {
        history.users.flatMap { user in
            let refreshes = history.refreshes(of: user)
            return refreshes.compactMap { refresh -> Violation? in
                guard let other = refresh.doubled(among: refreshes) else { return nil }
                return violation(
                    "the expiry of \(history.name(ofToken: refresh.replaces)) was refreshed twice",
                    user: user, cause: "second refresh",
                    events: [other.sentIndex, refresh.sentIndex].sorted())
            }
        }
    }
}

extension WireAttempt {
    /// The one of some refreshes that makes this one redundant; `nil` when this one is not
    /// redundant, or when none is for the token that it is to replace.
    ///
    /// Of two that overlap, the one that ends last is redundant, whichever was sent first.
    func doubled(among refreshes: [WireAttempt]) -> WireAttempt? {
        guard let reason, reason.isRedundant else { return nil }
        let others = refreshes.filter { other in
            guard other.sentIndex != sentIndex, let end = other.ended else { return false }
            return end < ended ?? .max && (other.meaning == .success || end > sentIndex)
        }
        return others.last { $0.replaces == replaces } ?? (reason == .again ? others.last : nil)
    }
}
