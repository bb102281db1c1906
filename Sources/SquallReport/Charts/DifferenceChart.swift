public import SquallFormat

/// The differences between some figures of two profiles, each with its interval, around a line
/// that marks no difference.
public struct DifferenceChart: Picture {
    /// The change of one figure, as a share of its earlier value.
    public struct Row: Sendable {
        /// The figure's name.
        let name: String
        /// The change and the ends of its interval: 0.1 is a tenth more.
        let value, low, high: Double
        /// True if the change is as wanted; `nil` where that is unclear or neither.
        let isGood: Bool?

        /// A figure.
        public init(_ name: String, _ value: Double, low: Double, high: Double, isGood: Bool?) {
            (self.name, self.value, self.low, self.high) = (name, value, low, high)
            self.isGood = isGood
        }
    }

    private let rows: [Row]
    /// The largest change that the chart shows, on both sides.
    private let widest: Double

    /// Makes a chart of some figures; nil if none of them may differ.
    public init?(_ rows: [Row]) {
        widest = rows.flatMap { [$0.low.magnitude, $0.high.magnitude] }.max() ?? 0
        guard widest > 0 else { return nil }
        self.rows = rows
    }

    /// The chart: figures below each other.
    public var markup: Markup? {
        Markup("figure", [:], [Markup("div", ["class": "strips"], rows.flatMap(markup))])
    }

    private func markup(_ row: Row) -> [Markup] {
        let kind = row.isGood.map { $0 ? "good" : "worse" } ?? "unclear"
        let (low, value, high) = (place(row.low), place(row.value), place(row.high))
        let text = Self.text(row.value)
        let strip = Markup(
            "svg",
            [
                "viewBox": "0 0 1000 100", "preserveAspectRatio": "none", "role": "img",
                "aria-label": "\(row.name): \(text), \(Self.text(row.low))…\(Self.text(row.high))",
                "class": kind,
            ],
            [
                Markup("path", ["class": "zero", "d": "M500 0v100"]),
                Markup("path", ["class": "bars", "d": "M\(low) 50H\(high)"]),
                Markup("path", ["class": "dots", "d": "M\(value) 50h0"]),
            ])
        return [Markup("span", row.name), strip, Markup("span", ["class": "far"], text)]
    }

    private func place(_ share: Double) -> String {
        Markup.number(500 + 480 * share / widest)
    }

    private static func text(_ share: Double) -> String {
        (share > 0 ? "+" : share < 0 ? "−" : "") + Units.percent(share.magnitude)
    }
}
