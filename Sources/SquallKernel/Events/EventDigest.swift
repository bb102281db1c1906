/// A kind of thing that happens in a run: `request sent`, `step ended`.
public struct EventKind: Hashable, Sendable {
    /// The name, as journals show it.
    public let name: String
    /// A number made from the name, the same in every build.
    public let code: UInt64

    /// A kind by its name.
    public init(_ name: StaticString) {
        self.name = name.description
        code = RandomStream.hash(name)
    }
}

/// A rolling 64-bit hash over what happened, in order: two runs that did the same have the same
/// one.
///
/// It takes in semantic events only, never runtime jobs, whose number depends on the optimiser.
public struct EventDigest: Hashable, Sendable {
    /// The hash so far.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
    /// How many events it has taken in.
    public private(set) var events: UInt64 = 0

    /// The digest of nothing.
    public init() {}

    /// Takes in one event in at most 10 ns, without allocating.
    mutating func record(
        _ kind: EventKind, at instant: Instant, user: UInt64, request: UInt64, outcome: UInt64
    ) {
        fold(kind.code ^ UInt64(bitPattern: instant.nanoseconds))
        fold(user << 32 ^ request)
        fold(outcome)
        events &+= 1
    }

    private mutating func fold(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
        value = product.high ^ product.low &+ RandomStream.golden
    }

    /// The hash as sixteen hexadecimal digits.
    public var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
