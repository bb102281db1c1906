import SquallFormat

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

/// A rolling 64-bit hash over all events, in order; two runs that did the same have equal ones.
///
/// It takes in semantic events only, never runtime jobs, whose number depends on the optimiser.
public struct EventDigest: Hashable, Sendable {
    /// The hash so far.
    public var value: UInt64 { hash.value }
    /// How many events it has taken in.
    public private(set) var events: UInt64 = 0
    private var hash = StableHash()

    /// The digest of nothing.
    public init() {}

    /// Takes in one event in at most 10 ns, without allocating.
    mutating func record(
        _ kind: EventKind, at instant: Instant, user: UInt64, request: UInt64, outcome: UInt64
    ) {
        hash.mix(kind.code ^ UInt64(bitPattern: instant.nanoseconds))
        hash.mix(user << 32 ^ request)
        hash.mix(outcome)
        events &+= 1
    }
}
