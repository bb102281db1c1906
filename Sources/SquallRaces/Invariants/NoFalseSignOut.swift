import SquallBackend

/// A user who could go on is not signed out.
struct NoFalseSignOut: RaceInvariant {
    let id = "S7"
    let name = "noFalseSignOut"
    let claim = "No user is signed out while the refresh token is valid, unless they asked for it."
    let needs: Evidence = [.store, .call]
    let source = "load-science R4; peakflo/20x #203; 이책저책 TB-5, TB-8"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var state = State()
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if state.isEnd(event, in: history) {
                    return violation(
                        "signed out although the server had not ended the session", user: user,
                        cause: state.last.map { cause(history.events[$0]) } ?? "nothing",
                        events: [state.last, index].compactMap(\.self))
                }
                state.note(event, at: index, in: history)
            }
            return nil
        }
    }

    /// The known state of a user's session.
    private struct State {
        /// Whether it is over: the newest refresh token was rejected, or the user left.
        var isDead = false
        var hasTokens = false
        var stored: Int?
        var last: Int?

        func isEnd(_ event: RaceEvent, in history: History) -> Bool {
            (event.kind == .signedOut || event.kind == .erased) && hasTokens && !isDead
        }

        mutating func note(_ event: RaceEvent, at index: Int, in history: History) {
            switch event.kind {
            case .leaves: isDead = true
            case .signedIn: isDead = false
            case .stored:
                hasTokens = hasTokens || event.access != nil
                if let refresh = event.refresh { stored = refresh }
            case .answered where event.role == .refresh:
                last = index
                guard event.meaning == .signedOut else { return }
                let shown = shown(by: event, in: history)
                isDead = isDead || shown == nil || stored == nil || shown == stored
            case .answered:
                last = index
                isDead = isDead || event.meaning == .signedOut
            case .unanswered: last = index
            default: break
            }
        }

        /// The refresh token that an answer is about.
        private func shown(by event: RaceEvent, in history: History) -> Int? {
            history.events.first {
                $0.kind == .sent && $0.user == event.user && $0.request == event.request
                    && $0.attempt == event.attempt
            }?.refresh
        }
    }

    private func cause(_ event: RaceEvent) -> String {
        "\(event.role) \(event.status.map(String.init) ?? "unanswered")"
    }
}
