import SquallFormat

/// What happens when a promise is broken, beside an order of events that keeps it.
struct DrillTimeline {
    private let broken: [Timeline.Row]
    private let kept: [Timeline.Row]
    private static let width = 62

    init(_ finding: Finding, kept: Played?) {
        broken = DrillTimeline.rows(Timeline(finding.played, of: finding.violation))
        let twin = finding.needsNoOrder ? kept : finding.twin
        self.kept = twin.map { DrillTimeline.rows(Timeline($0, of: nil)) } ?? []
    }

    /// What the person does and what travels: what the server does is told by its answers.
    private static func rows(_ timeline: Timeline) -> [Timeline.Row] {
        timeline.rows.filter { $0.lane != .server && $0.lane != .store }
    }

    var lines: [String] {
        let title = "what happens"
        guard !kept.isEmpty else { return ["    \(title)"] + broken.map { "  " + text($0) } }
        let left = [title] + broken.map(text)
        let right = ["the order that keeps it"] + kept.map(text)
        return (0..<max(left.count, right.count)).map { row in
            let first = row < left.count ? left[row] : ""
            let second = row < right.count ? right[row] : ""
            let gap = String(repeating: " ", count: max(0, DrillTimeline.width - first.count))
            let line = "  \(row == 0 ? "  " : "")\(first)\(gap)\(row == 0 ? "" : "")│ \(second)"
            return line
        }
    }

    private func text(_ row: Timeline.Row) -> String {
        let mark = row.isCritical ? "▶ " : row.isContradiction ? "✗ " : "  "
        let indent = row.lane == .wire ? "    " : ""
        let line = mark + DrillTimeline.moment(row.at) + "  " + indent + row.text
        guard line.count > DrillTimeline.width else { return line }
        return line.prefix(DrillTimeline.width - 1) + "…"
    }

    /// Seconds with three digits, so that columns stand one below the other.
    private static func moment(_ nanoseconds: Int64) -> String {
        let text = ((nanoseconds + 500_000) / 1_000_000).thousandths + " s"
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }
}
