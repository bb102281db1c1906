import SquallBackend

/// A refresh brings progress.
struct NoRefreshLoop: RaceInvariant {
    let id = "L3"
    let name = "noRefreshLoop"
    let claim = "No five refreshes of a user follow one another without a call that succeeds."
    let needs: Evidence = [.refresh]
    let source = "load-science R11; Share.D 2024-08-18, Senthil455/Atlas #97"

    private static let refreshesMax = 5

    func violations(in history: History) -> [Violation] {
        history.users.compactMap { user in
            var vain: [Int] = []
            let replaced = history.replacedTokens(of: user)
            for index in history.events.indices where history.events[index].user == user {
                let event = history.events[index]
                if event.kind == .answered, event.role == .ordinary, event.meaning == .success {
                    vain.removeAll()
                }
                guard event.kind == .sent, event.role == .refresh else { continue }
                vain.append(index)
                guard vain.count == Self.refreshesMax, isLoop(vain, replaced, in: history) else {
                    continue
                }
                return violation(
                    "\(vain.count) refreshes and not one call that succeeded between them",
                    user: user, cause: "loop", events: [vain[0], index])
            }
            return nil
        }
    }

    /// Whether the refreshes follow one another; simultaneous ones break another promise.
    private func isLoop(
        _ refreshes: [Int], _ replaced: [Int: Int], in history: History
    ) -> Bool {
        Set(refreshes.map { replaced[$0] }).count > 1
            || Set(refreshes.map { history.events[$0].at }).count == refreshes.count
    }
}
