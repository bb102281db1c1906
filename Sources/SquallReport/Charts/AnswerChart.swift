public import SquallDocument
public import SquallFormat

/// Lines over a setting.
public struct AnswerChart: Sendable {
    /// What is shown.
    public let title: String
    /// What is along the horizontal axis.
    public let horizontalName: String
    /// The lines.
    public let series: [Series]
    /// Whether heights are durations, on a scale of powers of ten.
    public let isDuration: Bool
    /// Values across the chart with a name.
    public let marks: [(place: Double, label: String)]

    /// One line.
    public struct Series: Sendable {
        /// Its name.
        public let name: String
        /// Its points, in the order of their places.
        public let points: [(place: Double, height: Double)]

        /// A line.
        public init(_ name: String, _ points: [(place: Double, height: Double)]) {
            self.name = name
            self.points = points
        }
    }

    /// A chart.
    public init(
        _ title: String, over horizontalName: String, _ series: [Series], isDuration: Bool = false,
        marks: [(place: Double, label: String)] = []
    ) {
        self.title = title
        self.horizontalName = horizontalName
        self.series = series
        self.isDuration = isDuration
        self.marks = marks
    }
}

extension AnswerChart: Picture {
    /// The lines in a plot; nil without any place.
    public var markup: Markup? { plot?.markup }

    private static let kinds = ["goodput", "wire", "refresh", "retry", "first", "answered"]

    private var plot: Plot? {
        let places = series.flatMap(\.points).map(\.place) + marks.map(\.place)
        let heights = series.flatMap(\.points).map(\.height)
        guard let widest = places.max(), widest > 0, let highest = heights.max() else { return nil }
        let horizontal = Axis.linear(to: widest, label: Self.label)
        let positive = heights.filter { $0 > 0 }.min() ?? 1
        let vertical =
            isDuration
            ? Axis.durations(from: Int64(positive), to: Int64(highest * 1.2))
            : Axis.linear(to: max(1e-3, highest))
        return Plot(
            title: title,
            legend: zip(series, Self.kinds).map { Plot.Key(name: $0.name, kind: $1) },
            horizontal: horizontal, vertical: vertical,
            marks: marks.map {
                Plot.Mark(place: horizontal.place(of: $0.place), label: $0.label)
            },
            shapes: zip(series, Self.kinds).map { series, kind in
                Shape.line(
                    series.points.map {
                        (horizontal.place(of: $0.place), vertical.place(of: $0.height))
                    }, "line-\(kind)")
            }, table: table(horizontal))
    }

    /// A place along the axis: thousands are grouped as they are everywhere else.
    private static func label(_ place: Double) -> String {
        place < 1_000 ? Units.threeDigits(place) : Units.grouped(Int64(clamped: place.rounded()))
    }

    private func table(_ axis: Axis) -> Table {
        let places = Set(series.flatMap(\.points).map(\.place)).sorted()
        return Table(
            places: places.map(axis.place),
            places.map { place in
                [Column(horizontalName, .number)(place)]
                    + series.map { series in
                        Column(series.name, isDuration ? .duration : .number)(
                            series.points.first { $0.place == place }?.height)
                    }
            })
    }
}
