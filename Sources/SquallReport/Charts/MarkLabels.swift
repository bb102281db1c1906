import SquallDocument
import SquallFormat

/// The names of a chart's marks, placed so that none covers another even on a narrow screen.
struct MarkLabels {
    /// A name and its position.
    struct Label: Hashable {
        let text: String
        /// The place of its mark along the horizontal axis.
        let place: Double
        /// Whether it is to the left of its mark, because there is no room on the right.
        let isLeft: Bool
        /// Its line, counted from the top.
        let line: Int
    }

    /// A character's share of the width of a chart on a narrow screen: 7 of 310 pixels.
    private static let characterShare = 7.0 / 310

    /// One label per mark, in order of time.
    let labels: [Label]

    init(_ marks: [Plot.Mark]) {
        var labels: [Label] = []
        var ends: [Double] = []
        for mark in marks.sorted(by: { $0.place < $1.place }) {
            let (place, text) = (mark.place, mark.label)
            let width = Double(text.count + 2) * MarkLabels.characterShare
            let isLeft = place + width > 1
            let start = isLeft ? place - width : place
            let line = ends.firstIndex { $0 <= start } ?? ends.count
            if line == ends.count { ends.append(0) }
            ends[line] = start + width
            labels.append(Label(text: text, place: place, isLeft: isLeft, line: line))
        }
        self.labels = labels
    }
}

extension MarkLabels.Label {
    var markup: Markup {
        let left = "left:\(Markup.number(place * 100))%"
        let top = "top:\(Markup.number(Double(line) * 1.5 + 0.2))em"
        return Markup(
            "span",
            ["class": isLeft ? "mark-label left" : "mark-label", "style": "\(left);\(top)"],
            text)
    }
}
