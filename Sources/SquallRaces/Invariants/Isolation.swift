/// A token is only used by its owner.
struct Isolation: RaceInvariant {
    let id = "S12"
    let name = "isolation"
    let claim = "A token is never sent for another user, nor for a later sign-in."
    let needs: Evidence = [.secondSession]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        for (index, event) in history.events.enumerated() where event.kind == .sent {
            for case let token? in [event.access, event.refresh]
            where history.tokens[token].user != event.user {
                let owner = history.tokens[token].user
                return [
                    violation(
                        "user \(event.user) sent \(history.name(ofToken: token)) of user"
                            + " \(owner)", user: event.user, cause: "foreign token",
                        events: [index])
                ]
            }
        }
        return []
    }
}
