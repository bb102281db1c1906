/// Durations as logs write them: a number, alone or with a unit, as `5.012 ms`, `1m2.5s`, `5e-05`.
enum DurationText {
    /// Parses a duration; without a unit the number times the power of ten is nanoseconds.
    static func nanoseconds(_ text: Bytes, power: Int) -> Int64? {
        text.decimal(timesTenTo: power) ?? sum(text, power)
    }

    /// True for a duration that ends with its unit.
    static func hasUnit(_ text: Bytes) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        return isNumeric(first) && !isNumeric(last) && nanoseconds(text, power: 0) != nil
    }

    /// The sum of numbers with units.
    private static func sum(_ text: Bytes, _ power: Int) -> Int64? {
        var (place, sum) = (0, Int64(0))
        while place < text.count {
            var end = place
            while end < text.count, isNumeric(text[end]) { end += 1 }
            guard end > place else { return nil }
            if end + 1 < text.count, text[end] | 0x20 == 0x65, !isLetter(text[end + 1]) {
                return scientific(text, power)
            }
            var start = end
            while start < text.count, text[start] == 0x20 { start += 1 }
            var next = start
            while next < text.count, !isNumeric(text[next]), text[next] != 0x20 { next += 1 }
            guard let unit = unit(text[part: start..<next]),
                let part = text[part: place..<end].decimal(timesTenTo: unit.power)
            else { return nil }
            let (product, isTooLong) = part.multipliedReportingOverflow(by: unit.factor)
            guard !isTooLong, product < Int64.max / 4, sum < Int64.max / 4 else { return nil }
            sum += product
            place = next
            while place < text.count, text[place] == 0x20 { place += 1 }
        }
        return place > 0 ? sum : nil
    }

    private static func scientific(_ text: Bytes, _ power: Int) -> Int64? {
        guard let value = Double(String(decoding: text, as: UTF8.self)), value >= 0 else {
            return nil
        }
        let whole = value * Self.power(ofTen: power)
        return whole < 9e17 ? Int64(whole) : nil
    }

    static func power(ofTen exponent: Int) -> Double {
        (0..<exponent).reduce(1.0) { product, _ in product * 10 }
    }

    private static func unit(_ word: Bytes) -> (power: Int, factor: Int64)? {
        switch word.count {
        case 1 where word.equals("s"): (9, 1)
        case 1 where word.equals("m"): (9, 60)
        case 1 where word.equals("h"): (9, 3_600)
        case 2 where word.equals("ms"): (6, 1)
        case 2 where word.equals("us"): (3, 1)
        case 2 where word.equals("ns"): (0, 1)
        // Two letters look like this one.
        case 3 where word.equals("\u{b5}s") || word.equals("\u{3bc}s"): (3, 1)
        case 3 where word.equals("sec"): (9, 1)
        case 4 where word.equals("msec"), 5 where word.equals("msecs"): (6, 1)
        case 6 where word.equals("micros"): (3, 1)
        case 7 where word.equals("seconds"): (9, 1)
        default: nil
        }
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == 0x2e
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
