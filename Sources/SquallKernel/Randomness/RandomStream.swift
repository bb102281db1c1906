import SquallFormat

/// A numbered list of random words, each a pure function of its key and its number.
///
/// There is no state and no "next": the n-th word of a stream is the same for every caller, at any
/// time and any number of times. An extra draw moves no other, so two policies can be compared
/// under identical arrivals. The construction is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) in
/// counter mode. ≤ 2 ns a word.
public struct RandomStream: Hashable, Sendable {
    @usableFromInline let key: UInt64

    @inlinable
    init(key: UInt64) { self.key = key }

    /// The root of a run's randomness; every other stream is derived from it by name.
    public init(seed: UInt64) {
        key = RandomStream.mix(seed &+ RandomStream.golden)
    }

    /// The stream for one purpose: `root.stream("latency.up")`.
    public func stream(_ purpose: StaticString) -> RandomStream {
        derived(RandomStream.hash(purpose))
    }

    /// The stream for a purpose whose name is made at run time; the same as for a written name.
    public func stream(named purpose: String) -> RandomStream {
        derived(StableHash(of: purpose.utf8).value)
    }

    /// The stream of one user, object or other number.
    @inlinable
    public func stream(number: UInt64) -> RandomStream { derived(number ^ 0xD1B5_4A32_D192_ED03) }

    /// The word with a number, all 64 bits uniform.
    @inlinable
    public func bits(at ordinal: UInt64) -> UInt64 {
        RandomStream.mix(key &+ (ordinal &+ 1) &* RandomStream.golden)
    }

    /// A number in [0, 1) with 53 random bits.
    @inlinable
    public func unit(at ordinal: UInt64) -> Double {
        Double(bits(at: ordinal) >> 11) * 0x1p-53
    }

    /// A whole number below `bound`, by 128-bit multiplication.
    ///
    /// The bias is at most `bound` / 2⁶⁴: nothing a simulation can see.
    ///
    /// - Precondition: `bound` is not zero.
    @inlinable
    public func integer(below bound: UInt64, at ordinal: UInt64) -> UInt64 {
        precondition(bound > 0, "no whole number is below 0")
        return bits(at: ordinal).multipliedFullWidth(by: bound).high
    }

    /// True with the given probability, from 0 (never) to 1 (always).
    @inlinable
    public func chance(_ probability: Double, at ordinal: UInt64) -> Bool {
        unit(at: ordinal) < probability
    }

    @inlinable
    func derived(_ name: UInt64) -> RandomStream {
        RandomStream(key: RandomStream.mix(key ^ RandomStream.mix(name &+ RandomStream.golden)))
    }

    @usableFromInline static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// SplitMix64's finaliser.
    @inlinable
    static func mix(_ word: UInt64) -> UInt64 {
        var mixed = word
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// FNV-1a over the name's bytes.
    static func hash(_ name: StaticString) -> UInt64 {
        name.withUTF8Buffer { StableHash(of: $0).value }
    }
}
