/// The date format of HTTP header fields: `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads a date; `nil` when it is none.
    public static func secondsSince1970(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int64(words[3]),
            (1...31).contains(day), (1970...9999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, clock[0] < 24, clock.allSatisfy({ (0...60).contains($0) }) else {
            return nil
        }
        let days = daysSince1970(year: year, month: Int64(month) + 1, day: day)
        return ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
    }

    /// Reads a date as RFC 3339 writes it, `1994-11-06T08:49:37Z`, without fractions of a second;
    /// `nil` when it is none.
    public static func secondsSince1970(rfc3339 text: String) -> Int64? {
        let halves = text.uppercased().split { $0 == "T" || $0 == " " }
        guard halves.count == 2 else { return nil }
        let day = halves[0].split(separator: "-").compactMap { Int64($0) }
        let clock = halves[1].prefix(8).split(separator: ":").compactMap { Int64($0) }
        var zone = halves[1].dropFirst(8)
        if zone.first == "." { zone = zone.dropFirst().drop { $0.isNumber } }
        guard day.count == 3, (1970...9999).contains(day[0]), (1...12).contains(day[1]),
            (1...31).contains(day[2]), clock.count == 3, (0...23).contains(clock[0]),
            (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        var seconds =
            (daysSince1970(year: day[0], month: day[1], day: day[2]) * 24 + clock[0]) * 3_600
            + clock[1] * 60 + clock[2]
        if zone != "Z", !zone.isEmpty {
            // Some programs leave the colon out, as ISO 8601 may.
            let digits = zone.dropFirst().filter { $0 != ":" }
            guard zone.first == "+" || zone.first == "-", digits.count == 4,
                let number = UInt16(digits), number < 2_400, number % 100 < 60
            else { return nil }
            let offset = Int64(number / 100) * 3_600 + Int64(number % 100) * 60
            seconds -= zone.first == "+" ? offset : -offset
        }
        return seconds
    }

    /// Howard Hinnant's days from civil, for years from 1970 on.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}
