import SquallFormat

/// Parses times in logs, as nanoseconds since 1970.
enum LogTime {
    /// The time of a text: ISO 8601, `10/Oct/2000:13:55:36 -0700`, or seconds, milliseconds,
    /// microseconds or nanoseconds since 1970, distinguished by their size.
    static func nanoseconds(_ text: Bytes) -> Int64? {
        if text.count > 2, text[0] == 0x5b, text[text.count - 1] == 0x5d {
            return nanoseconds(text[part: 1..<text.count - 1])
        }
        if text.count > 10, text[4] == 0x2d || text[4] == 0x2f { return iso(text) }
        if text.count > 19, text[2] == 0x2f { return common(text) }
        if text.count == 24, text[3] == 0x20, text[13] == 0x3a { return asctime(text) }
        if text.count >= 29, text[3] == 0x2c { return internetDate(text) }
        if text.count > 20, text[3] == 0x20, let at = text.first(0x40) { return kibana(text, at) }
        if text.count > 16, text[1] == 0x20, text[8] == 0x20 { return tornado(text) }
        if text.count > 14, text[3] == 0x20, text[6] == 0x20, text[9] == 0x3a {
            return syslog(text)
        }
        return sinceEpoch(text)
    }

    /// Parses `Aug 24 03:13:29.643195` of syslog and logrus, which have no year: of one with a 29
    /// February, since only what lies between times counts.
    private static func syslog(_ text: Bytes) -> Int64? {
        let (fraction, end) = fraction(text, at: 15)
        let day = text[part: text[4] == 0x20 ? 5..<6 : 4..<6].wholeNumber
        guard end == text.count else { return nil }
        return moment(2024, month(text, at: 0), day, clock(text, at: 7), fraction: fraction)
    }

    /// Parses `I 261128 10:00:02 web:2344`, which Tornado's lines begin with.
    private static func tornado(_ text: Bytes) -> Int64? {
        moment(
            text[part: 2..<4].wholeNumber.map { 2_000 + $0 }, text[part: 4..<6].wholeNumber,
            text[part: 6..<8].wholeNumber, clock(text, at: 9))
    }

    /// True for a text with a time in whole seconds.
    static func isWholeSeconds(_ text: Bytes) -> Bool {
        if text.count > 16, text[1] == 0x20, text[8] == 0x20 { return true }
        guard text.first(0x2e) == nil else { return false }
        return text.first(0x3a) == nil ? text.count < 12 : text.first(0x2c, from: 10) == nil
    }

    /// The years of which every nanosecond fits into 64 bits.
    private static let years: ClosedRange<Int64> = 1970...2261

    private static func sinceEpoch(_ text: Bytes) -> Int64? {
        let point = text.first(0x2e) ?? text.count
        // Nanoseconds have one digit more than the largest number that is read.
        if text.count == 19, point == 19, text[0] == 0x31,
            let start = text[part: 0..<18].wholeNumber, let last = text[part: 18..<19].wholeNumber
        {
            return start * 10 + last
        }
        guard point > 0, let whole = text[part: 0..<point].wholeNumber else { return nil }
        switch whole {
        case ..<100_000_000: return nil
        case ..<100_000_000_000: return text.decimal(timesTenTo: 9)
        case ..<100_000_000_000_000: return text.decimal(timesTenTo: 6)
        case ..<100_000_000_000_000_000: return text.decimal(timesTenTo: 3)
        default: return whole
        }
    }

    /// Parses `2024-09-01T00:00:00.123+02:00`, with T or a space, and nothing or Z for UTC; Go's
    /// `2024/09/01 00:00:00`, too, and Gin's with ` - ` between.
    private static func iso(_ text: Bytes) -> Int64? {
        let hour = text.count > 20 && text[11] == 0x2d ? 13 : 11
        guard text.count >= hour + 8, text[7] == text[4], text[hour + 2] == 0x3a,
            text[hour + 5] == 0x3a
        else { return nil }
        let (fraction, end) = fraction(text, at: hour + 8)
        // Rust's env_logger has level and module behind it, in the same brackets.
        let space = text[10] == 0x54 ? text.first(0x20, from: end) : nil
        return moment(
            text[part: 0..<4].wholeNumber, text[part: 5..<7].wholeNumber,
            text[part: 8..<10].wholeNumber, clock(text, at: hour),
            zone: zone(text[part: 0..<(space ?? text.count)], at: end), fraction: fraction)
    }

