import SquallBackend

/// A failure ends when its cause ends.
struct CalmsDown: RaceInvariant {
    let id = "L7"
    let name = "calmsDown"
    let claim = "Once faults have stopped, actions that begin succeed again."
    let needs: Evidence = [.calm]
    let source = "simulation §6.6; load-science R13; supabase-swift #630"

    func violations(in history: History) -> [Violation] {
        guard history.setting.hasFaults else { return [] }
        var begun: [AttemptKey: Int] = [:]
        for (index, event) in history.events.enumerated() {
            if event.kind == .actBegan { begun[event.act] = index }
            guard event.kind == .actEnded, let start = begun[event.act],
                history.events[start].at >= history.setting.calmFrom,
                isFailure(history.name(event.text)),
                !isOver(event.user, before: index, in: history)
            else { continue }
            return [
                violation(
                    "an action that began when all was well ended with"
                        + " \(history.name(event.text))", user: event.user, cause: "action",
                    events: [start, index])
            ]
        }
        return []
    }

    private func isFailure(_ outcome: String) -> Bool {
        !["rendered", "charged", "nothingToDo", "loggedOut"].contains(outcome)
    }

    /// Whether the session was over by then, so that nothing can succeed.
    private func isOver(_ user: Int, before start: Int, in history: History) -> Bool {
        history.events[..<start].contains {
            $0.user == user
                && ($0.kind == .leaves || ($0.kind == .answered && $0.meaning == .signedOut))
        }
    }
}
