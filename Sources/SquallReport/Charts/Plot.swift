import SquallFormat

/// A chart with its title, legend, axes and the table of its data.
struct Plot {
    /// One entry of the legend.
    struct Key {
        let name: String
        /// The style of the area or line that it explains.
        let kind: String
    }

    /// A moment or a span of time that is marked across the chart.
    struct Mark {
        let place: Double
        /// Its end; `nil` for a moment.
        var end: Double?
        let label: String
    }

    let title: String
    var legend: [Key] = []
    /// True if it can be drawn wider than the page, to show more of a long run.
    var canGrow = false
    let horizontal: Axis
    let vertical: Axis
    var marks: [Mark] = []
    /// Heights of limits, with their names.
    var limits: [(place: Double, label: String)] = []
    /// The caption of the horizontal axis; empty where that shows time.
    var caption = ""
    let shapes: [Markup]
    let table: Table

    var markup: Markup {
        Markup(
            "figure", [:],
            [
                Markup("figcaption", [:], [Markup("strong", title)] + legend.map(\.markup)),
                Markup(
                    "div", ["class": "plot"],
                    [
                        labels,
                        Markup(
                            "div", ["class": canGrow ? "pan grows" : "pan", "tabindex": "0"],
                            [Markup("div", ["class": "wide"], [canvas, feet])]),
                    ]),
            ] + (caption.isEmpty ? [] : [Markup("p", ["class": "axis"], caption)]) + [
                Markup(
                    "details", [:],
                    [Markup("summary", "Data of this chart"), table.markup])
            ])
    }

    private var canvas: Markup {
        let grid = Shape.levels(at: vertical.ticks.map(\.place), "grid")
        let spans = marks.compactMap { mark in mark.end.map { (mark.place, $0) } }
        let edges = marks.flatMap { [$0.place] + [$0.end].compactMap { $0 } }
        let lines =
            (spans.isEmpty ? [] : [Shape.windows(spans)])
            + (marks.isEmpty ? [] : [Shape.marks(at: edges)])
            + (limits.isEmpty ? [] : [Shape.levels(at: limits.map(\.place), "limit")])
        let drawing = Markup(
            "svg",
            [
                "viewBox": "0 0 1000 1000", "preserveAspectRatio": "none", "role": "img",
                "aria-label": title,
            ], [grid] + shapes + lines)
        let names =
            markLabels.map { $0.markup(of: linesOfLabels) }
            + limits.map { place, label in
                let top = "top:\(Markup.number((1 - place) * 100))%"
                return Markup("span", ["class": "limit-label", "style": top], label)
            }
        return Markup("div", ["class": "canvas", "style": belowLabels], [drawing] + names)
    }

    private var markLabels: [MarkLabel] { MarkLabel.all(of: marks) }
    private var linesOfLabels: Int { (markLabels.map(\.line).max() ?? -1) + 1 }
    /// The names of marks stand above the drawing, where they cover no line.
    private var belowLabels: String { "margin-top:\(linesOfLabels * MarkLabel.height)px" }

    private var labels: Markup {
        let labels = vertical.ticks.map { tick in
            let top = "top:\(Markup.number((1 - tick.place) * 100))%"
            return Markup("span", ["style": top], tick.label)
        }
        return Markup("div", ["class": "y", "style": belowLabels], labels)
    }

    private var feet: Markup {
        let labels = horizontal.ticks.map { tick in
            let side = tick.place < 0.03 ? "first" : tick.place > 0.95 ? "last" : "between"
            let kind = tick.isMinor ? "\(side) minor" : side
            let left = "left:\(Markup.number(tick.place * 100))%"
            return Markup("span", ["class": kind, "style": left], tick.label)
        }
        return Markup("div", ["class": "x"], labels)
    }
}

extension Plot.Key {
    fileprivate var markup: Markup {
        Markup("span", ["class": "key"], [Markup("i", ["class": kind]), .text(name)])
    }
}

extension FaultRow {
    /// Its place on an axis of time.
    func mark(on axis: Axis) -> Plot.Mark {
        let isOver = endNanoseconds > startNanoseconds
        return Plot.Mark(
            place: axis.place(of: Double(startNanoseconds)),
            end: isOver ? axis.place(of: Double(endNanoseconds)) : nil, label: name)
    }
}
