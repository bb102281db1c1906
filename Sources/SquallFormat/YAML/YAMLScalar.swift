/// The meaning of a text of YAML by the core schema.
enum YAMLScalar {
    /// The value of a text without quotes.
    static func value(_ text: String, tag: String?) -> JSONNode.Value {
        guard tag != "str" else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: return number(text).map { .number($0) } ?? .string(text)
        }
    }

    /// A number as JSON writes it; `nil` for any other text, and for `.inf` and `.nan`.
    private static func number(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, "+-.0123456789".utf8.contains(first) else { return nil }
        if JSONNumber.isOne(bytes[...]) { return text }
        for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
            let digits = text.dropFirst(2)
            guard let first = digits.first, !"+-".contains(first) else { return nil }
            return UInt64(digits, radix: radix).map { "\($0)" }
        }
        // JSON has no plus, no zeros in front and digits on both sides of a point.
        let rest = text.drop { "+-".contains($0) }
        let mantissa = rest.prefix { $0 != "e" && $0 != "E" }
        guard text.count - rest.count < 2, mantissa.contains(where: \.isNumber) else { return nil }
        var plain = String(mantissa.drop { $0 == "0" })
        if plain.isEmpty || plain.first == "." { plain = "0" + plain }
        if plain.last == "." { plain += "0" }
        plain = (first == UInt8(ascii: "-") ? "-" : "") + plain + rest[mantissa.endIndex...]
        return JSONNumber.isOne(Array(plain.utf8)[...]) ? plain : nil
    }

    /// The text of lines behind `|` or `>`; `chomping` decides about the last line feeds.
    static func text(of lines: [ArraySlice<UInt8>], isFolded: Bool, _ chomping: UInt8?) -> String {
        let last = lines.lastIndex { !$0.isEmpty } ?? -1
        var text: [UInt8] = []
        var feeds = 0
        var before: ArraySlice<UInt8>?
        for line in lines.prefix(last + 1) {
            guard !line.isEmpty else {
                feeds += 1
                continue
            }
            if let before {
                let isJoined =
                    isFolded && before.first?.isSpace == false && line.first?.isSpace == false
                if !isJoined { text.append(.lineFeed) } else if feeds == 0 { text.append(0x20) }
            }
            text += Array(repeating: .lineFeed, count: feeds) + line
            (before, feeds) = (line, 0)
        }
        if last >= 0, chomping != UInt8(ascii: "-") { text.append(.lineFeed) }
        let more = chomping == UInt8(ascii: "+") ? lines.count - 1 - last : 0
        text += Array(repeating: .lineFeed, count: more)
        return String(decoding: text, as: UTF8.self)
    }
}

/// Texts on one or several lines.
extension YAMLParser {
    /// The part of a text without quotes that stands on this line.
    mutating func plainLine(inFlow: Bool, isFirst: Bool = true) throws(Fault) -> String {
        let start = position
        func isEnd(_ byte: UInt8?) -> Bool { byte.isBlank || inFlow && byte.isOne(of: ",[]{}") }
        if isFirst {
            let isSafe = !next.isOne(of: "-?:") || !isEnd(byte(after: 1))
            guard isSafe, !next.isOne(of: ",[]{}#&*!|>'\"%@`") else {
                throw error("expected a value, got \(found); a text that begins so needs quotes")
            }
        }
        var end = position
        while let byte = next, byte != .lineFeed {
            if byte == UInt8(ascii: "#"), position > start, bytes[position - 1].isSpace { break }
            if inFlow, next.isOne(of: ",[]{}") { break }
            if byte == UInt8(ascii: ":"), isEnd(self.byte(after: 1)) { break }
            position += 1
            if !byte.isSpace { end = position }
        }
        position = end
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// A text without quotes that goes on behind its first line, which was read: in brackets, or
    /// on lines that are indented by more than `indent`.
    mutating func plainRest(of first: String, below indent: Int?) throws(Fault) -> String {
        var text = first
        while true {
            let mark = (position, lineStart, line)
            let feeds = takeLineFeeds()
            guard feeds > 0, next != nil, next != UInt8(ascii: "#"), !isAtMark,
                indent.map({ column > $0 }) ?? !(isFlowColon || next.isOne(of: ",[]{}"))
            else {
                (position, lineStart, line) = mark
                return text
            }
            let start = position
            text += feeds == 1 ? " " : String(repeating: "\n", count: feeds - 1)
            text += try plainLine(inFlow: indent == nil, isFirst: false)
            guard indent != nil else { continue }
            skipSpaces()
            guard !isIndicator(":") else {
                try refuseTab(before: start)
                throw error("a text over several lines cannot be a key; indent both lines alike")
            }
        }
    }

    /// A text in quotes.
    mutating func quoted() throws(Fault) -> String {
        let start = place
        let quote = bytes[position]
        let isDouble = quote == UInt8(ascii: "\"")
        position += 1
        var text: [UInt8] = []
        // Spaces before the end of a line go, unless they are escaped.
        var kept = 0
        while let byte = next {
            switch byte {
            case quote where !isDouble && self.byte(after: 1) == quote:
                text.append(quote)
                position += 2
                kept = text.count
            case quote:
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\") where isDouble:
                if self.byte(after: 1) == .lineFeed {
                    position += 1
                    try fold(&text, isEscaped: true)
                } else {
                    text += String(try escape()).utf8
                }
                kept = text.count
            case .lineFeed:
                text.removeLast(text.count - kept)
                try fold(&text, isEscaped: false)
                kept = text.count
            default:
                text.append(byte)
                position += 1
                if !byte.isSpace { kept = text.count }
            }
        }
        throw error("the text that begins here has no end", at: start)
    }

    /// Joins lines of a text in quotes: one line feed is a space, more are one less.
    private mutating func fold(_ text: inout [UInt8], isEscaped: Bool) throws(Fault) {
        let feeds = takeLineFeeds()
        if isAtMark { throw error("a text in quotes goes on where a document ends") }
        if feeds == 1, !isEscaped { text.append(0x20) }
        text += Array(repeating: .lineFeed, count: feeds - 1)
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        0x30: "\0", 0x61: "\u{7}", 0x62: "\u{8}", 0x74: "\t", 0x09: "\t", 0x6e: "\n", 0x76: "\u{b}",
        0x66: "\u{c}", 0x72: "\r", 0x65: "\u{1b}", 0x20: " ", 0x22: "\"", 0x2f: "/", 0x5c: "\\",
        0x4e: "\u{85}", 0x5f: "\u{a0}", 0x4c: "\u{2028}", 0x50: "\u{2029}",
    ]

    private mutating func escape() throws(Fault) -> Unicode.Scalar {
        let (start, letter) = (place, byte(after: 1) ?? 0)
        position += 2
        if let scalar = Self.escapes[letter] { return scalar }
        let counts: [UInt8: Int] = [0x78: 2, 0x75: 4, 0x55: 8]
        guard let count = counts[letter] else {
            throw error("unknown escape in a text; use \\\\ for \\", at: start)
        }
        if let scalar = scalar(of: count) { return scalar }
        throw error("the escape needs \(count) hexadecimal digits of a character", at: start)
    }
}
