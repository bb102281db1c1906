/// A word of a line of text, or the text in quotes or brackets.
struct LineToken {
    /// The content, without quotes or brackets.
    let range: Range<Int>
    let kind: Kind

    enum Kind: Hashable {
        case plain, quoted, bracketed
        /// The value of `key=value`, or of `[Key value]`.
        case keyed(String)
    }

    private static let tokensMax = 60

    /// The tokens of a line.
    static func all(in line: [UInt8]) -> [LineToken] {
        line.withUnsafeBufferPointer { line in
            var (tokens, place) = ([LineToken](), 0)
            while place < line.count, tokens.count < tokensMax {
                guard line[place] != 0x20, line[place] != 0x09 else {
                    place += 1
                    continue
                }
                let (token, next) = next(in: line, from: place)
                tokens.append(token)
                place = next
            }
            return tokens
        }
    }

    /// The bytes that separate columns besides spaces.
    static let separators: [UInt8] = [0x7c, 0x09, 0x3b, 0x2c]

    /// The columns of lines with one separator, of most of which the number is the same; `nil` for
    /// lines of another form.
    static func columns(of lines: [[UInt8]], at separator: UInt8) -> [[LineToken]]? {
        var rows = lines.map { $0.withUnsafeBufferPointer { columns(of: $0, at: separator) } }
        let counts = Dictionary(grouping: rows, by: \.count).mapValues(\.count)
        let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
        guard let (count, share) = most, count >= 4, share * 10 >= lines.count * 9 else {
            return nil
        }
        for place in 0..<count {
            // A text with spaces is one, whether it is quoted or not, and others are none.
            let own = zip(lines, rows).filter { $1.count == count }
            let isText = own.count { line, row in line[row[place].range].contains(0x20) }
            let kind = isText * 2 > own.count ? Kind.quoted : .plain
            for index in rows.indices where rows[index].count == count {
                rows[index][place] = LineToken(range: rows[index][place].range, kind: kind)
            }
        }
        return rows
    }

    private static func columns(of line: Bytes, at separator: UInt8) -> [LineToken] {
        var (tokens, start) = ([LineToken](), 0)
        while start <= line.count, tokens.count < tokensMax {
            let cell = line.cell(from: start, to: separator)
            tokens.append(LineToken(range: cell.range, kind: .plain))
            start = cell.next
        }
        return tokens
    }

    private static func next(in line: Bytes, from place: Int) -> (LineToken, next: Int) {
        if line[place] == 0x22, let end = quoteEnd(line, from: place + 1) {
            return (LineToken(range: place + 1..<end, kind: .quoted), end + 1)
        }
        // Jetty writes brackets around those of the configured text.
        if line[part: place..<line.count].hasPrefix("[["),
            let end = line.first(of: [0x5d, 0x5d], from: place)
        {
            return (LineToken(range: place + 2..<end, kind: .bracketed), end + 2)
        }
        if line[place] == 0x5b, let end = line.first(0x5d, from: place) {
            let content = line[part: place + 1..<end]
            // `[Client 192.0.2.1]` has a word and a value.
            if let space = content.first(0x20), isKey(content[part: 0..<space]),
                content.first(0x20, from: space + 1) == nil
            {
                let key = String(decoding: content[part: 0..<space], as: UTF8.self)
                return (LineToken(range: place + space + 2..<end, kind: .keyed(key)), end + 1)
            }
            return (LineToken(range: place + 1..<end, kind: .bracketed), end + 1)
        }
        // Loggers of apps put it in parentheses: `(31.3 ms)`, `(+17ms)`.
        if line[place] == 0x28, let end = line.first(0x29, from: place) {
            let start = line[place + 1] == 0x2b ? place + 2 : place + 1
            if start < end, DurationText.hasUnit(line[part: start..<end]) {
                return (LineToken(range: start..<end, kind: .plain), end + 1)
            }
        }
        let space = line.first(0x20, from: place) ?? line.count
        let last = line[space - 1]
        // A bar behind a word separates columns, as does pm2's colon behind a time.
        let isSeparated =
            space - 1 > place && last == 0x7c
            || space - place == 20 && last == 0x3a && line[place + 4] == 0x2d
        let end = isSeparated ? space - 1 : space
        // Apache's `%T/%D` are two numbers.
        if let slash = line[part: place..<end].first(0x2f),
            line[part: place..<place + slash].wholeNumber != nil,
            line[part: place + slash + 1..<end].wholeNumber != nil
        {
            return (LineToken(range: place..<place + slash, kind: .plain), place + slash + 1)
        }
        guard let equals = line[part: place..<end].first(0x3d),
            isKey(line[part: place..<place + equals])
        else { return (LineToken(range: place..<end, kind: .plain), space) }
        let key = String(decoding: line[part: place..<place + equals], as: UTF8.self)
        let start = place + equals + 1
        if start < line.count, line[start] == 0x22, let close = quoteEnd(line, from: start + 1) {
            return (LineToken(range: start + 1..<close, kind: .keyed(key)), close + 1)
        }
        return (LineToken(range: start..<end, kind: .keyed(key)), space)
    }

    /// The quote that ends a text: the first one with a space or the line's end behind it.
    private static func quoteEnd(_ line: Bytes, from start: Int) -> Int? {
        var from = start
        while let quote = line.closingQuote(from: from) {
            if quote + 1 >= line.count || line[quote + 1] == 0x20 { return quote }
            from = quote + 1
        }
        return nil
    }

    private static func isKey(_ text: Bytes) -> Bool {
        (1...20).contains(text.count)
            && text.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == 0x5f || $0 == 0x2d }
    }

    /// The shape that most lines have, or with which most begin.
    static func commonShape(of lines: [[LineToken]]) -> (kinds: [Kind], isPrefix: Bool)? {
        func most(_ length: Int?) -> (kinds: [Kind], share: Double) {
            var counts: [[Kind]: Int] = [:]
            for line in lines where line.count >= length ?? 1 {
                counts[(length.map { line.prefix($0) } ?? line[...]).map(\.kind), default: 0] += 1
            }
            let best = counts.max {
                ($0.value, $0.key.count, "\($0.key)") < ($1.value, $1.key.count, "\($1.key)")
            }
            return (best?.key ?? [], Double(best?.value ?? 0) / Double(max(1, lines.count)))
        }
        let whole = most(nil)
        guard whole.share < 0.99 else { return (whole.kinds, false) }
        // Words behind the columns, such as a status' meaning, differ in number.
        let least = whole.kinds.lastIndex(of: .quoted).map { $0 + 2 } ?? 4
        guard least <= whole.kinds.count else {
            return whole.share >= 0.5 ? (whole.kinds, false) : nil
        }
        let core = most(least)
        guard core.share > whole.share + 0.03 else {
            return whole.share >= 0.5 ? (whole.kinds, false) : nil
        }
        let length = (least...whole.kinds.count).last { most($0).share > core.share - 0.005 }
        let longest = most(length ?? least)
        return longest.share >= 0.5 ? (longest.kinds, true) : nil
    }
}
