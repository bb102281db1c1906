/// Texts of ranges for messages and documentation: `1…10 000 000`, `1s…30d`, `1`.
enum ValueRange {
    static func text(_ range: ClosedRange<Int64>) -> String {
        text(Units.grouped(range.lowerBound), Units.grouped(range.upperBound))
    }

    static func text(_ range: ClosedRange<Double>) -> String {
        text(Units.threeDigits(range.lowerBound), Units.threeDigits(range.upperBound))
    }

    static func text(_ range: ClosedRange<Int>) -> String {
        text(Int64(range.lowerBound)...Int64(range.upperBound))
    }

    static func text(durations range: ClosedRange<Int64>) -> String {
        text(Units.exact(nanoseconds: range.lowerBound), Units.exact(nanoseconds: range.upperBound))
    }

    private static func text(_ low: String, _ high: String) -> String {
        low == high ? low : "\(low)…\(high)"
    }
}
