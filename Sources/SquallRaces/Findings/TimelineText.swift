public import SquallFormat

/// A timeline as text: a line for each thing that happened, a column for each lane.
public struct TimelineText {
    private let timeline: Timeline
    private let ink: Ink

    /// How wide each lane is, in the order of the lanes.
    private static let widths: [(lane: Timeline.Lane, width: Int)] = [
        (.person, 22), (.client, 22), (.wire, 30), (.server, 28), (.store, 8),
    ]

    /// The text of a timeline.
    public init(_ timeline: Timeline, ink: Ink) {
        self.timeline = timeline
        self.ink = ink
    }

    /// The lines, the first of them naming the lanes.
    public var lines: [String] {
        let head =
            "  \("time".padded(to: 11))  "
            + TimelineText.widths.map {
                $0.lane.rawValue.padded(to: $0.width)
            }.joined(separator: " ")
        return [head.trimmedEnd] + timeline.rows.map(line)
    }

    private func line(_ row: Timeline.Row) -> String {
        let mark = row.isCritical ? "▶ " : row.isContradiction ? "✗ " : "  "
        var line = mark + Units.exact(nanoseconds: row.at).padded(to: 11) + "  "
        for (lane, width) in TimelineText.widths {
            guard lane == row.lane else {
                line += String(repeating: " ", count: width + 1)
                continue
            }
            line += row.text
            break
        }
        if row.isCritical { return ink.yellow(line.trimmedEnd) }
        return row.isContradiction ? ink.red(line.trimmedEnd) : line.trimmedEnd
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
