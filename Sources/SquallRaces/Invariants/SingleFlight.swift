import SquallBackend

/// At most one refresh per expiry.
struct SingleFlight: RaceInvariant {
    let id = "S1"
    let name = "singleFlight"
    let claim = "One expiry is refreshed once: no second refresh follows with the same token."
    let looksAt = "the refreshes that a device sends, by the access token they are to replace"
    let source = "load-science R1; Alamofire #3297, Auth0.swift #429"

    func violations(in history: History) -> [Violation] {
        history.users.flatMap { user in
            var first: [Int: WireAttempt] = [:]
            return history.refreshes(of: user).compactMap { refresh -> Violation? in
                guard let token = refresh.sent.access ?? refresh.sent.refresh else { return nil }
                guard let earlier = first[token] else {
                    first[token] = refresh
                    return nil
                }
                // Once the first one failed for a reason that may pass, another try is right.
                if let end = earlier.ended, end < refresh.sentIndex, earlier.meaning != .success {
                    first[token] = refresh
                    return nil
                }
                let name = history.name(ofToken: token)
                return violation(
                    "the expiry of \(name) was refreshed twice", user: user,
                    cause: "second refresh",
                    events: [earlier.sentIndex, refresh.sentIndex])
            }
        }
    }
}
