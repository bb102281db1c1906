public import SquallFormat

/// A timeline as text: a line for each event, a column for each lane; where the columns are too
/// wide, each line begins with the lane's name.
public struct TimelineText {
    private let timeline: Timeline
    private let style: TerminalStyle
    /// The width of each lane, in order; nil where the lanes do not fit side by side.
    private let widths: [(lane: Timeline.Lane, width: Int)]?
    private let timeWidth: Int

    /// The width of each lane where there is room.
    private static let widths: [(lane: Timeline.Lane, width: Int)] = [
        (.person, 22), (.client, 22), (.wire, 30), (.server, 28), (.store, 8),
    ]

    /// The text of a timeline, no wider than a terminal as far as its words allow.
    public init(_ timeline: Timeline, style: TerminalStyle, width: Int = 200) {
        self.timeline = timeline
        self.style = style
        timeWidth = timeline.rows.reduce(11) { max($0, TimelineText.moment($1.at).count) }
        let room = width - timeWidth - 4
        let tight = TimelineText.widths.map { lane, _ in
            let texts = timeline.rows.filter { $0.lane == lane }.map(\.text.count)
            return (lane: lane, width: texts.reduce(lane.rawValue.count, max))
        }
        widths = [TimelineText.widths, tight].first { all in
            all.reduce(all.count - 1) { $0 + $1.width } <= room
        }
    }

    /// The lines, the first of them naming the lanes.
    public var lines: [String] {
        let names = widths?.map { $0.lane.rawValue.padded(to: $0.width) } ?? ["where   what"]
        let head = "  \("time".padded(to: timeWidth))  " + names.joined(separator: " ")
        return [head.trimmedEnd] + timeline.rows.map(line)
    }

    private func line(_ row: Timeline.Row) -> String {
        let mark = row.isCritical ? "▶ " : row.isContradiction ? "✗ " : "  "
        let time = TimelineText.moment(row.at).padded(to: timeWidth)
        let line = "\(mark)\(time)  \(indent(of: row.lane))\(row.text)".trimmedEnd
        if row.isCritical { return style.yellow(line) }
        return row.isContradiction ? style.red(line) : line
    }

    /// The text between the time and the event.
    private func indent(of lane: Timeline.Lane) -> String {
        guard let widths else { return "\(lane.rawValue.padded(to: 6))  " }
        let before = widths.prefix { $0.lane != lane }.reduce(0) { $0 + $1.width + 1 }
        return String(repeating: " ", count: before)
    }

    /// The time of an event, as exact as readers need it: the lines show the order.
    private static func moment(_ nanoseconds: Int64) -> String {
        let step: Int64 = nanoseconds < 1_000_000_000 ? 10_000 : 1_000_000
        return Units.exact(nanoseconds: (nanoseconds + step / 2) / step * step)
    }
}

extension String {
    func padded(to width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }

    var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
