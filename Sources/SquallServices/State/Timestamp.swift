import SquallKernel

/// Spells instants as the contract does: `2024-09-01T00:00:00.000Z`.
enum Timestamp {
    static func text(_ instant: Instant) -> String {
        text(milliseconds: instant.millisecondsSince1970)
    }

    /// The text of a number of milliseconds since 1970.
    static func text(milliseconds: Int64) -> String {
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, day) = civil(daysSince1970: days)
        let time = [
            padded(rest / 3_600_000, 2), padded(rest / 60_000 % 60, 2),
            padded(rest / 1_000 % 60, 2),
        ].joined(separator: ":")
        return "\(year)-\(padded(month, 2))-\(padded(day, 2))T\(time).\(padded(rest % 1_000, 3))Z"
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The calendar day, by counting in eras of 400 years that begin on the first of March.
    private static func civil(daysSince1970 days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Instant {
    /// Whole milliseconds since 1970, the precision of the contract.
    var millisecondsSince1970: Int64 { nanosecondsSince1970 / 1_000_000 }
}
