/// Writes lower-case hexadecimal digits into a buffer.
struct HexWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func byte(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    mutating func number(_ number: UInt64, digits: Int) {
        for position in stride(from: (digits - 1) * 4, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(position)) & 15
            byte(digit < 10 ? 48 + digit : 87 + digit)
        }
    }
}

/// Reads lower-case hexadecimal digits from a text.
struct HexReader<Text: Collection<UInt8>> {
    private var rest: Text.SubSequence

    init(utf8 text: Text) { rest = text[...] }

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// The number that the next digits spell; `nil` when there are too few of them.
    mutating func number(_ digits: Int) -> UInt64? {
        var number: UInt64 = 0
        for _ in 0..<digits {
            guard let byte = rest.popFirst() else { return nil }
            switch byte {
            case 48...57: number = number << 4 | UInt64(byte - 48)
            case 97...102: number = number << 4 | UInt64(byte - 87)
            default: return nil
            }
        }
        return number
    }
}

extension HexReader<String.UTF8View> {
    init(_ text: String) { self.init(utf8: text.utf8) }
}
