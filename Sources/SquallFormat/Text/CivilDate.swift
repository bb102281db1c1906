/// A day of the Gregorian calendar.
public struct CivilDate: Hashable, Sendable {
    /// The year.
    public let year: Int64
    /// The month, from 1.
    public let month: Int64
    /// The day of the month, from 1.
    public let day: Int64

    /// A day by its parts, which are not checked.
    public init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day a number of days after 1970-01-01, in eras of 400 years that begin on the first of
    /// March (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"); no earlier days.
    public init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `Sun, 01 Sep 2024`, as mail and HTTP spell a day (RFC 5322); of days from 1970 on.
    public var spelled: String {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        return "\(weekdays[Int(daysSince1970 % 7)]), \(day.padded(2))"
            + " \(monthName) \(year)"
    }

    /// `Sep`, as mail, HTTP and access logs spell a month.
    public var monthName: String {
        [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][Int(month) - 1]
    }

    /// The number of days since 1970-01-01, by the same author; of years after 0.
    public var daysSince1970: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}
