/// The store holds the newest pair of tokens.
struct AtomicPair: RaceInvariant {
    let id = "S5"
    let name = "atomicPair"
    let claim = "Both tokens are stored together, and an older token never replaces a newer one."
    let needs: Evidence = [.storeChange]
    let source = "load-science R4, R7; react-native-firebase #8388, tuist #10276"

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var newest = (access: -1, refresh: -1, index: 0)
            for index in history.indices(of: user, .stored, .erased, .leaves, .actBegan) {
                let event = history.events[index]
                guard event.kind == .stored else { continue }
                if let problem = problem(event, newest, history) {
                    return violation(
                        problem, user: user, cause: "older", events: [newest.index, index])
                }
                newest = (number(event.access, history), number(event.refresh, history), index)
            }
            return nil
        }
    }

    private func number(_ token: Int?, _ history: History) -> Int {
        token.map { history.tokens[$0].number } ?? -1
    }

    private func problem(
        _ event: RaceEvent, _ newest: (access: Int, refresh: Int, index: Int), _ history: History
    ) -> String? {
        let (access, refresh) = (number(event.access, history), number(event.refresh, history))
        if access < newest.access, access >= 0 {
            return "\(history.name(ofToken: event.access)) was stored over T\(newest.access)"
        }
        if refresh < newest.refresh, refresh >= 0 {
            return "\(history.name(ofToken: event.refresh)) was stored over R\(newest.refresh)"
        }
        guard event.access != nil, event.refresh == nil, newest.refresh >= 0 else { return nil }
        return "\(history.name(ofToken: event.access)) is stored without a refresh token"
    }
}
