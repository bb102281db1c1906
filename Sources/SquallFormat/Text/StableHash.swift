/// A rolling 64-bit hash that is equal in every process and build, unlike `Hasher`'s.
///
/// ```swift
/// StableHash(of: "quick".utf8).value.hexadecimal
/// ```
public struct StableHash: Hashable, Sendable {
    /// The hash so far; without input it is the offset basis of FNV-1a.
    public var value: UInt64 { hash }

    @usableFromInline var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// An empty hash.
    public init() {}

    /// FNV-1a over bytes (Fowler, Noll and Vo).
    @inlinable
    public init(of bytes: some Sequence<UInt8>) {
        self.init()
        combine(bytes)
    }

    /// Adds bytes by FNV-1a, one multiplication each.
    @inlinable
    public mutating func combine(_ bytes: some Sequence<UInt8>) {
        // A buffer takes three instructions a byte, a string's view eight.
        let whole = bytes.withContiguousStorageIfAvailable { StableHash.fnv($0, from: hash) }
        hash = whole ?? StableHash.fnv(bytes, from: hash)
    }

    @inlinable
    static func fnv(_ bytes: some Sequence<UInt8>, from start: UInt64) -> UInt64 {
        var hash = start
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    /// Adds a word by folding a full product, in about a nanosecond; runs hash with it.
    @inlinable
    public mutating func mix(_ word: some FixedWidthInteger) {
        let product = (hash ^ UInt64(truncatingIfNeeded: word)).multipliedFullWidth(
            by: 0x9FB2_1C65_1E98_DF25)
        hash = product.high ^ product.low &+ 0x9E37_79B9_7F4A_7C15
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All hexadecimal digits with leading zeros: sixteen for 64 bits.
    public var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
