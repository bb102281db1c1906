/// Quantities with units, as people write them: `1m30s`, `10k`, `0x2a`.
///
/// What is read is exact: integers throughout, and a text that says more than they hold is refused.
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
    /// Several parts must go from the largest unit to the smallest.
    /// - Throws: what is wrong with the text.
    public static func nanoseconds(_ text: some StringProtocol) throws(UnitError) -> Int64 {
        var rest = Substring(text)
        var total: Int64 = 0
        var previousUnit = Int64.max
        repeat {
            let number = rest.prefix { $0.isWholeNumber || $0 == "." }
            let name = rest.dropFirst(number.count).prefix { !$0.isWholeNumber && $0 != "." }
            guard !number.isEmpty else { throw .notADuration(String(text)) }
            guard !name.isEmpty else { throw .missingUnit(String(text)) }
            guard let unit = time.first(where: { $0.name == name })?.nanoseconds,
                unit < previousUnit
            else { throw .notADuration(String(text)) }
            let part = try product(of: number, and: unit, in: String(text))
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
    /// - Throws: what is wrong with the text.
    public static func count(_ text: some StringProtocol) throws(UnitError) -> Int64 {
        let plain = String(text.filter { $0 != "_" })
        for (name, factor) in multiples where plain.hasSuffix(name) {
            return try product(of: plain.dropLast(name.count), and: factor, in: String(text))
        }
        throw .notACount(String(text))
    }

    /// The 64-bit number of a text such as `42` or `0x2a`; nil when it is none.
    public static func seed(_ text: some StringProtocol) -> UInt64? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return UInt64(text) }
        return UInt64(text.dropFirst(2), radix: 16)
    }

    /// `number` × `unit`, where the number may have decimals as long as the product has none.
    private static func product(
        of number: some StringProtocol, and unit: Int64, in text: String
    ) throws(UnitError) -> Int64 {
        let halves = number.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count <= 2, number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            halves.allSatisfy({ !$0.isEmpty })
        else { throw .notACount(text) }
        guard let whole = Int64(halves[0]) else { throw .tooLarge(text) }
        var (total, overflow) = whole.multipliedReportingOverflow(by: unit)
        var place = unit
        for digit in halves.dropFirst().joined() {
            guard place % 10 == 0 || digit == "0" else { throw .tooFine(text) }
            place /= 10
            total &+= place * Int64(digit.wholeNumberValue ?? 0)
            overflow = overflow || total < 0
        }
        guard !overflow else { throw .tooLarge(text) }
        return total
    }
}

/// Why a text is not the quantity it should be.
public enum UnitError: Error, Hashable, Sendable, CustomStringConvertible {
    case notADuration(String)
    case missingUnit(String)
    case notACount(String)
    case tooLarge(String)
    case tooFine(String)

    /// What is wrong and what would be right.
    public var description: String {
        switch self {
        case .notADuration(let text):
            "'\(text.excerpt())' is not a duration; write for example 300ms, 1.5s or 1h30m"
        case .missingUnit(let text):
            "'\(text.excerpt())' needs a unit: ns, us, ms, s, m, h or d, as in \(text.excerpt())s"
        case .notACount(let text):
            "'\(text.excerpt())' is not a number; write for example 250, 10k or 1.5M"
        case .tooLarge(let text):
            "'\(text.excerpt())' is too large"
        case .tooFine(let text):
            "'\(text.excerpt())' is finer than the smallest unit"
        }
    }
}
