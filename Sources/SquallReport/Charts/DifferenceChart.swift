public import SquallDocument
public import SquallFormat

/// How far some figures of one profile are from those of another, each with its interval, beside a
/// line where there is no difference.
public struct DifferenceChart: Picture {
    /// One figure, as a share of what it was.
    public struct Row: Sendable {
        /// The figure's name.
        let name: String
        /// How far it is, and from where to where that may be: 0.1 is a tenth more.
        let value, low, high: Double
        /// Whether that is as wanted; nil where it is unclear or neither.
        let isGood: Bool?

        /// A figure.
        public init(_ name: String, _ value: Double, low: Double, high: Double, isGood: Bool?) {
            (self.name, self.value, self.low, self.high) = (name, value, low, high)
            self.isGood = isGood
        }
    }

    private let rows: [Row]
    /// What is at both ends.
    private let widest: Double

    /// A chart of some figures; nil without any that may differ.
    public init?(_ rows: [Row]) {
        widest = rows.flatMap { [$0.low.magnitude, $0.high.magnitude] }.max() ?? 0
        guard widest > 0 else { return nil }
        self.rows = rows
    }

    /// The figures, one below the other.
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
