import SquallBackend

/// A session that is over is ended only once.
struct OneSignOut: RaceInvariant {
    let id = "L4"
    let name = "oneSignOut"
    let claim = "A session that the server ended is signed out once, and is not refreshed again."
    let needs: Evidence = [.sessionEnd]
    let source = "load-science R3; Share.D SD-2, OOTD 418"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var watch = Watch()
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                switch event.kind {
                case .answered where event.role == .refresh && event.meaning == .signedOut:
                    watch.ended(at: index)
                case .signedIn, .leaves: watch.renew()
                case .served where event.role == .signIn: watch.renew()
                case .sent where event.role == .refresh:
                    guard let over = watch.over else { continue }
                    return violation(
                        Self.text, user: user, cause: "refresh", events: [over, index])
                default: continue
                }
            }
            return neverSignedOut(user, watch.over, history)
        }
    }

    /// What is said of a session that was refreshed once more.
    static let text = "the session was refreshed after the server had ended it"

    /// Where the server ended a user's session.
    struct Watch {
        private(set) var over: Int?

        mutating func ended(at index: Int) { over = over ?? index }
        mutating func renew() { over = nil }
    }

    private func neverSignedOut(_ user: Int, _ over: Int?, _ history: History) -> Violation? {
        guard let over, history.ending == .still else { return nil }
        let ends = history.indices(of: user, .signedOut, .erased)
        guard !ends.contains(where: { $0 > over }) else { return nil }
        return violation(
            "the server ended the session and the app never noticed", user: user,
            cause: "unnoticed", events: [over])
    }
}
