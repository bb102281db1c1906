import SquallBackend

/// Nobody acts for somebody who has left.
struct NoZombie: RaceInvariant {
    let id = "S6"
    let name = "noZombie"
    let claim =
        "After a log-out nothing is sent with the old account's tokens, and none is stored."
    let looksAt = "sends and store changes between a log-out that ended and the next sign-in"
    let source = "simulation §6.6; 이책저책 TB-6, Share.D SD-5"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var left: Int?
            var isLeaving = false
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                switch event.kind {
                case .leaves: isLeaving = true
                case .erased where isLeaving: left = index
                case .signedIn: (left, isLeaving) = (nil, false)
                case .served where event.role == .signIn: (left, isLeaving) = (nil, false)
                case .stored:
                    guard let left, event.access != nil || event.refresh != nil else { continue }
                    return violation(
                        "\(history.name(ofToken: event.access)) was stored after the log-out",
                        user: user, cause: "stored", events: [left, index])
                case .sent:
                    guard let left, event.access != nil, event.role != .signIn else { continue }
                    return violation(
                        "a call went out with \(history.name(ofToken: event.access)) after the"
                            + " log-out", user: user, cause: "sent \(event.role)",
                        events: [left, index])
                default: continue
                }
            }
            return nil
        }
    }
}
