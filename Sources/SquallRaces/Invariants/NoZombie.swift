import SquallBackend

/// No code acts for a user who has left.
struct NoZombie: RaceInvariant {
    let id = "S6"
    let name = "noZombie"
    let claim =
        "After a sign-out no request uses the old account's tokens, and none is stored."
    let needs: Evidence = [.leaving]
    let source = "simulation §6.6; 이책저책 TB-6, Share.D SD-5"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var state = State()
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if let (text, cause, earlier) = state.breach(event, in: history) {
                    return violation(text, user: user, cause: cause, events: [earlier, index])
                }
                state.note(event, at: index)
            }
            return nil
        }
    }

    /// The known state of a user who asked to leave.
    private struct State {
        /// The act by which the user leaves, whether it has ended, and whether the store has been
        /// empty since it began.
        var leaving: (act: Int, hasEnded: Bool, hasErased: Bool)?
        /// The event by which both had happened; a change of the store by the act itself comes
        /// first.
        var left: Int?
        /// The event that stored the present tokens.
        var stored: Int?

        mutating func note(_ event: RaceEvent, at index: Int) {
            switch event.kind {
            case .leaves: (leaving, left) = ((event.attempt, false, stored == nil), nil)
            case .actEnded where leaving?.act == event.attempt:
                leaving?.hasEnded = true
                if leaving?.hasErased == true { left = index }
            case .signedIn: left = nil
            case .served where event.role == .signIn: (leaving, left) = (nil, nil)
            case .stored: stored = index
            case .erased:
                stored = nil
                leaving?.hasErased = true
                if leaving?.hasEnded == true, left == nil { left = index }
            default: break
            }
        }

        /// What is wrong with an event after a log-out, and which event it contradicts.
        func breach(
            _ event: RaceEvent, in history: History
        ) -> (text: String, cause: String, earlier: Int)? {
            let name = history.name(ofToken: event.access)
            switch event.kind {
            case .actEnded where leaving?.act == event.attempt && leaving?.hasErased == true:
                guard let stored else { return nil }
                let token = history.name(ofToken: history.events[stored].access)
                return ("\(token) was stored during the sign-out", "stored", stored)
            case .stored:
                guard let left, event.access != nil || event.refresh != nil else { return nil }
                return ("\(name) was stored after the sign-out", "stored", left)
            case .sent:
                guard let left, event.access != nil, event.role != .signIn else { return nil }
                let text = "a call went out with \(name) after the sign-out"
                return (text, "sent \(event.role)", left)
            default: return nil
            }
        }
    }
}
