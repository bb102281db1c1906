public import SquallFormat

/// Lines over a setting.
public struct AnswerChart: Sendable {
    /// The chart's title.
    public let title: String
    /// The scales of the horizontal and the vertical axis.
    public let horizontal, vertical: Scale
    /// The lines.
    public let series: [Series]
    /// Named values on the horizontal axis; one with an end is shown as an uncertain range.
    public var marks: [(place: Double, end: Double?, label: String)] = []
    /// Heights of limits, with their names.
    public var limits: [(height: Double, label: String)] = []
    /// A value around which alone the chart is drawn, where enough points are near it; its table
    /// has all of them.
    public var focus: Double?

    /// The values and labels of an axis.
    public struct Scale: Sendable {
        /// The axis' caption.
        let name: String
        /// The values to label; empty to choose them from the range.
        let values: [Double]
        /// The least range that the axis covers.
        let least: Double
        /// True for numbers that are nanoseconds, shown on a logarithmic axis.
        let isDuration: Bool
        /// True for values that are places in a row, from 1 on, and no quantity.
        let isOrdinal: Bool
        /// Formats a number for people.
        let text: @Sendable (Double) -> String

        /// A scale.
        public init(
            _ name: String = "", of values: [Double] = [], least: Double = 1e-3,
            isDuration: Bool = false, isOrdinal: Bool = false,
            text: @escaping @Sendable (Double) -> String = number
        ) {
            self.name = name
            self.values = values
            self.least = least
            self.isDuration = isDuration
            self.isOrdinal = isOrdinal
            self.text = text
        }

        /// Formats a bare number, with thousands grouped as everywhere else.
        public static let number: @Sendable (Double) -> String = { number in
            number < 1_000
                ? Units.threeDigits(number) : Units.grouped(Int64(clamped: number.rounded()))
        }

        /// Nanoseconds.
        public static let durations = Scale(isDuration: true) {
            Units.approximate(nanoseconds: Int64(clamped: $0.rounded()))
        }
    }

    /// One line.
    public struct Series: Sendable {
        /// Its name.
        public let name: String
        /// Its points, in the order of their places.
        public let points: [Point]
        /// True if a line joins them.
        let isJoined: Bool

        /// A place on the axis and a height with its uncertainty.
        public struct Point: Sendable {
            /// The place along the axis, and the height.
            public let place, height: Double
            let low, high: Double?

            /// A point; its height is exact if no interval is given.
            public init(
                _ place: Double, _ height: Double, low: Double? = nil, high: Double? = nil
            ) {
                (self.place, self.height, self.low, self.high) = (place, height, low, high)
            }
        }

        /// A line.
        public init(_ name: String, _ points: [Point], isJoined: Bool = true) {
            self.name = name
            self.points = points
            self.isJoined = isJoined
        }
    }

    /// A chart.
    public init(
        _ title: String, over horizontal: Scale, up vertical: Scale = Scale(), _ series: [Series]
    ) {
        self.title = title
        self.horizontal = horizontal
        self.vertical = vertical
        self.series = series
    }
}

extension AnswerChart: Picture {
    /// The chart as HTML; nil without any place.
    public var markup: Markup? { plot?.markup }

    private static let kinds = ["goodput", "wire", "refresh", "retry", "first", "answered"]
    /// With more points than this a line is drawn without dots.
    private static let dotsMax = 60

    /// The fewest points that a chart around a value has.
    private static let focusedMin = 5

    /// The places that are drawn: all, or those within the least of some factors around the focus
    /// that has enough of them.
    private var shown: ClosedRange<Double> {
        let all = 0...Double.infinity
        guard let focus, focus > 0 else { return all }
        let places = Set(series.flatMap(\.points).map(\.place))
        let ranges = [1.1, 1.3, 2].map { focus / $0...focus * $0 }
        return ranges.first { range in
            places.count(where: range.contains) >= Self.focusedMin
        } ?? all
    }

