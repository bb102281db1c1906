/// Scans an object without making values.
struct JSONScanner {
    let line: Bytes
    private static let depthMax = 64
    private var place = 0
    private var depth = 0

    init(line: Bytes) { self.line = line }

    /// Reports each member that is a text or a number, also in nested objects.
    ///
    /// - Returns: true if the line is one complete object.
    mutating func members(_ tell: (_ name: Bytes, _ value: Bytes, _ isText: Bool) -> Void) -> Bool {
        skipSpace()
        guard object(tell) else { return false }
        skipSpace()
        return place == line.count
    }

    private mutating func object(_ tell: (Bytes, Bytes, Bool) -> Void) -> Bool {
        elements(from: 0x7b, to: 0x7d) { scanner in
            guard let name = scanner.string() else { return false }
            scanner.skipSpace()
            return scanner.take(0x3a) && scanner.value(name, tell)
        }
    }

    /// Reads the elements between two brackets, with commas between.
    private mutating func elements(
        from start: UInt8, to end: UInt8, _ element: (inout JSONScanner) -> Bool
    ) -> Bool {
        guard take(start), depth < Self.depthMax else { return false }
        depth += 1
        defer { depth -= 1 }
        skipSpace()
        if take(end) { return true }
        while true {
            skipSpace()
            guard element(&self) else { return false }
            skipSpace()
            if take(end) { return true }
            guard take(0x2c) else { return false }
        }
    }

    private mutating func value(_ name: Bytes?, _ tell: (Bytes, Bytes, Bool) -> Void) -> Bool {
        skipSpace()
        guard place < line.count else { return false }
        switch line[place] {
        case 0x7b: return object(tell)
        case 0x5b:
            // A list of one element, such as a header's values, counts as that element.
            return elements(from: 0x5b, to: 0x5d) { $0.value(name, tell) }
        case 0x22:
            guard let text = string() else { return false }
            if let name { tell(name, text, true) }
        default:
            let start = place
            while place < line.count, !Self.endsWord(line[place]) { place += 1 }
            guard place > start else { return false }
            if let name { tell(name, line[part: start..<place], false) }
        }
        return true
    }

    /// The text between quotes, with its escapes.
    private mutating func string() -> Bytes? {
        guard take(0x22) else { return nil }
        let start = place
        while place < line.count {
            switch line[place] {
            case 0x22:
                place += 1
                return line[part: start..<place - 1]
            case 0x5c: place += 2
            default: place += 1
            }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard place < line.count, line[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while place < line.count, line[place] == 0x20 || line[place] == 0x09 || line[place] == 0x0d
        {
            place += 1
        }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2c, 0x7d, 0x5d, 0x20, 0x09: true
        default: false
        }
    }
}
