/// Writes lower-case hexadecimal digits into a buffer.
public struct HexWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    /// How many bytes were written.
    public private(set) var count = 0

    /// A writer into an empty buffer.
    public init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    /// Writes a byte as it is.
    public mutating func byte(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    /// Writes a number with so many digits.
    public mutating func number(_ number: UInt64, digits: Int) {
        for position in stride(from: (digits - 1) * 4, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(position)) & 15
            byte(digit < 10 ? 48 + digit : 87 + digit)
        }
    }
}

/// Reads lower-case hexadecimal digits from bytes.
public struct HexReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// A reader of bytes from the first on.
    public init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next byte, if there is one.
    public mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// The number that the next digits spell; `nil` when there are too few of them.
    public mutating func number(_ digits: Int) -> UInt64? {
        guard position + digits <= bytes.count else { return nil }
        var number: UInt64 = 0
        for offset in position..<position + digits {
            let (decimal, letter) = (bytes[offset] &- 48, bytes[offset] &- 97)
            guard decimal < 10 || letter < 6 else { return nil }
            number = number << 4 | UInt64(decimal < 10 ? decimal : letter &+ 10)
        }
        position += digits
        return number
    }
}

extension StringProtocol {
    /// Reads the text's bytes as hexadecimal digits.
    ///
    /// Inlinable because it is generic and reads every token and identifier.
    @inlinable
    public func readingHex<Value>(_ read: (inout HexReader) -> Value?) -> Value? {
        let result = utf8.withContiguousStorageIfAvailable { bytes in
            var reader = HexReader(bytes)
            return read(&reader)
        }
        return result ?? String(self).readingHex(read)
    }
}
