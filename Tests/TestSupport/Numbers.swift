/// Arbitrary but repeatable numbers of very different sizes.
public struct Numbers {
    private var state: UInt64

    /// The numbers that a seed decides.
    public init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    /// The next one, from 0 and with at most so many bits.
    public mutating func next(upToBits bits: Int) -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64((state ^ (state >> 31)) >> UInt64(64 - bits))
    }
}
