import SquallFormat

/// A number together with its unit.
public enum Quantity: Hashable, Sendable {
    case nanoseconds(Int64)
    case count(Int64)
    case share(Double)
    case perSecond(Double)
    case number(Double)

    /// The bare number, for comparisons; exact below 2⁵³.
    public var magnitude: Double {
        switch self {
        case .nanoseconds(let value), .count(let value): Double(value)
        case .share(let value), .perSecond(let value), .number(let value): value
        }
    }

    /// The unit of a bare number in a document.
    public enum Unit: String, CaseIterable, Codable, Sendable {
        case nanoseconds = "ns"
        case count, share, number
        case perSecond = "1/s"
    }

    /// What it counts.
    public var unit: Unit {
        switch self {
        case .nanoseconds: .nanoseconds
        case .count: .count
        case .share: .share
        case .perSecond: .perSecond
        case .number: .number
        }
    }

    /// The quantity of a document's number.
    init(_ number: Double, _ unit: Unit) {
        switch unit {
        case .nanoseconds: self = .nanoseconds(Int64(exactly: number) ?? .max)
        case .count: self = .count(Int64(exactly: number) ?? .max)
        case .share: self = .share(number)
        case .number: self = .number(number)
        case .perSecond: self = .perSecond(number)
        }
    }
}

extension Quantity: CustomStringConvertible {
    /// The quantity for people: `271 ms`, `3.21 %`.
    public var description: String { unit.text(magnitude) }
}

extension Quantity.Unit {
    /// A number of the unit as people read it.
    public func text(_ number: Double) -> String {
        let sign = number < 0 ? "-" : ""
        switch self {
        case .nanoseconds:
            return sign + Units.approximate(nanoseconds: Int64(clamped: number.magnitude.rounded()))
        case .count:
            return number.magnitude < 1_000 && number != number.rounded()
                ? Units.threeDigits(number) : Units.grouped(Int64(clamped: number.rounded()))
        case .share: return Units.percent(number)
        case .perSecond: return Units.rate(perSecond: number)
        case .number: return Units.threeDigits(number)
        }
    }

    /// A difference of two numbers as people read it; for shares it is in percentage points, of
    /// which there are at most 100, however wide an estimate is.
    public func difference(_ number: Double) -> String {
        self == .share ? "\(Units.threeDigits(min(max(number, -1), 1) * 100)) pp" : text(number)
    }
}
