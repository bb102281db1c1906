import SquallBackend

/// What a screen shows was true.
struct TrueScreens: RaceInvariant {
    let id = "S19"
    let name = "trueScreens"
    let claim = """
        No screen crashes or shows what is false: inconsistent data, another row than the one \
        tapped, an action as done that is not, a session that has ended.
        """
    let needs: Evidence = [.action]
    let source = "journeys-and-data I5; 이책저책 TB-6, TB-11, TB-12, Scrolly SC-R1"

    func violations(in history: History) -> [Violation] {
        let outcomes: [Violation] = history.events.indices.compactMap { index in
            let event = history.events[index]
            let outcome = history.name(event.text)
            guard event.kind == .actEnded, isFalse(outcome) else { return nil }
            return violation(
                "an action ended with \(outcome)", user: event.user, cause: outcome,
                kind: kind(outcome), events: [index])
        }
        let audits = history.audits.filter { !$0.kind.name.hasPrefix("list.") }.map { audit in
            violation(
                audit.text, user: audit.user, cause: audit.kind.name, kind: kind(audit.kind.name))
        }
        return outcomes + audits.filter { $0.cause != "purchase.twice" }
    }

    /// The part of an outcome's or audit's name before the first dot.
    private func kind(_ name: String) -> String { String(name.prefix { $0 != "." }) }

    private func isFalse(_ outcome: String) -> Bool {
        ["stale.", "wrong.", "crashed.", "lost."].contains { outcome.hasPrefix($0) }
            && outcome != "wrong.duplicates"
    }
}

extension AuditFinding {
    /// What is wrong, with its name in results and what it is about.
    var text: String { "\(kind.one) (\(kind.name))" + (thing.map { ": \($0)" } ?? "") }
}

/// A list is read without gaps.
struct WholeList: RaceInvariant {
    let id = "S14"
    let name = "wholeList"
    let claim = "A list is shown without an item twice and without a gap."
    let needs: Evidence = [.list]
    let source = "simulation §6.6; journeys-and-data I1; 이책저책 TB-13, Share.D SD-8"

    func violations(in history: History) -> [Violation] {
        history.audits.filter { $0.kind.name.hasPrefix("list.") }.map {
            violation($0.text, user: $0.user, cause: $0.kind.name)
        } + outcomes(in: history)
    }

    private func outcomes(in history: History) -> [Violation] {
        history.events.indices.compactMap { index in
            let event = history.events[index]
            let outcome = history.name(event.text)
            guard event.kind == .actEnded, outcome == "wrong.duplicates" else { return nil }
            return violation(
                "an action ended with \(outcome)", user: event.user, cause: outcome,
                events: [index])
        }
    }
}
