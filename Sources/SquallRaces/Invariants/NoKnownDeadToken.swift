import SquallBackend

/// No call is sent with a token that the app knows to be replaced.
struct NoKnownDeadToken: RaceInvariant {
    let id = "S2"
    let name = "noKnownDeadToken"
    let claim = "Once newer tokens are stored, no call is first sent with an older one."
    let needs: Evidence = [.callAfterChange]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var watch = Watch()
            var began: [Int: Int] = [:]
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if event.kind == .callBegan, let call = event.request { began[call] = index }
                if event.kind == .stored, let token = event.access {
                    watch.stored(history.tokens[token].number, at: index)
                }
                guard event.kind == .sent, let sent = event.access,
                    history.tokens[sent].user == user,
                    let stored = watch.replaced(
                        before: event.request.flatMap { began[$0] } ?? .max,
                        history.tokens[sent].number)
                else { continue }
                return violation(
                    Self.text(history.name(ofToken: sent)), user: user, cause: "\(event.role)",
                    events: [stored, index])
            }
            return nil
        }
    }

    /// What is said of a token that was sent although it had been replaced.
    static func text(_ token: String) -> String {
        "a call went out with \(token), which the app had replaced"
    }

    /// The newest access token that an app has stored.
    struct Watch {
        private var stored: (number: Int, index: Int)?

        /// The app stores a token, by its number among the user's.
        mutating func stored(_ number: Int, at index: Int) { stored = (number, index) }

        /// When a token was stored that is newer than a call's own and was there when it began.
        func replaced(before began: Int, _ number: Int) -> Int? {
            guard let stored, began > stored.index, number < stored.number else { return nil }
            return stored.index
        }
    }
}
