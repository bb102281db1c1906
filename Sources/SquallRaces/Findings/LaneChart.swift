public import SquallFormat

/// A timeline as a picture: time runs down, each lane is a line, and messages cross between them.
public struct LaneChart {
    private let timeline: Timeline
    private let name: String

    private static let rowHeight = 22
    private static let headHeight = 30
    /// Where each lane's line stands, and where the picture ends.
    private static let places: [Timeline.Lane: Int] = [
        .person: 86, .client: 232, .wire: 362, .server: 546, .store: 722,
    ]
    private static let width = 800

    /// A picture of a timeline, with a name for those who cannot see it.
    public init(_ timeline: Timeline, name: String) {
        self.timeline = timeline
        self.name = name
    }

    /// The picture.
    public var markup: Markup {
        let height = Self.headHeight + timeline.rows.count * Self.rowHeight + 8
        let rows = timeline.rows.enumerated().map { index, row in
            self.row(row, y: Self.headHeight + index * Self.rowHeight)
        }
        return Markup(
            "div", ["class": "lanes"],
            [
                Markup(
                    "svg",
                    [
                        "viewBox": "0 0 \(Self.width) \(height)", "role": "img",
                        "aria-label": name,
                    ], lines(to: height) + rows)
            ])
    }

    private func lines(to height: Int) -> [Markup] {
        Timeline.Lane.allCases.flatMap { lane in
            let x = Self.places[lane] ?? 0
            return [
                Markup(
                    "text", ["class": "lane", "x": "\(x)", "y": "16"],
                    lane == .store ? "token store" : lane.rawValue),
                Markup(
                    "line",
                    [
                        "class": "life", "x1": "\(x)", "x2": "\(x)", "y1": "24",
                        "y2": "\(height)",
                    ]),
            ]
        }
    }

    private func row(_ row: Timeline.Row, y: Int) -> Markup {
        let middle = y + Self.rowHeight / 2
        let kind = row.isCritical ? "critical" : row.isContradiction ? "broken" : "plain"
        let x = Self.places[row.lane] ?? 0
        let band = Markup(
            "rect",
            [
                "class": "band", "x": "0", "y": "\(y)", "width": "\(Self.width)",
                "height": "\(Self.rowHeight)",
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
            message(row, middle)
            ?? Markup(
                "circle", ["class": "dot", "cx": "\(x)", "cy": "\(middle)", "r": "3.5"])
        let label = Markup(
            "text", ["class": "label", "x": "\(x + 8)", "y": "\(middle + 4)"], row.text)
        return Markup("g", ["class": "row \(kind)"], [title, band, time, mark, label])
    }

    /// What travels is an arrow: from the client, or back to it.
    private func message(_ row: Timeline.Row, _ y: Int) -> Markup? {
        guard row.lane == .wire, let client = Self.places[.client],
            let wire = Self.places[.wire]
        else { return nil }
        let (start, end) = row.text.hasPrefix("→") ? (client, wire) : (wire, client)
        let tip = start < end ? end - 6 : end + 6
        let path = "M\(start) \(y)L\(end) \(y)M\(tip) \(y - 4)L\(end) \(y)L\(tip) \(y + 4)"
        return Markup("path", ["class": "arrow", "d": path])
    }
}