    /// The nanoseconds after a point or comma, and where their digits end.
    private static func fraction(_ text: Bytes, at place: Int) -> (Int64, end: Int) {
        var (index, sum, unit) = (place, Int64(0), Int64(100_000_000))
        guard index < text.count, text[index] == 0x2e || text[index] == 0x2c else {
            return (0, place)
        }
        index += 1
        while index < text.count, text[index] >= 0x30, text[index] <= 0x39 {
            sum += Int64(text[index] &- 0x30) * unit
            unit /= 10
            index += 1
        }
        return (sum, index)
    }

    private static func common(_ text: Bytes) -> Int64? {
        // Werkzeug and Django have a space before the hour.
        guard text.count >= 20, text[6] == 0x2f, text[11] == 0x3a || text[11] == 0x20 else {
            return nil
        }
        let (fraction, end) = fraction(text, at: 20)
        return moment(
            text[part: 7..<11].wholeNumber, month(text, at: 3), text[part: 0..<2].wholeNumber,
            clock(text, at: 12), zone: zone(text, at: end), fraction: fraction)
    }

    /// Parses `Sun Mar  3 22:49:12 2016`.
    private static func asctime(_ text: Bytes) -> Int64? {
        moment(
            text[part: 20..<24].wholeNumber, month(text, at: 4),
            text[part: text[8] == 0x20 ? 9..<10 : 8..<10].wholeNumber, clock(text, at: 11))
    }

    /// Parses `Sun, 29 Nov 2026 11:48:48 GMT`, of RFC 1123.
    private static func internetDate(_ text: Bytes) -> Int64? {
        moment(
            text[part: 12..<16].wholeNumber, month(text, at: 8), text[part: 5..<7].wholeNumber,
            clock(text, at: 17), zone: zone(text, at: 25))
    }

    /// Parses `Nov 29, 2026 @ 11:48:48.123`, as Kibana exports it.
    private static func kibana(_ text: Bytes, _ at: Int) -> Int64? {
        guard let comma = text.first(0x2c), comma > 4, at == comma + 7, at + 10 <= text.count else {
            return nil
        }
        return moment(
            text[part: comma + 2..<comma + 6].wholeNumber, month(text, at: 0),
            text[part: 4..<comma].wholeNumber, clock(text, at: at + 2),
            fraction: fraction(text, at: at + 10).0)
    }

    /// The nanoseconds since 1970 of a date, the seconds of its day, and a zone.
    private static func moment(
        _ year: Int64?, _ month: Int64?, _ day: Int64?, _ clock: Int64?, zone: Int64? = 0,
        fraction: Int64 = 0
    ) -> Int64? {
        guard let year, let month, let day, let clock, let zone, years.contains(year),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        return (days * 86_400 + clock - zone) * 1_000_000_000 + fraction
    }

    private static func clock(_ text: Bytes, at place: Int) -> Int64? {
        guard let hour = text[part: place..<place + 2].wholeNumber,
            let minute = text[part: place + 3..<place + 5].wholeNumber,
            let second = text[part: place + 6..<place + 8].wholeNumber, hour < 24, minute < 60,
            second < 61
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// The offset from UTC, in seconds.
    private static func zone(_ text: Bytes, at place: Int) -> Int64? {
        var index = place
        while index < text.count, text[index] == 0x20 { index += 1 }
        guard index < text.count else { return 0 }
        let name = text[part: index..<text.count]
        if name.equals("Z") || name.equals("UTC") || name.equals("GMT") { return 0 }
        guard text[index] == 0x2b || text[index] == 0x2d, index + 4 < text.count,
            let hours = text[part: index + 1..<index + 3].wholeNumber
        else { return nil }
        let minutes = text[index + 3] == 0x3a ? index + 4 : index + 3
        guard minutes + 2 == text.count, let rest = text[part: minutes..<minutes + 2].wholeNumber
        else { return nil }
        return (hours * 3_600 + rest * 60) * (text[index] == 0x2d ? -1 : 1)
    }

    private static func month(_ text: Bytes, at place: Int) -> Int64? {
        let word =
            UInt32(text[place]) << 16 | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2])
        return months[word | 0x202020]
    }

    private static let months: [UInt32: Int64] = {
        let names = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        return Dictionary(
            uniqueKeysWithValues: names.enumerated().map { index, name in
                (name.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }, Int64(index + 1))
            })
    }()
}
