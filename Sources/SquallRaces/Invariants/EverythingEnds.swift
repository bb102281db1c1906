/// Every action and every call ends.
struct EverythingEnds: RaceInvariant {
    let id = "L2"
    let name = "everythingEnds"
    let claim = "Every action and every call ends once faults stop: no hang, no deadlock."
    let needs: Evidence = []
    let source = "journeys-and-data I7; load-science R8, R9; Alamofire #3509"

    func violations(in history: History) -> [Violation] {
        let acts = openActs(in: history).map { index in
            let event = history.events[index]
            let name = history.name(event.text)
            let how =
                switch history.ending {
                case .still: "and no event is left"
                case .outOfTime: "and loops without progress"
                case .spinning: "and spins while time stands still"
                }
            return violation(
                "\(name) of user \(event.user) never ended, \(how)", user: event.user,
                cause: "\(history.ending)", kind: "\(history.ending)",
                events: [index, history.events.count - 1])
        }
        guard acts.isEmpty, history.ending == .still else { return acts }
        return history.openCalls.min().map { call in
            let index = history.events.lastIndex {
                $0.user == call.user && $0.request == call.request
            }
            return [
                violation(
                    "call \(call.request) never ended, and no event is left",
                    user: call.user, cause: "call", events: index.map { [$0] } ?? [])
            ]
        } ?? []
    }

    /// The positions at which actions began that have not ended.
    private func openActs(in history: History) -> [Int] {
        var open: [AttemptKey: Int] = [:]
        for (index, event) in history.events.enumerated() {
            switch event.kind {
            case .actBegan: open[event.act] = index
            case .actEnded: open[event.act] = nil
            default: continue
            }
        }
        return open.values.sorted()
    }
}
