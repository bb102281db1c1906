/// The steps and exchanges of some users: the content of `trace.json`.
public struct CallTrace: Sendable {
    /// A step of a user.
    public struct Step: Sendable {
        /// Its journey and name, for people.
        public let name: String
        /// The outcome of the step.
        public let outcome: String
        /// From its planned beginning, as all other numbers count it, to its end.
        public let span: Range<Int64>
        /// The delay of its beginning after the planned one.
        let delayNanoseconds: Int64
    }

    /// The most steps and attempts together that are kept; later ones are only counted.
    public static let limit = 200_000

    /// The steps of each user, in the order they ended.
    public private(set) var steps: [Int64: [Step]] = [:]
    /// The attempts of each user, in the order they ended.
    private(set) var attempts: [Int64: [ExampleRow.Attempt]] = [:]
    /// The number of steps and attempts that are kept.
    public private(set) var count = 0
    /// The number of later ones that were dropped.
    public private(set) var dropped: Int64 = 0

    /// An empty trace.
    public init() {}

    /// Adds a user's step while there is room; its span is from its planned beginning on, after
    /// which it began with a delay.
    public mutating func append(
        step name: String, of user: Int64, outcome: String, span: Range<Int64>,
        delayNanoseconds: Int64 = 0
    ) {
        guard takeRoom() else { return }
        steps[user, default: []].append(
            Step(name: name, outcome: outcome, span: span, delayNanoseconds: delayNanoseconds))
    }

    /// Adds a user's attempt that ended, or was under way when the run ended, while there is room.
    public mutating func append(_ attempt: ExampleRow.Attempt, of user: Int64) {
        if takeRoom() { attempts[user, default: []].append(attempt) }
    }

    private mutating func takeRoom() -> Bool {
        guard count < CallTrace.limit else {
            dropped += 1
            return false
        }
        count += 1
        return true
    }
}
