import SquallFormat

/// The name of a chart's mark, placed so that it covers no other even on a narrow screen.
struct MarkLabel {
    let text: String
    /// The place of its mark along the horizontal axis.
    let place: Double
    /// True if it is to the left of its mark, because there is no room on the right.
    let isLeft: Bool
    /// Its line, counted from the top.
    let line: Int

    /// A character's share of the width of a chart on a narrow screen: 7 of 310 pixels.
    private static let characterShare = 7.0 / 310

    /// One label per mark, in order of time.
    static func all(of marks: [Plot.Mark]) -> [MarkLabel] {
        var ends: [Double] = []
        return marks.ordered { $0.place < $1.place }.map { mark in
            let width = Double(mark.label.count + 2) * characterShare
            let isLeft = mark.place + width > 1
            let start = isLeft ? mark.place - width : mark.place
            let line = ends.firstIndex { $0 <= start } ?? ends.count
            if line == ends.count { ends.append(0) }
            ends[line] = start + width
            return MarkLabel(text: mark.label, place: mark.place, isLeft: isLeft, line: line)
        }
    }

    /// The height of a line of labels, in pixels.
    static let height = 18

    /// The label above a drawing, in one of some lines.
    func markup(of lines: Int) -> Markup {
        let left = "left:\(Markup.number(place * 100))%"
        let top = "top:\((line - lines) * Self.height)px"
        return Markup(
            "span",
            ["class": isLeft ? "mark-label left" : "mark-label", "style": "\(left);\(top)"],
            text)
    }
}
