/// A promise that a subject has to keep.
public struct RaceQuestion: Sendable {
    /// The promise.
    public let invariant: any RaceInvariant
    /// Whether an exploration fails to answer when it could not judge this promise.
    public let isAskedFor: Bool

    /// A question of its parts.
    public init(_ invariant: any RaceInvariant, isAskedFor: Bool) {
        self.invariant = invariant
        self.isAskedFor = isAskedFor
    }
}

/// The answer to a question: kept, broken or not judged.
public struct RaceJudgement: Sendable {
    /// The question.
    public let question: RaceQuestion
    /// How many schedules showed all that the invariant needs, or broke it.
    public let schedules: Int
    /// Whether a schedule broke it.
    public let isBroken: Bool
    /// What it needs and no schedule showed, in words; all of it if none showed it together.
    public let missing: [String]

    /// Whether no schedule showed what it needs.
    public var isNotJudged: Bool { schedules == 0 && !isBroken }

    /// The invariant's identifier and name: `S1 singleFlight`.
    public var title: String {
        let (id, name) = (question.invariant.id, question.invariant.name)
        return id == name ? id : "\(id) \(name)"
    }

    /// Why it was not judged, in words.
    public var reason: String { "no schedule shows " + missing.joined(separator: " and ") }

    init(_ question: RaceQuestion, _ coverage: Coverage, isBroken: Bool) {
        self.question = question
        self.isBroken = isBroken
        let needs = question.invariant.needs
        schedules = coverage.showing(needs)
        let never = needs.subtracting(coverage.evidence)
        missing = (never.isEmpty ? needs : never).words
    }
}
