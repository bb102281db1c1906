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

    /// Writes a number in this many digits, at most 16.
    public mutating func number(_ number: UInt64, digits: Int) {
        if digits > 8 { self.number(number >> 32, digits: digits - 8) }
        let last = min(digits, 8)
        withUnsafeBytes(of: HexWriter.eight(UInt32(truncatingIfNeeded: number))) { text in
            for offset in 0..<last { buffer[count + offset] = text[8 - last + offset] }
        }
        count += last
    }

    /// Eight digits as they lie in memory, all worked out at once: a byte each.
    private static func eight(_ number: UInt32) -> UInt64 {
        var digits = UInt64(number)
        digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
        // One in each byte whose digit is a letter: those that six more carry beyond 15.
        let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (digits + 0x3030_3030_3030_3030 + letters * 39).bigEndian
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
    ///
    /// Inlined, so that how many there are is known when it is compiled.
    @inline(__always)
    public mutating func number(_ digits: Int) -> UInt64? {
        guard position + digits <= bytes.count else { return nil }
        var number: UInt64 = 0
        var left = digits
        while left >= 8 {
            let text = UnsafeRawBufferPointer(bytes).loadUnaligned(
                fromByteOffset: position, as: UInt64.self)
            guard let eight = HexReader.eight(text.bigEndian) else { return nil }
            number = number << 32 | eight
            position += 8
            left -= 8
        }
        // Fewer digits are the last of eight, with zeros in the place of what stands before them.
        if left > 0, position + left >= 8 {
            let text = UnsafeRawBufferPointer(bytes).loadUnaligned(
                fromByteOffset: position + left - 8, as: UInt64.self)
            let kept = UInt64.max >> UInt64(64 - left * 8)
            guard
                let rest = HexReader.eight(text.bigEndian & kept | 0x3030_3030_3030_3030 & ~kept)
            else { return nil }
            position += left
            return number << UInt64(left * 4) | rest
        }
        for offset in position..<position + left {
            let (decimal, letter) = (bytes[offset] &- 48, bytes[offset] &- 97)
            guard decimal < 10 || letter < 6 else { return nil }
            number = number << 4 | UInt64(decimal < 10 ? decimal : letter &+ 10)
        }
        position += left
        return number
    }

    /// What eight digits spell, a byte each, all worked out at once; `nil` where one is none.
    @inline(__always)
    private static func eight(_ text: UInt64) -> UInt64? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // Letters have the bit of 0x40, and are 39 above where they would follow the decimals.
        let letters = text >> 6 & ones
        let digits = text &- ones &* 0x30 &- letters &* 39
        // Neither below 0 nor above 15, and what is above 9 was a letter.
        guard digits & 0xF0F0_F0F0_F0F0_F0F0 == 0, text & 0x8080_8080_8080_8080 == 0,
            (digits &+ ones &* 6) >> 4 & ones == letters
        else { return nil }
        let pairs = (digits >> 4 | digits) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs >> 8 | pairs) & 0x0000_FFFF_0000_FFFF
        return (fours >> 16 | fours) & 0xFFFF_FFFF
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
