public import SquallFormat

/// A schedule that breaks a promise, and beside or below it one that keeps it.
public struct SchedulePair: Picture {
    private let broken: Timeline
    private let kept: Timeline?
    private let caption: String
    private let isBeside: Bool

    /// The least and the greatest width of each of two texts side by side.
    private static let columns = 48...62

    /// A finding, and the schedule that keeps the promise under a caption of its own; without that
    /// when none was played.
    public init(_ finding: Finding, kept: Played?, _ caption: String, isBeside: Bool = false) {
        broken = Timeline(finding.played, of: finding.violation)
        self.kept = kept.map { Timeline($0, of: nil) }
        self.caption = caption
        self.isBeside = isBeside
    }

    /// One schedule alone.
    public init(_ played: Played) {
        broken = Timeline(played, of: played.violations.first)
        kept = nil
        caption = ""
        isBeside = false
    }

    /// Both pictures, each with a caption.
    public var markup: Markup? {
        let pictures = [("what happens", broken)] + (kept.map { [(caption, $0)] } ?? [])
        return Markup(
            "div", ["class": "pair"],
            pictures.map { caption, timeline in
                Markup(
                    "figure", [:],
                    [
                        Markup("figcaption", caption),
                        LaneChart(timeline: timeline, name: caption).markup,
                    ])
            })
    }

    /// The text; both side by side where that is asked for and the width allows it.
    public func lines(_ style: TerminalStyle, width: Int) -> [String] {
        // The mark, the line between both, and a blank on each side of it.
        let column = (width - 4) / 2
        if isBeside, column >= SchedulePair.columns.lowerBound {
            let widest = SchedulePair.columns.upperBound
            return [""] + beside(kept == nil ? width - 2 : min(column, widest)) + [""]
        }
        return TimelineText(broken, style: style, width: width).lines
            + (kept.map { kept in
                ["  \(caption):"] + TimelineText(kept, style: style, width: width).lines
            } ?? [])
    }

    private func beside(_ column: Int) -> [String] {
        func told(_ timeline: Timeline) -> [String] {
            // The responses tell what the server does.
            timeline.without([.server, .store]).rows.map { text($0).fitted(to: column) }
        }
        let left = ["  what happens"] + told(broken)
        guard let kept else { return left.map { "  " + $0 } }
        let right = [caption] + told(kept)
        return (0..<max(left.count, right.count)).map { row in
            let first = row < left.count ? left[row] : ""
            let second = row < right.count ? right[row] : ""
            return "  \(first.padded(to: column))│ \(second)".trimmedEnd
        }
    }

    private func text(_ row: Timeline.Row) -> String {
        let mark = row.isCritical ? "▶ " : row.isContradiction ? "✗ " : "  "
        let indent = row.lane == .wire ? "    " : ""
        return mark + SchedulePair.moment(row.at) + "  " + indent + row.text
    }

    /// Days, and seconds with three digits, so that columns align.
    private static func moment(_ nanoseconds: Int64) -> String {
        let (days, rest) = ((nanoseconds + 500_000) / 1_000_000)
            .quotientAndRemainder(dividingBy: 86_400_000)
        let text = (days > 0 ? "\(days)d " : "") + rest.thousandths + " s"
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }
}
