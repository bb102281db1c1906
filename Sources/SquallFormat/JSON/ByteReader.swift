/// A text that is read byte by byte, and the place in it.
protocol ByteReader {
    var bytes: [UInt8] { get }
    var position: Int { get set }
    var line: Int { get set }
    var lineStart: Int { get set }
    /// The characters up to a position of the current line, so that a long line is counted once.
    var counted: (position: Int, characters: Int) { get set }
}

extension ByteReader {
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func byte(after distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    var place: TextPlace {
        mutating get {
            if counted.position < lineStart || counted.position > position {
                counted = (lineStart, 0)
            }
            for byte in bytes[counted.position..<position] where byte & 0xc0 != 0x80 {
                counted.characters += 1
            }
            counted.position = position
            return TextPlace(line: line, column: counted.characters + 1)
        }
    }

    /// Goes to the beginning of the next line.
    mutating func takeLineFeed() {
        position += 1
        line += 1
        lineStart = position
    }

    /// What stands here, in the words of an error.
    var found: String {
        let rest = String(decoding: bytes[position...].prefix(16), as: UTF8.self)
        return switch rest.first {
        case nil: "the end of the file"
        case .some("\n"), .some("\r\n"): "the end of the line"
        case .some(let character): "'\(String(character).excerpt(8))'"
        }
    }

    /// The character that so many hexadecimal digits of an escape stand for; JSON writes what is
    /// above U+FFFF as two escapes.
    mutating func scalar(of count: Int) -> Unicode.Scalar? {
        guard let first = hexadecimal(count) else { return nil }
        guard (0xd800..<0xdc00).contains(first) else { return Unicode.Scalar(first) }
        guard next == UInt8(ascii: "\\"), byte(after: 1) == UInt8(ascii: "u") else { return nil }
        position += 2
        guard let second = hexadecimal(4), (0xdc00..<0xe000).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    }

    private mutating func hexadecimal(_ count: Int) -> UInt32? {
        let digits = bytes[position...].prefix(count)
        let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard digits.count == count, isHexadecimal else { return nil }
        position += count
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
