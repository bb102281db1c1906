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
    enum Unit: String, CaseIterable, Codable, Sendable {
        case nanoseconds = "ns"
        case count, share, number
        case perSecond = "1/s"
    }

    var unit: Unit {
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
    /// The quantity for people: `271ms`, `3.21 %`.
    public var description: String {
        switch self {
        case .nanoseconds(let value): Units.approximate(nanoseconds: value)
        case .count(let value): Units.grouped(value)
        case .share(let value): Units.percent(value)
        case .perSecond(let value): "\(Units.threeDigits(value))/s"
        case .number(let value): Units.threeDigits(value)
        }
    }
}
