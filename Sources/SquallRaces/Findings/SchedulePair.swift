public import SquallFormat

/// A schedule that breaks a promise, and beside or below it one that keeps it.
public struct SchedulePair: Picture {
    private let broken: Timeline
    private let kept: Timeline?
    private let caption: String
    private let isBeside: Bool

    /// The least and the greatest width of each of two texts side by side.
    private static let columns = 48...62

    /// A finding, and the schedule that keeps the promise, if one was played, with its caption.
    ///
    /// Both begin where what matters does.
    public init(_ finding: Finding, kept: Played?, _ caption: String, isBeside: Bool = false) {
        let whole = Timeline(finding.played, of: finding.violation)
        broken = whole.from(whole.beginning)
        self.kept = kept.map { Timeline($0, of: nil).from(whole.beginning) }
        self.caption = caption
        self.isBeside = isBeside
    }

    /// The events that break a promise and what happens next to them, for a brief text.
    public init(brief finding: Finding, isBeside: Bool = false) {
        let whole = Timeline(finding.played, of: finding.violation)
        broken = isBeside ? whole.from(whole.beginning) : whole.aroundMarks
        kept = nil
        caption = ""
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
            return "  \(first.padded(to: column))│ \(second)".withoutTrailingSpaces
        }
    }

    private func text(_ row: Timeline.Row) -> String {
        let indent = row.lane == .wire ? "    " : ""
        return row.mark + SchedulePair.moment(row.at) + "  " + indent + row.text
    }

    /// Days, and seconds with three digits, so that columns align.
    private static func moment(_ nanoseconds: Int64) -> String {
        let (days, rest) = ((nanoseconds + 500_000) / 1_000_000)
            .quotientAndRemainder(dividingBy: 86_400_000)
        let text = (days > 0 ? "\(days)d " : "") + rest.thousandths + " s"
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }
}

/// A timeline as a picture: time runs down, each lane is a line, and messages cross between them.
struct LaneChart {
    let timeline: Timeline
    /// Its name for readers who cannot see it.
    let name: String

    /// Positions in a picture.
    private struct Layout {
        /// The style class that shows it where there is room, and hides it elsewhere.
        let kind: String
        /// The positions of the lanes' lines, and the picture's width.
        let places: [Timeline.Lane: Int]
        let width: Int
        /// Where the words of every lane begin, and how many characters fit; nil where they stand
        /// beside their lane.
        let words: (place: Int, room: Int)?
        let headHeight: Int
    }

    private static let landscape = Layout(
        kind: "landscape",
        places: [.person: 86, .client: 232, .wire: 362, .server: 546, .store: 722],
        width: 800, words: nil, headHeight: 30)
    /// For a phone: narrow lanes, with the words of all of them behind the last.
    private static let portrait = Layout(
        kind: "portrait",
        places: [.person: 66, .client: 84, .wire: 102, .server: 120, .store: 138],
        width: 360, words: (place: 150, room: 34), headHeight: 92)

    private static let lineHeight = 16

    /// The picture, once for a wide page and once for a narrow one.
    var markup: Markup {
        Markup("div", ["class": "lanes"], [picture(Self.landscape), picture(Self.portrait)])
    }

    private func picture(_ layout: Layout) -> Markup {
        var rows: [Markup] = []
        var y = layout.headHeight
        for row in timeline.rows {
            let lines = words(of: row, layout)
            let height = 6 + max(1, lines.count) * Self.lineHeight
            rows.append(self.row(row, lines, y: y, height: height, layout))
            y += height
        }
        let height = y + 8
        return Markup(
            "svg",
            [
                "class": layout.kind, "viewBox": "0 0 \(layout.width) \(height)", "role": "img",
                "aria-label": name,
            ], heads(layout, to: height) + rows)
    }

    private func heads(_ layout: Layout, to height: Int) -> [Markup] {
        Timeline.Lane.allCases.flatMap { lane in
            let x = layout.places[lane] ?? 0
            let foot = layout.headHeight - 6
            let name = lane == .store ? "token store" : lane.rawValue
            let place =
                layout.words == nil
                ? "translate(\(x) 16)" : "translate(\(x + 4) \(foot - 4)) rotate(-90)"
            return [
                Markup("text", ["class": "lane", "transform": place], name),
                Markup(
                    "line",
                    [
                        "class": "life", "x1": "\(x)", "x2": "\(x)", "y1": "\(foot)",
                        "y2": "\(height)",
                    ]),
            ]
        }
    }

    /// The words of a row, in lines that fit.
    private func words(of row: Timeline.Row, _ layout: Layout) -> [String] {
        layout.words.map { WordWrap.lines(row.text, width: $0.room) } ?? [row.text]
    }

    private func row(
        _ row: Timeline.Row, _ lines: [String], y: Int, height: Int, _ layout: Layout
    ) -> Markup {
        let middle = y + 11
        let kind = row.isCritical ? "critical" : row.isContradiction ? "broken" : "plain"
        let x = layout.places[row.lane] ?? 0
        let band = Markup(
            "rect",
            [
                "class": "band", "x": "0", "y": "\(y)", "width": "\(layout.width)",
                "height": "\(height)",
            ])
        let time = Markup(
            "text", ["class": "time", "x": "4", "y": "\(middle + 4)"],
            Units.exact(nanoseconds: row.at))
        let title = Markup(
            "title", [:],
            "\(Units.exact(nanoseconds: row.at)) · \(row.lane.rawValue) · \(row.text)"
                + (row.detail.isEmpty ? "" : " · \(row.detail)")
                + (row.isCritical ? " · the choice that matters" : ""))
        let mark =
            message(row, middle, layout)
            ?? Markup(
                "circle", ["class": "dot", "cx": "\(x)", "cy": "\(middle)", "r": "3.5"])
        let labels = lines.enumerated().map { index, line in
            Markup(
                "text",
                [
                    "class": "label", "x": "\(layout.words?.place ?? x + 8)",
                    "y": "\(middle + 4 + index * Self.lineHeight)",
                ], line)
        }
        return Markup("g", ["class": "row \(kind)"], [title, band, time, mark] + labels)
    }

    /// Draws a message as an arrow: from the client, or to it.
    private func message(_ row: Timeline.Row, _ y: Int, _ layout: Layout) -> Markup? {
        guard row.lane == .wire, let client = layout.places[.client],
            let wire = layout.places[.wire]
        else { return nil }
        let (start, end) = row.isRequest ? (client, wire) : (wire, client)
        let tip = start < end ? end - 6 : end + 6
        let path = "M\(start) \(y)L\(end) \(y)M\(tip) \(y - 4)L\(end) \(y)L\(tip) \(y + 4)"
        return Markup("path", ["class": "arrow", "d": path])
    }
}
