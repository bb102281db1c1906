public import SquallFormat

/// The digits with which numbers of one unit stand beside their changes, so that both agree.
///
/// With three digits 256.6 and 256.4 would be 257 and 256, beside a change of −0.2. Numbers have
/// the least digits with which the changes between them are within a tenth of the true ones, and a
/// change is the difference of the numbers that are shown. Numbers that differ by less than a
/// ten-thousandth are shown alike, beside their true change.
public struct ShownChanges: Sendable {
    private let unit: NumberUnit
    private let digits: Int

    /// The digits for numbers that follow each other.
    public init(_ unit: NumberUnit, between numbers: [Double]) {
        self.unit = unit
        let steps = zip(numbers, numbers.dropFirst())
        digits =
            (3..<Self.most).first { digits in
                steps.allSatisfy { one, other in
                    let change = (other - one).magnitude
                    let shown = unit.shown(other, digits).value - unit.shown(one, digits).value
                    let isTiny = change < 1e-4 * max(one.magnitude, other.magnitude)
                    return shown == 0 && isTiny
                        || (shown - (other - one)).magnitude <= change / 10
                }
            } ?? Self.most
    }

    private static let most = 6

    /// The number for readers.
    public func text(_ number: Double) -> String { unit.shown(number, digits).text }

    /// The change from one of the numbers to another for readers.
    public func change(from one: Double, to other: Double) -> String {
        let shown = unit.shown(other, digits).value - unit.shown(one, digits).value
        // Below the last digit a change is no other than it is.
        return unit.difference(shown == 0 ? other - one : shown)
    }
}

extension NumberUnit {
    /// A number for readers with a number of digits, from three on, and the number that they read.
    fileprivate func shown(_ number: Double, _ digits: Int) -> (text: String, value: Double) {
        let minute = 60e9
        switch self {
        case .nanoseconds where number.magnitude >= minute && digits == 3:
            let step = number.magnitude < 60 * minute ? 1e9 : minute
            return (text(number), (number / step).rounded(.towardZero) * step)
        case .nanoseconds:
            let units = [("s", 1e9), ("ms", 1e6), ("µs", 1e3)]
            let (name, size) = units.first { number.magnitude >= $0.1 * 0.9995 } ?? ("ns", 1)
            return Self.shown(number, of: size, digits, " \(number == 0 ? "s" : name)")
        case .count where number == number.rounded(): return (text(number), number)
        case .share: return Self.shown(number, of: 0.01, digits, " %")
        case .perSecond: return Self.shown(number, of: 1, digits, "/s")
        case .count, .number: return Self.shown(number, of: 1, digits, "")
        }
    }

    private static func shown(
        _ number: Double, of unit: Double, _ digits: Int, _ suffix: String
    ) -> (text: String, value: Double) {
        let text = Units.readable(number / unit, significant: digits)
        let read = Double(text.filter { $0 != " " }) ?? number / unit
        return (text + suffix, read * unit)
    }
}
