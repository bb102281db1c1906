import SquallFormat

/// SVG shapes in a drawing of 1000 × 1000; places run from 0 to 1, upwards and to the right.
///
/// A drawing is stretched to the room available, so it contains no text: labels are HTML around
/// it and stay readable on a narrow page.
enum Shape {
    static let size = 1_000.0

    /// A line through places.
    static func line(_ places: [(x: Double, y: Double)], _ kind: String) -> Markup {
        Markup("path", ["class": "line \(kind)", "d": path(places)])
    }

    /// The area between two lines, both with places in the same horizontal order.
    static func area(
        under upper: [(x: Double, y: Double)], over lower: [(x: Double, y: Double)], _ kind: String
    ) -> Markup {
        Markup("path", ["class": "area \(kind)", "d": path(upper + lower.reversed()) + "z"])
    }

    /// Horizontal lines across the drawing.
    static func levels(at heights: [Double], _ kind: String) -> Markup {
        let lines = heights.map { "M0 \(Markup.number(size * (1 - $0)))h1000" }
        return Markup("path", ["class": kind, "d": lines.joined()])
    }

    static func dots(_ places: [(x: Double, y: Double)], _ kind: String) -> Markup {
        let dots = places.map {
            "M\(Markup.number(size * $0.x)) \(Markup.number(size * (1 - $0.y)))h0"
        }
        return Markup("path", ["class": "dots \(kind)", "d": dots.joined()])
    }

    /// Vertical bars, each at a place from one height to another.
    static func bars(_ bars: [(x: Double, low: Double, high: Double)], _ kind: String) -> Markup {
        let lines = bars.map { bar in
            "M\(Markup.number(size * bar.x)) \(Markup.number(size * (1 - bar.low)))"
                + "V\(Markup.number(size * (1 - bar.high)))"
        }
        return Markup("path", ["class": "bars \(kind)", "d": lines.joined()])
    }

    /// Spans of time, shaded across the drawing.
    static func windows(_ spans: [(Double, Double)]) -> Markup {
        let areas = spans.map { start, end in
            let (left, right) = (Markup.number(size * start), Markup.number(size * end))
            return "M\(left) 0H\(right)V1000H\(left)z"
        }
        return Markup("path", ["class": "window", "d": areas.joined()])
    }

    /// Vertical lines across the drawing.
    static func marks(at places: [Double]) -> Markup {
        let lines = places.map { "M\(Markup.number(size * $0)) 0v1000" }
        return Markup("path", ["class": "mark", "d": lines.joined()])
    }

    /// Each piece as what it adds to the last; level pieces in a row are one.
    ///
    /// In tenths of a unit across and whole units down: some charts grow in width, none is 1,000
    /// pixels high.
    private static func path(_ places: [(x: Double, y: Double)]) -> String {
        let points = places.map {
            (tenths: (size * $0.x * 10).rounded(), y: (size * (1 - $0.y)).rounded())
        }
        guard var last = points.first else { return "" }
        var path = "M\(Markup.number(last.tenths / 10)) \(Markup.number(last.y))"
        for (index, point) in points.enumerated().dropFirst() {
            let isLevel = point.y == last.y
            if isLevel, points.indices.contains(index + 1), points[index + 1].y == point.y {
                continue
            }
            let across = Markup.number((point.tenths - last.tenths) / 10)
            let down = Markup.number(point.y - last.y)
            path +=
                isLevel
                ? "h\(across)" : point.tenths == last.tenths ? "v\(down)" : "l\(across) \(down)"
            last = point
        }
        return path
    }
}
