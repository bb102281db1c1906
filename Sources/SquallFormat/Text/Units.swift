/// Quantities with units, as people write them: `1m30s`, `10k`, `0x2a`.
///
/// Parsing is exact: it uses integers only and refuses a text with more digits than they hold.
public enum Units {
    /// The units of time, largest first, with their nanoseconds.
    static let time: [(name: String, nanoseconds: Int64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000),
        ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("µs", 1_000), ("ns", 1),
    ]

    private static let multiples: [(name: String, factor: Int64)] = [
        ("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000), ("", 1),
    ]

    /// The nanoseconds of a duration such as `300ms`, `1.5s` or `1h30m`.
    ///
    /// Several parts must be in order from the largest unit to the smallest.
    /// - Throws: the fault of the text.
    public static func nanoseconds(_ text: some StringProtocol) throws(UnitError) -> Int64 {
        // By bytes, for speed with long lists; units and digits are ASCII except µs.
        var rest = Substring(text).utf8
        var total: Int64 = 0
        var previousUnit = Int64.max
        repeat {
            let number = rest.prefix(while: isOfNumber)
            let name = rest.dropFirst(number.count).prefix { !isOfNumber($0) }
            guard !number.isEmpty else { throw .notADuration(String(text)) }
            guard !name.isEmpty else { throw .missingUnit(String(text)) }
            guard let unit = time.first(where: { name.elementsEqual($0.name.utf8) })?.nanoseconds,
                unit < previousUnit
            else { throw .notADuration(String(text)) }
            let part = try product(of: number, and: unit, in: text)
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !overflow else { throw .tooLarge(String(text)) }
            total = sum
            previousUnit = unit
            rest = rest.dropFirst(number.count + name.count)
        } while !rest.isEmpty
        return total
    }

    /// The whole number of a text such as `250`, `10k`, `1.5M` or `10_000`.
    ///
    /// - Throws: the fault of the text.
    public static func count(_ text: some StringProtocol) throws(UnitError) -> Int64 {
        let plain = String(text.filter { $0 != "_" })
        for (name, factor) in multiples where plain.hasSuffix(name) {
            do throws(UnitError) {
                return try product(of: plain.dropLast(name.count).utf8, and: factor, in: text)
            } catch {
                if case .tooFine(let text) = error { throw .notWhole(text) }
                throw error
            }
        }
        throw .notACount(String(text))
    }

    /// The 64-bit number of a text such as `42` or `0x2a`; nil if it is none.
    public static func seed(_ text: some StringProtocol) -> UInt64? {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let digits = isHexadecimal ? String(text.dropFirst(2)) : String(text)
        // A sign, too, is read as part of a number.
        guard digits.first?.isHexDigit ?? false else { return nil }
        return UInt64(digits, radix: isHexadecimal ? 16 : 10)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// `number` × `unit`; the number may have decimals if the product has none.
    private static func product(
        of number: Substring.UTF8View, and unit: Int64, in text: some StringProtocol
    ) throws(UnitError) -> Int64 {
        let whole = number.prefix { $0 != UInt8(ascii: ".") }
        let decimals = number.dropFirst(whole.count).dropFirst()
        guard number.allSatisfy(isOfNumber), !decimals.contains(UInt8(ascii: ".")), !whole.isEmpty,
            whole.count == number.count || !decimals.isEmpty
        else { throw .notACount(String(text)) }
        guard let wholeNumber = Int64(Substring(whole)) else { throw .tooLarge(String(text)) }
        var (total, overflow) = wholeNumber.multipliedReportingOverflow(by: unit)
        var place = unit
        for digit in decimals.lazy.map({ Int64($0 - UInt8(ascii: "0")) }) {
            guard digit == 0 || place > 0 && place % 10 == 0 else { throw .tooFine(String(text)) }
            place /= 10
            total &+= place * digit
            overflow = overflow || total < 0
        }
        guard !overflow else { throw .tooLarge(String(text)) }
        return total
    }
}

/// The reason for which a text is not the quantity that it should be.
public enum UnitError: Error, Hashable, Sendable, CustomStringConvertible {
    case notADuration(String)
    case missingUnit(String)
    case notACount(String)
    case tooLarge(String)
    case tooFine(String)
    case notWhole(String)

    /// The fault, and a text that would be right.
    public var description: String {
        switch self {
        case .notADuration(let text):
            "'\(text.excerpt())' is not a duration; write for example 300ms, 1.5s or 1h30m"
        case .missingUnit(let text):
            "'\(text.excerpt())' needs a unit: ns, us, ms, s, m, h or d, as in \(text.excerpt())"
                + Self.unit(after: text)
        case .notACount(let text) where text.hasPrefix("-"):
            "'\(text.excerpt())' must be 0 or more"
        case .notACount(let text):
            "'\(text.excerpt())' is not a number; write for example 250, 10k or 1.5M"
        case .tooLarge(let text):
            "'\(text.excerpt())' is too large"
        case .tooFine(let text):
            "'\(text.excerpt())' is finer than the smallest unit"
        case .notWhole(let text):
            "'\(text.excerpt())' is not a whole number"
        }
    }

    /// The unit that can follow the last one of a text: `m` behind `1h30`, `s` where there is none.
    private static func unit(after text: String) -> String {
        let last = text.reversed().drop { $0.isNumber }.prefix { $0.isLetter }.reversed()
        let place = Units.time.firstIndex { $0.name == String(last) } ?? 2
        return Units.time[min(place + 1, Units.time.count - 1)].name
    }
}

extension BinaryInteger {
    /// The number with leading zeros up to a number of digits; it must not be negative.
    public func padded(_ digits: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension Int64 {
    /// A thousandth of the number with exactly three decimals; it must not be negative.
    public var thousandths: String { "\(self / 1_000).\((self % 1_000).padded(3))" }
}
