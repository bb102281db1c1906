public import SquallFormat

/// An exploration as text for a terminal; the same whenever it is repeated.
public struct ExplorationText {
    private let exploration: Exploration
    private let name: String
    private let files: [String]
    private let ink: Ink
    private let showsFIFO: Bool

    /// The text of an exploration of a profile; `files` are where its findings were saved.
    public init(
        _ exploration: Exploration, of name: String, files: [String], ink: Ink,
        showsFIFO: Bool = false
    ) {
        self.exploration = exploration
        self.name = name
        self.files = files
        self.ink = ink
        self.showsFIFO = showsFIFO
    }

    /// The whole text.
    public var text: String {
        let verdict =
            exploration.findings.isEmpty
            ? ink.green("PASSED") : ink.red("FAILED")
        var lines = ["\(verdict)  \(name): \(exploration.statement)"]
        if !exploration.isWhole { lines.append("stopped before everything was played") }
        for (index, finding) in exploration.findings.enumerated() {
            lines += [""] + text(of: finding, at: index)
        }
        if showsFIFO, let fifo = exploration.fifo {
            lines += ["", "in first in, first out:"]
            lines += TimelineText(Timeline(fifo, of: fifo.violations.first), ink: ink).lines
        }
        return (lines + [""] + coverage).map { $0 + "\n" }.joined()
    }

    private func text(of finding: Finding, at index: Int) -> [String] {
        let violation = finding.violation
        let invariant = RaceInvariants.named(violation.invariant)
        let title = [violation.invariant, invariant?.name].compactMap(\.self)
            .joined(separator: " ")
        var lines = [
            ink.red("✗ \(title): \(violation.text)"),
            "  promise: \(invariant?.claim ?? "its test's own")",
            "  first in schedule \(finding.schedule), in \(finding.count) of"
                + " \(exploration.coverage.schedules); \(finding.choicesBefore) departures from"
                + " first in, first out made \(finding.departures)",
        ]
        if let order = finding.orderThatMatters {
            lines.append(ink.yellow("  the order that matters: \(order)"))
        } else {
            lines.append("  it happens in first in, first out too: no rare order is needed")
        }
        if files.indices.contains(index) {
            lines.append("  replay: squall replay \(files[index])")
        }
        lines += TimelineText(Timeline(finding.played, of: violation), ink: ink).lines
        guard !finding.needsNoOrder, finding.departures > 0 else { return lines }
        return lines + ["  the same in first in, first out, where the promise is kept:"]
            + TimelineText(Timeline(finding.twin, of: nil), ink: ink).lines
    }

    private var coverage: [String] {
        let coverage = exploration.coverage
        return [
            "schedules \(coverage.schedules), different \(coverage.distinctSchedules);"
                + " the server saw \(coverage.distinctViews) different things,"
                + " the next schedule shows it another with"
                + " \(Units.percent(coverage.unseen)) (Good–Turing)",
            "ordered pairs of kinds of events: \(coverage.pairs.count) of"
                + " \(coverage.pairs.possibleCount); up to \(coverage.longest) choices among up to"
                + " \(coverage.widest); window"
                + " \(Units.exact(nanoseconds: exploration.plan.windowNanoseconds))",
        ]
    }
}
