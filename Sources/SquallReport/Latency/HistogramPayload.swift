import Foundation

/// An HdrHistogram in its V2 compressed form, as histogram logs contain it.
///
/// The zlib stream consists of stored blocks, which every inflater reads and which need no
/// compressor here.
enum HistogramPayload {
    private static let outerCookie: UInt32 = 0x1c84_9314
    private static let innerCookie: UInt32 = 0x1c84_9313
    private static let headerSize = 40
    private static let significantDigits: UInt32 = 3
    /// Thirty days in nanoseconds; users wait for one day at most (`patience`).
    private static let highestTrackable: UInt64 = 2_592_000_000_000_000

    static func text(of histogram: PackedHistogram) -> String {
        var inner: [UInt8] = []
        for number in [innerCookie, UInt32(histogram.words.count), 0, significantDigits] {
            inner += number.bytes
        }
        for number in [1, highestTrackable, (1.0).bitPattern] { inner += number.bytes }
        let stream = Zlib.stored(inner + histogram.words)
        let outer = outerCookie.bytes + UInt32(stream.count).bytes
        return Data(outer + stream).base64EncodedString()
    }

    /// The words of a payload that ``text(of:)`` has written; nil for any other text.
    static func words(of text: some StringProtocol) -> [UInt8]? {
        guard let outer = Data(base64Encoded: String(text)).map(Array.init), outer.count > 8,
            outer.starts(with: outerCookie.bytes),
            let inner = Zlib.restored(outer.dropFirst(8)), inner.count >= headerSize,
            inner.starts(with: innerCookie.bytes)
        else { return nil }
        return Array(inner.dropFirst(headerSize))
    }
}

/// A zlib stream (RFC 1950) whose deflate blocks are stored, not compressed.
enum Zlib {
    private static let blockLimit = 65_535

    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(blockLimit)
            rest = rest.dropFirst(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            let length = UInt16(block.count)
            for word in [length, ~length] { stream += [UInt8(word & 0xff), UInt8(word >> 8)] }
            stream += block
        } while !rest.isEmpty
        return stream + adler32(bytes).bytes
    }

    /// The bytes of a stream of stored blocks; nil if it is damaged or really compressed.
    static func restored(_ stream: some Collection<UInt8>) -> [UInt8]? {
        let stream = Array(stream)
        var bytes: [UInt8] = []
        var position = 2
        var isLast = false
        while !isLast {
            guard position + 5 <= stream.count, stream[position] <= 1 else { return nil }
            isLast = stream[position] == 1
            let length = Int(stream[position + 1]) | Int(stream[position + 2]) << 8
            position += 5
            guard position + length <= stream.count else { return nil }
            bytes += stream[position..<position + length]
            position += length
        }
        return Array(stream[position...]) == adler32(bytes).bytes ? bytes : nil
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}

extension FixedWidthInteger {
    /// Its bytes, the highest first.
    fileprivate var bytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
    }
}
