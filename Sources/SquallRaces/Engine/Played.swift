/// What came of one schedule.
public struct Played: Sendable {
    /// The choices that were made.
    public let choices: [UInt16]
    /// Among how many each was made.
    public let widths: [UInt16]
    /// The choices that were not the first; empty unless the history is kept.
    public let departures: [Schedule.Departure]
    /// Pairs of kinds of things that ran in this order while both could.
    public let pairs: PairMatrix
    /// What is wrong, in the order in which it happened.
    public internal(set) var violations: [Violation]
    /// What invariants could see in it.
    public let evidence: Evidence
    /// A hash of what the server saw.
    public let serverView: UInt64
    /// A hash of everything that happened.
    public let digest: UInt64
    /// The users of whose app something was there still when its world was gone.
    public var leftBehind: Set<Int> = []
    /// What happened; `nil` unless it was to be kept.
    public let history: History?

    /// What came of a schedule whose history was judged by some invariants.
    public init(_ schedule: Schedule, _ history: History, _ invariants: [any RaceInvariant]) {
        self.init(
            schedule, violations: invariants.flatMap { $0.violations(in: history) },
            evidence: history.evidence, serverView: history.serverView, digest: history.digest,
            history: schedule.keepsHistory ? history : nil)
    }

    /// Whether it breaks a promise for a cause.
    func breaks(_ invariant: String, _ cause: String) -> Bool {
        violations.contains { $0.invariant == invariant && $0.cause == cause }
    }

    /// The same with what breaks one promise for one cause only.
    func with(_ invariant: String, _ cause: String) -> Played {
        var played = self
        played.violations = violations.filter { $0.invariant == invariant && $0.cause == cause }
        return played
    }

    /// What came of a schedule, judged by whoever played it.
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
    /// Whose run it is.
    public let user: Int
    /// What kind of thing it is, without changing parts: what has another cause has another one.
    public let cause: String
    /// The positions of the events that contradict each other, the last one last.
    public let events: [Int]

    /// A violation of its parts.
    public init(
        _ invariant: String, _ text: String, user: Int = 0, cause: String = "",
        events: [Int] = []
    ) {
        self.invariant = invariant
        self.text = text
        self.user = user
        self.cause = cause
        self.events = events
    }
}
