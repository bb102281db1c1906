/// No call is sent with a token that the app knows to be replaced.
struct NoKnownDeadToken: RaceInvariant {
    let id = "S2"
    let name = "noKnownDeadToken"
    let claim = "Once newer tokens are stored, no call is first sent with an older one."
    let needs: Evidence = [.callAfterChange]
    let source = "simulation §6.6"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var stored: (number: Int, index: Int)?
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if event.kind == .stored, let token = event.access {
                    stored = (history.tokens[token].number, index)
                }
                guard event.kind == .sent, let sent = event.access, let newest = stored,
                    history.tokens[sent].user == user, began(event, in: history) > newest.index,
                    history.tokens[sent].number < newest.number
                else { continue }
                let name = history.name(ofToken: sent)
                return violation(
                    "a call went out with \(name), which the app had replaced", user: user,
                    cause: "\(event.role)", events: [newest.index, index])
            }
            return nil
        }
    }

    private func began(_ sent: RaceEvent, in history: History) -> Int {
        history.events.lastIndex {
            $0.kind == .callBegan && $0.user == sent.user && $0.request == sent.request
        } ?? .max
    }
}
