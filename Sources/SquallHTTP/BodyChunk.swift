import Synchronization

/// An immutable run of bytes that many bodies can share.
///
/// A server that keeps the encoding of a post as one chunk can put it into thousands of pages at
/// the cost of a reference, and a reader of pages can recognise it without reading it again.
public final class BodyChunk: Sendable {
    private let own: [UInt8]
    /// What it is put together from; empty for a chunk of bytes of its own.
    public let parts: [BodyChunk]
    /// The size in bytes.
    public let count: Int
    /// A 64-bit hash of the bytes, the same in every process; equal bytes that are put together
    /// from equal parts have equal fingerprints.
    public let fingerprint: UInt64
    /// True if the bytes are some whole elements of a JSON array with commas between them.
    ///
    /// A reader of a list that has grown can then recognise the part that it has read before.
    public let isRun: Bool
    /// True once its bytes were found to be UTF-8.
    private let isKnownUTF8 = Atomic(false)

    /// Wraps bytes and hashes them once, at about 4 GB/s.
    public init(_ bytes: [UInt8], isRun: Bool = false) {
        own = bytes
        parts = []
        count = bytes.count
        self.isRun = isRun
        fingerprint = bytes.withUnsafeBytes(BodyChunk.fingerprint(of:))
    }

    /// The bytes of several chunks one after another, without copying them.
    ///
    /// - Precondition: none of them is put together itself.
    public init(parts: [BodyChunk]) {
        precondition(parts.allSatisfy { $0.parts.isEmpty }, "a chunk's parts have no parts")
        own = []
        self.parts = parts
        count = parts.reduce(0) { $0 + $1.count }
        isRun = false
        fingerprint = parts.reduce(UInt64(parts.count)) { BodyChunk.fold($0, $1.fingerprint) }
    }

    /// The bytes.
    ///
    /// - Complexity: O(1), or O(`count`) when it is put together from parts.
    public var bytes: [UInt8] {
        guard !parts.isEmpty else { return own }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for part in parts { bytes += part.own }
        return bytes
    }

    /// True for bytes that are UTF-8, those of each part by themselves, as in a JSON text.
    ///
    /// Found once, as a chunk is in many texts.
    public var isUTF8: Bool {
        if isKnownUTF8.load(ordering: .relaxed) { return true }
        let isUTF8 =
            parts.allSatisfy(\.isUTF8)
            && (own.allSatisfy { $0 < 128 } || String(validating: own, as: UTF8.self) != nil)
        if isUTF8 { isKnownUTF8.store(true, ordering: .relaxed) }
        return isUTF8
    }

    /// The UTF-8 bytes of a string.
    public convenience init(_ string: String) { self.init(Array(string.utf8)) }

    /// The fingerprint of bytes: eight at a time through a multiply-and-fold, in the end the last
    /// eight once more, or the few that there are as one padded word.
    public static func fingerprint(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = fold(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        guard offset == 0 else {
            let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            return fold(hash, last)
        }
        return fold(hash, bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Mixes one word into a hash: the two halves of a 128-bit product, folded.
    static func fold(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low &+ 0xA076_1D64_78BD_642F
    }
}

extension BodyChunk: Hashable {
    /// Equal bytes from equal parts; the same object is recognised without looking at them.
    public static func == (left: BodyChunk, right: BodyChunk) -> Bool {
        left === right
            || left.fingerprint == right.fingerprint && left.count == right.count
                && left.parts == right.parts && areEqual(left.own, right.own)
    }

    /// Compares a word at a time; an array compares its elements one by one.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                var offset = 0
                while offset + 8 <= left.count {
                    guard
                        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                            == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    else { return false }
                    offset += 8
                }
                return left[offset...].elementsEqual(right[offset...])
            }
        }
    }

    /// Feeds the fingerprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension String {
    /// A number that stands for the text in a table: a hash of its bytes, eight at a time.
    ///
    /// Two of 20,000 texts share one with a probability of one in 10¹¹.
    public var fingerprint: UInt64 {
        utf8.withContiguousStorageIfAvailable { BodyChunk.fingerprint(of: .init($0)) }
            ?? BodyChunk(self).fingerprint
    }
}