    private func axis(across places: [Double], in shown: ClosedRange<Double>) -> Axis? {
        guard let widest = places.max(), widest > 0 else { return nil }
        if horizontal.isOrdinal { return .ordinal(horizontal.values.map(horizontal.text)) }
        if let lowest = places.min(), shown.upperBound.isFinite, lowest < widest {
            return .linear(from: lowest, to: widest, label: horizontal.text)
        }
        return horizontal.values.isEmpty
            ? .linear(to: widest, label: horizontal.text)
            : .named(horizontal.values.map { ($0, horizontal.text($0)) }, to: widest)
    }

    /// Durations that span less than a factor of four are on an axis from 0: a constant is a line
    /// across its middle, not the edge of an empty chart.
    private func axis(up heights: [Double]) -> Axis? {
        guard let highest = heights.max() else { return nil }
        let positive = heights.filter { $0 > 0 }.min() ?? 1
        // A dot at the very edge would be cut in half.
        let room = highest * 1.05
        return vertical.isDuration && highest > positive * 4
            ? .durations(from: Int64(positive), to: Int64(highest * 1.2))
            : .linear(
                to: max(vertical.isDuration ? 1e3 : vertical.least, room), label: vertical.text)
    }

    private var plot: Plot? {
        let shown = shown
        let series = series.map { line in
            Series(
                line.name, line.points.filter { shown.contains($0.place) }, isJoined: line.isJoined)
        }
        let points = series.flatMap(\.points)
        let places = points.map(\.place) + marks.flatMap { [$0.place, $0.end ?? $0.place] }
        let heights =
            points.flatMap { [$0.height, $0.low ?? $0.height, $0.high ?? $0.height] }
            + limits.map(\.height)
        guard let across = axis(across: places, in: shown), let up = axis(up: heights) else {
            return nil
        }
        let key = zip(series, Self.kinds).map { Plot.Key(name: $0.name, kind: "line-\($1)") }
        return Plot(
            title: title, legend: series.count > 1 ? key : [], horizontal: across, vertical: up,
            marks: marks.map { mark in
                Plot.Mark(
                    place: across.place(of: mark.place), end: mark.end.map(across.place),
                    label: mark.label)
            }, limits: limits.map { (up.place(of: $0.height), $0.label) },
            caption: horizontal.name,
            shapes: zip(series, Self.kinds).flatMap { shapes($0, "line-\($1)", across, up) },
            table: table(across))
    }

    private func shapes(_ series: Series, _ kind: String, _ across: Axis, _ up: Axis) -> [Markup] {
        let places = series.points.map { (across.place(of: $0.place), up.place(of: $0.height)) }
        let bars = series.points.compactMap { point in
            point.low.flatMap { low in
                point.high.map {
                    (across.place(of: point.place), up.place(of: low), up.place(of: $0))
                }
            }
        }
        return (series.isJoined ? [Shape.line(places, kind)] : [])
            + (bars.isEmpty ? [] : [Shape.bars(bars, kind)])
            + (places.count > Self.dotsMax ? [] : [Shape.dots(places, kind)])
    }

    private func table(_ axis: Axis) -> Table {
        let places = Set(series.flatMap(\.points).map(\.place)).sorted()
        return Table(
            places: places.map(axis.place),
            places.map { place in
                [Column(horizontal.name, .number)(horizontal.text(place), place)]
                    + series.flatMap { cells($0, at: place) }
            })
    }

    private func cells(_ series: Series, at place: Double) -> [Cell] {
        let point = series.points.first { $0.place == place }
        let column = Column(series.name, vertical.isDuration ? .duration : .number)
        let cell =
            point.map { column(vertical.text($0.height), $0.height) } ?? column(nil as Double?)
        guard series.points.contains(where: { $0.low != nil }) else { return [cell] }
        let interval = point.flatMap { point in
            point.low.flatMap { low in
                point.high.map { "\(vertical.text(low))…\(vertical.text($0))" }
            }
        }
        return [cell, interval.map { Column.interval($0) } ?? Column.interval(nil as Double?)]
    }
}
