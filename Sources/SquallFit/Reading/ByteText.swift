import SquallFormat

/// A line of a log, or a part of one: bytes in memory owned by the caller.
typealias Bytes = UnsafeBufferPointer<UInt8>

/// Searches bytes without making strings of them, which would cost more than all the rest.
extension UnsafeBufferPointer<UInt8> {
    subscript(part range: Range<Int>) -> Bytes {
        Bytes(rebasing: self[range])
    }

    /// The text up to a position, without spaces at its ends.
    func trimmed(to end: Int) -> Bytes {
        var (start, end) = (0, end)
        while start < end, self[start] == 0x20 { start += 1 }
        while end > start, self[end - 1] == 0x20 { end -= 1 }
        return self[part: start..<end]
    }

    /// The first position of a byte from a position on.
    func first(_ byte: UInt8, from start: Int = 0) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// The first position of some bytes from a position on.
    func first(of text: [UInt8], from start: Int) -> Int? {
        guard let head = text.first else { return start }
        var from = start
        while let place = first(head, from: from) {
            if matches(text, at: place) { return place }
            from = place + 1
        }
        return nil
    }

    /// The position of the quote that ends a text; one behind a backslash is part of it.
    func closingQuote(from start: Int) -> Int? {
        var index = start
        while index < count {
            if self[index] == 0x22 { return index }
            index += self[index] == 0x5c ? 2 : 1
        }
        return nil
    }

    /// The cell of a table that begins at a place, without spaces or quotes around it, and where
    /// the next one begins; a quote within is doubled, or has a backslash before it.
    func cell(from start: Int, to separator: UInt8) -> (range: Range<Int>, next: Int) {
        var from = start
        while from < count, self[from] == 0x20 { from += 1 }
        guard from < count, self[from] == 0x22 else {
            let next = first(separator, from: from) ?? count
            var end = next
            while end > from, self[end - 1] == 0x20 { end -= 1 }
            return (from..<end, next + 1)
        }
        var end = from + 1
        while end < count {
            let isEscape = self[end] == 0x5c && end + 2 < count && self[end + 2] != separator
            let isDoubled = self[end] == 0x22 && end + 1 < count && self[end + 1] == 0x22
            if self[end] == 0x22, !isDoubled { break }
            end += isEscape || isDoubled ? 2 : 1
        }
        end = Swift.min(end, count)
        return (from + 1..<end, (first(separator, from: end) ?? count) + 1)
    }

    func matches(_ text: [UInt8], at place: Int) -> Bool {
        guard place + text.count <= count else { return false }
        for index in 0..<text.count where self[place + index] != text[index] { return false }
        return true
    }

    /// Where a text ends that begins at a place; a space in it stands for any number of them, as
    /// where columns are padded.
    func end(of text: [UInt8], at place: Int) -> Int? {
        var place = place
        for byte in text {
            guard place < count, self[place] == byte else {
                // Of two spaces in it the first one may have taken all.
                guard byte == 0x20, place > 0, self[place - 1] == 0x20 else { return nil }
                continue
            }
            place += 1
            if byte == 0x20 { while place < count, self[place] == 0x20 { place += 1 } }
        }
        return place
    }

    func hasPrefix(_ text: StaticString) -> Bool {
        guard text.utf8CodeUnitCount <= count else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    func equals(_ text: StaticString) -> Bool {
        text.utf8CodeUnitCount == count && hasPrefix(text)
    }

    /// An address within brackets or parentheses, or behind a logger's names, as frameworks print
    /// it: `(10.0.0.1)`, `(access)[INFO][10.0.0.1:80]:`, `INFO:access:10.0.0.1`.
    var bareAddress: Bytes {
        if count > 2, self[0] == 0x28, self[count - 1] == 0x29 { return self[part: 1..<count - 1] }
        if count > 3, self[0] != 0x5b, self[count - 1] == 0x3a, self[count - 2] == 0x5d {
            var start = count - 2
            while start > 0, self[start - 1] != 0x5b { start -= 1 }
            return self[part: start..<count - 2]
        }
        return self[part: afterNames..<count]
    }

    /// The beginning of a text behind names with colons, as `INFO:server:` before an address; 0
    /// where none is before it.
    var afterNames: Int {
        guard let colon = first(0x3a), colon > 0,
            self[part: 0..<colon].contains(where: { (0x67...0x7a).contains($0 | 0x20) })
        else { return 0 }
        var (start, place) = (colon + 1, colon + 1)
        while let next = first(0x3a, from: place) {
            let word = self[part: place..<next]
            guard word.contains(where: { (0x67...0x7a).contains($0 | 0x20) }) else { break }
            (start, place) = (next + 1, next + 1)
        }
        return start < count ? start : 0
    }

    /// The text without the colours of a terminal: `ESC [ 31 m`.
    var withoutColours: [UInt8] {
        guard first(0x1b) != nil else { return Array(self) }
        var (bytes, place) = ([UInt8](), 0)
        while place < count {
            guard self[place] == 0x1b, place + 1 < count, self[place + 1] == 0x5b else {
                bytes.append(self[place])
                place += 1
                continue
            }
            place += 2
            while place < count, self[place] < 0x40 { place += 1 }
            place += 1
        }
        return bytes
    }

    /// The text in lower case.
    var small: [UInt8] { map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 } }

    /// A whole number without a sign; nil for anything else.
    var wholeNumber: Int64? {
        guard count > 0, count < 19 else { return nil }
        var value: Int64 = 0
        for byte in self {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int64(byte &- 0x30)
        }
        return value
    }

    /// A decimal number times a power of ten, rounded down; nil for anything else.
    func decimal(timesTenTo power: Int) -> Int64? {
        var value: Int64 = 0
        var (decimals, digits, isFraction) = (0, 0, false)
        for byte in self {
            if byte == 0x2e {
                guard !isFraction else { return nil }
                isFraction = true
            } else {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                if isFraction, decimals == power { continue }
                guard value < 900_000_000_000_000_000 / 10 else { return nil }
                value = value * 10 + Int64(byte &- 0x30)
                digits += 1
                if isFraction { decimals += 1 }
            }
        }
        guard digits > 0 else { return nil }
        for _ in decimals..<Swift.max(decimals, power) {
            guard value < 900_000_000_000_000_000 else { return nil }
            value *= 10
        }
        return value
    }

    /// A hash to compare texts while a log is read; it is written nowhere.
    var hash: UInt64 {
        let hash = StableHash(of: self).value
        return hash ^ hash >> 29
    }
}
