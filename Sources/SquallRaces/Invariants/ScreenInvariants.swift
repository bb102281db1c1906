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
            """, needs: [.action],
        source: "journeys-and-data I5; app designs TB-6, TB-11, TB-12, SC-R1"
    ) { rule, history in
        let outcomes: [Violation] = history.events.indices.compactMap { index in
            let event = history.events[index]
            let outcome = history.name(event.text)
            guard event.kind == .actEnded, isFalse(outcome) else { return nil }
            return rule.violation(
                "an action ended with \(outcome)", user: event.user, cause: outcome,
                fix: screenFix(outcome), events: [index])
        }
        return outcomes
            + history.audits.filter { $0.kind.concern == .screen }.map {
                rule.violation($0.text, user: $0.user, cause: $0.kind.name, fix: $0.kind.fix)
            }
    }

    /// The fix of an outcome that the promise's own does not repair, by the part of its name before
    /// the first dot.
    private static func screenFix(_ name: String) -> String? {
        switch name.prefix(while: { $0 != "." }) {
        case "lost":
            """
            Show an action as done only after the server's response to it, and send it before the \
            tokens that it needs are deleted.
            """
        case "crashed":
            """
            Find a row by its identifier at the time of use: an index from an earlier state may be \
            out of range.
            """
        case "stale":
            """
            Discard the response to a request that was sent before the newest change of what it \
            shows, or repeat the request.
            """
        default: nil
        }
    }

    private static func isFalse(_ outcome: String) -> Bool {
        ["stale.", "wrong.", "crashed.", "lost."].contains { outcome.hasPrefix($0) }
            && outcome != "wrong.duplicates"
    }

    /// A list is read without gaps.
    static let wholeList = RaceInvariant(
        "S14", "wholeList", "A list is shown without an item twice and without a gap.",
        fix: """
            Accept a page only if it answers the newest request of its list, and tell items apart \
            by their identifiers.
            """, needs: [.list],
        source: "simulation §6.6; journeys-and-data I1; app designs TB-13, SD-8"
    ) { rule, history in
        history.audits.filter { $0.kind.concern == .list }.map {
            rule.violation($0.text, user: $0.user, cause: $0.kind.name)
        }
            + history.events.indices.compactMap { index in
                let event = history.events[index]
                let outcome = history.name(event.text)
                guard event.kind == .actEnded, outcome == "wrong.duplicates" else { return nil }
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
