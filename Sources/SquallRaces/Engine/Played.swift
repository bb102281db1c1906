/// The result of one schedule.
public struct Played: Sendable {
    /// The choices that were made.
    public let choices: [UInt16]
    /// How many events each choice was among.
    public let widths: [UInt16]
    /// The choices that were not the first; empty unless the history is kept.
    public let departures: [Schedule.Departure]
    /// Pairs of event kinds that ran in this order while both could.
    public let pairs: PairMatrix
    /// The violations, in the order in which they happened.
    public internal(set) var violations: [Violation]
    /// What invariants could see in it.
    public let evidence: Evidence
    /// A hash of what the server saw.
    public let serverView: UInt64
    /// A hash of everything that happened.
    public let digest: UInt64
    /// The users of apps that still had objects when their world was gone.
    public var leftBehind: Set<Int> = []
    /// What happened; `nil` unless it was to be kept.
    public let history: History?

    /// The result of a schedule that some invariants judge by its history.
    public init(_ schedule: Schedule, _ history: History, _ invariants: [RaceInvariant]) {
        self.init(
            schedule, violations: invariants.flatMap { $0.violations(in: history) },
            evidence: history.evidence, serverView: history.serverView, digest: history.digest,
            history: schedule.keepsHistory ? history : nil)
    }

    /// True for a violation of this promise with the same cause.
    func breaks(_ violation: Violation) -> Bool { violations.contains { $0.isLike(violation) } }

    /// Its violation of the same promise, for the same cause where there is one.
    public func violation(like other: Violation) -> Violation? {
        violations.first { $0.isLike(other) }
            ?? violations.first { $0.invariant == other.invariant }
    }

    /// The result of a schedule that its player judged.
    public init(
        _ schedule: Schedule, violations: [Violation], evidence: Evidence = [],
        serverView: UInt64 = 0, digest: UInt64 = 0, history: History? = nil
    ) {
        choices = schedule.choices
        widths = schedule.widths
        departures = schedule.departures
        pairs = schedule.pairs
        self.violations = violations
        self.evidence = evidence
        self.serverView = serverView
        self.digest = digest
        self.history = history
    }
}

/// A promise that was broken.
public struct Violation: Hashable, Sendable {
    /// The invariant's identifier: `S1`.
    public let invariant: String
    /// What went wrong, in one sentence.
    public let text: String
    /// The user it happened to.
    public let user: Int
    /// The kind of violation, without changing parts; different causes have different kinds.
    public let cause: String
    /// The positions of the events that contradict each other, the last one last.
    public let events: [Int]
    /// What usually repairs it; `nil` where its test or its drill says that.
    public let fix: String?
    /// The error of the action that failed; `nil` where something else is wrong.
    let error: String?

    /// True for another violation of the same promise and cause.
    func isLike(_ other: Violation) -> Bool {
        invariant == other.invariant && cause == other.cause
    }

    /// The identifier of something that never ends.
    public static let hang = "hang"

    /// A violation of its parts.
    public init(
        _ invariant: String, _ text: String, user: Int = 0, cause: String = "",
        events: [Int] = [], fix: String? = nil, error: String? = nil
    ) {
        self.invariant = invariant
        self.text = text
        self.user = user
        self.cause = cause
        self.events = events
        (self.fix, self.error) = (fix, error)
    }
}
