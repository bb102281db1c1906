import SquallBackend

/// What is bought or written happens once.
struct WritesOnce: RaceInvariant {
    let id = "S10"
    let name = "writesOnce"
    let claim = "A call that changes something is done once: nothing is paid or written twice."
    let needs: Evidence = [.write]
    let source = "simulation §6.6; journeys-and-data I4"

    func violations(in history: History) -> [Violation] {
        var done: [[Int]: Int] = [:]
        var found: [Violation] = []
        for (index, event) in history.events.enumerated() {
            guard event.kind == .served, event.isWrite, event.role == .ordinary,
                let request = event.request, event.meaning == .success
            else { continue }
            let key = [event.user, request]
            if let earlier = done[key] {
                found.append(
                    violation(
                        "\(history.name(event.endpoint)) was done twice for one call",
                        user: event.user, cause: history.name(event.endpoint),
                        events: [earlier, index]))
            }
            done[key] = index
        }
        for audit in history.audits where audit.kind.name == "purchase.twice" {
            found.append(
                violation("something was paid for twice", user: audit.user, cause: "payment"))
        }
        return found
    }
}
