public import SquallFormat
public import SquallKernel

/// Something that goes wrong: what, when, for which users and how likely.
public struct Fault: Sendable {
    /// What goes wrong.
    var kind: FaultKind
    /// When it begins.
    public var start: Instant
    /// The first instant at which it is over; the same as `start` for what happens at once.
    public var end: Instant
    /// Which users and calls it concerns.
    public var scope = Scope()
    /// How likely it strikes an attempt that it concerns.
    public var probability: Double

    /// A fault for all users, by default for the whole run.
    init(
        _ kind: FaultKind, from start: Instant = .start,
        to end: Instant = Instant(nanoseconds: .max), scope: Scope = Scope(),
        probability: Double = 1
    ) {
        self.kind = kind
        self.start = start
        self.end = end
        self.scope = scope
        self.probability = probability
    }

    /// A fault of a kind by its name, with settings that were checked by the kind's format.
    public init(
        _ name: String, _ settings: CheckedSetting, from start: Instant, to end: Instant,
        scope: Scope, probability: Double
    ) {
        self.init(
            FaultFormat.kind(named: name, settings), from: start, to: end, scope: scope,
            probability: probability)
    }

    /// Which users and calls a fault concerns; by default all.
    public struct Scope: Hashable, Sendable {
        /// The calls it concerns, by the names of their endpoints; empty for all.
        public var endpoints: Set<String> = []
        /// The users it may concern; empty for all.
        public var users: [Range<UInt64>] = []
        /// The share of those users it concerns, the same ones all the time.
        public var fraction = 1.0
        /// Which of the attempts that it concerns it strikes, numbered from 1; `nil` for all.
        public var turns: ClosedRange<Int>?

        /// All users and all calls.
        public init() {}
    }

    /// The name of its kind.
    public var name: String { kind.name }

    /// True for kinds that end all access tokens at once, so that a world must be told.
    public var expiresAccessTokens: Bool {
        if case .tokens(.access) = kind.effect { true } else { false }
    }

    func isActive(at now: Instant) -> Bool { start <= now && now < end }
}
