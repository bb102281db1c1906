public import SquallFormat
public import SquallRaces

/// An exploration as text for a terminal; the same whenever it is repeated.
public struct ExplorationText {
    private let exploration: Exploration
    private let name: String
    private let files: [String]
    private let ink: Ink
    private let showsFIFO: Bool
    private let width: Int

    /// The text of an exploration of a profile; `files` are where its findings were saved.
    public init(
        _ exploration: Exploration, of name: String, files: [String], ink: Ink,
        showsFIFO: Bool = false, width: Int = 200
    ) {
        self.exploration = exploration
        self.name = name
        self.files = files
        self.ink = ink
        self.showsFIFO = showsFIFO
        self.width = min(max(width, 40), 200)
    }

    /// The whole text.
    public var text: String {
        let headline = "\(name): \(exploration.headline)"
        var lines =
            switch exploration.verdict {
            case .passed: prose(headline, first: "PASSED  ").map(ink.green)
            case .failed: prose(headline, first: "FAILED  ").map(ink.red)
            case .notJudged: prose(headline, first: "NOT JUDGED  ").map(ink.yellow)
            }
        if !exploration.isWhole { lines.append("stopped before everything was played") }
        for (index, finding) in exploration.findings.enumerated() {
            lines += [""] + text(of: finding, at: index)
        }
        if showsFIFO, let fifo = exploration.fifo {
            lines += ["", "in first in, first out:"]
            let timeline = Timeline(fifo, of: fifo.violations.first)
            lines += TimelineText(timeline, ink: ink, width: width).lines
        }
        let remarks = exploration.remarks.flatMap { prose($0) }
        return (lines + [""] + coverage + remarks).map { $0 + "\n" }.joined()
    }

    private func text(of finding: Finding, at index: Int) -> [String] {
        let violation = finding.violation
        let invariant = RaceInvariants.named(violation.invariant)
        let title = [violation.invariant, invariant?.name].compactMap(\.self)
            .joined(separator: " ")
        var lines = prose("\(title): \(violation.text)", first: "✗ ", rest: "  ").map(ink.red)
        lines += prose("promise: \(invariant?.claim ?? "its test's own")", first: "  ")
        lines += prose(
            "first in schedule \(finding.schedule), in \(finding.count) of"
                + " \(exploration.coverage.schedules); \(finding.size)", first: "  ")
        let conditions = prose(finding.conditions, first: "  ")
        lines += finding.critical == nil ? conditions : conditions.map(ink.yellow)
        if files.indices.contains(index) {
            lines.append("  replay: squall replay \(files[index])")
        }
        lines += TimelineText(Timeline(finding.played, of: violation), ink: ink, width: width).lines
        guard finding.departures > 0 else { return lines }
        return lines + ["  the same in first in, first out, where the promise is kept:"]
            + TimelineText(Timeline(finding.twin, of: nil), ink: ink, width: width).lines
    }

    /// Words over as many lines as the width asks for.
    private func prose(_ text: String, first: String = "", rest: String = "    ") -> [String] {
        Prose.lines(text.visible, width: width, first: first, rest: rest)
    }

    private var coverage: [String] {
        let coverage = exploration.coverage
        let window = Units.exact(nanoseconds: exploration.plan.windowNanoseconds)
        // Where every schedule with so many departures was played, there is no next one.
        let next =
            exploration.exhausted == nil
            ? ", the next schedule shows it another with"
                + " \(Units.percent(coverage.unseen)) (Good–Turing)"
            : ""
        let schedules =
            "schedules \(coverage.schedules), different"
            + " \(coverage.isExact ? "" : "about ")\(coverage.distinctSchedules);"
            + " the server saw \(coverage.distinctViews) different things" + next
        let pairs =
            "ordered pairs of kinds of events: \(coverage.pairs.count) of"
            + " \(coverage.pairs.possibleCount); up to \(coverage.longest) choices among up to"
            + " \(coverage.widest); window \(window)"
        return prose(schedules) + prose(pairs)
    }
}
