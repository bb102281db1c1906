import SquallBackend

/// A purchase or a write happens once.
struct WritesOnce: RaceInvariant {
    let id = "S10"
    let name = "writesOnce"
    let claim = "A call that changes something is done once: nothing is paid or written twice."
    let needs: Evidence = [.write]
    let source = "simulation §6.6; journeys-and-data I4"

    func violations(in history: History) -> [Violation] {
        var done: [AttemptKey: Int] = [:]
        var found: [Violation] = []
        for (index, event) in history.events.enumerated() {
            guard event.kind == .served, event.isWrite, event.role == .ordinary,
                event.request != nil, event.meaning == .success
            else { continue }
            if let earlier = done.updateValue(index, forKey: event.call) {
                found.append(
                    violation(
                        "\(history.name(event.endpoint)) was done twice for one call",
                        user: event.user, cause: history.name(event.endpoint),
                        events: [earlier, index]))
            }
        }
        for audit in history.audits where audit.kind.name == "purchase.twice" {
            found.append(
                violation("something was paid for twice", user: audit.user, cause: "payment"))
        }
        return found
    }
}
