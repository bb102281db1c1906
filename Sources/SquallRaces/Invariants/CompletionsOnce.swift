/// Every waiting caller is told the result once.
struct CompletionsOnce: RaceInvariant {
    let id = "S13"
    let name = "completionsOnce"
    let claim = "No completion is dropped, called twice, or called after a cancel."
    let needs: Evidence = [.call]
    let source = "simulation §6.6; load-science R9; axios-auth-refresh #14"

    func violations(in history: History) -> [Violation] {
        history.events.enumerated().compactMap { index, event in
            switch event.kind {
            case .completionLost:
                violation(
                    "\(history.name(event.text)) dropped a completion: the call never ends",
                    user: event.user, cause: history.name(event.text), kind: "dropped",
                    events: [index])
            case .completionRepeated:
                violation(
                    "\(history.name(event.text)) called a completion twice", user: event.user,
                    cause: history.name(event.text), events: [index])
            default: nil
            }
        }
    }
}
