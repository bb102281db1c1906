import SquallBackend

extension RaceInvariant {
    /// A screen shows consistent data.
    static let trueScreens = RaceInvariant(
        "S19", "trueScreens",
        """
        No screen crashes or shows what is false: inconsistent data, another row than the one \
        tapped, an action as done that is not, a session that has ended.
        """,
        fix: """
            Show a response only if it belongs to the newest request of its screen and to the row \
            that was touched.
            """, needs: [.action]
    ) { rule, history in
        let outcomes: [Violation] = history.events.indices.compactMap { index in
            let event = history.events[index]
            guard let result = event.result, isFalse(result) else { return nil }
            let outcome = history.name(event.text)
            return rule.violation(
                "an action ended with \(outcome)", user: event.user, cause: outcome,
                fix: screenFix(result), events: [index])
        }
        return outcomes
            + history.audits.filter { $0.kind.concern == .screen }.map {
                rule.violation($0.text, user: $0.user, cause: $0.kind.name, fix: $0.kind.fix)
            }
    }

    /// The fix of a result that the promise's own does not repair.
    private static func screenFix(_ result: RaceEvent.ActResult) -> String? {
        switch result {
        case .lost:
            """
            Show an action as done only after the server's response to it, and send it before the \
            tokens that it needs are deleted.
            """
        case .crashed:
            """
            Find a row by its identifier at the time of use: an index from an earlier state may be \
            out of range.
            """
        case .stale:
            """
            Discard the response to a request that was sent before the newest change of what it \
            shows, or repeat the request.
            """
        default: nil
        }
    }

    private static func isFalse(_ result: RaceEvent.ActResult) -> Bool {
        switch result {
        case .stale, .wrong, .lost, .crashed: true
        case .fine, .repeated, .failed: false
        }
    }

    /// A list is read without gaps.
    static let wholeList = RaceInvariant(
        "S14", "wholeList", "A list is shown without an item twice and without a gap.",
        fix: """
            Accept a page only if it answers the newest request of its list, and tell items apart \
            by their identifiers.
            """, needs: [.list]
    ) { rule, history in
        history.audits.filter { $0.kind.concern == .list }.map {
            rule.violation($0.text, user: $0.user, cause: $0.kind.name)
        }
            + history.events.indices.compactMap { index in
                let event = history.events[index]
                guard event.result == .repeated else { return nil }
                let outcome = history.name(event.text)
                return rule.violation(
                    "an action ended with \(outcome)", user: event.user, cause: outcome,
                    events: [index])
            }
    }
}

extension AuditFinding {
    /// The finding as a sentence, with its name in results and the object that it is about.
    var text: String { "\(kind.one) (\(kind.name))" + (thing.map { ": \($0)" } ?? "") }
}
