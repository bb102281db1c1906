import SquallBackend

/// Users do not all refresh at the same moment.
struct SpreadRefreshes: RaceInvariant {
    let id = "S20"
    let name = "spreadRefreshes"
    let claim =
        "Fewer than half of the users refresh within the same second (with at least eight users)."
    let needs: Evidence = [.crowd, .refresh]
    let source = "load-science R14; firebase-ios-sdk #15474"

    func violations(in history: History) -> [Violation] {
        guard history.setting.users >= EvidenceReader.crowdMin else { return [] }
        let served = history.events.indices.filter {
            history.events[$0].kind == .served && history.events[$0].role == .refresh
        }
        for (position, first) in served.enumerated() {
            let end = history.events[first].at + 1_000_000_000
            let within = served[position...].prefix { history.events[$0].at < end }
            let users = Set(within.map { history.events[$0].user }).count
            guard users * 2 >= history.setting.users, let last = within.last else { continue }
            return [
                violation(
                    "\(users) of \(history.setting.users) users refreshed within one second",
                    user: history.events[first].user, cause: "peak", events: [first, last])
            ]
        }
        return []
    }
}
