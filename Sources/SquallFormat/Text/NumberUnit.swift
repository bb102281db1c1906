/// The unit of a number in tables, thresholds and files.
public enum NumberUnit: String, CaseIterable, Codable, Sendable {
    case nanoseconds = "ns"
    case count, share, number
    case perSecond = "1/s"

    /// A number of the unit for readers: `271 ms`, `3.21 %`.
    public func text(_ number: Double) -> String {
        switch self {
        case .nanoseconds:
            let whole = Int64(clamped: number.magnitude.rounded())
            return (number < 0 && whole > 0 ? "-" : "") + Units.approximate(nanoseconds: whole)
        case .count:
            return number.magnitude < 1_000 && number != number.rounded()
                ? Units.threeDigits(number) : Units.grouped(Int64(clamped: number.rounded()))
        case .share: return Units.percent(number)
        case .perSecond: return Units.rate(perSecond: number)
        case .number: return Units.threeDigits(number)
        }
    }

    /// A difference of two numbers for readers; for shares it is in percentage points, of which
    /// there are at most 100, however wide an estimate is.
    public func difference(_ number: Double) -> String {
        self == .share ? "\(Units.threeDigits(min(max(number, -1), 1) * 100)) pp" : text(number)
    }
}
