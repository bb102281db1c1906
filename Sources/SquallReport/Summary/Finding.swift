public import SquallFormat

/// A fault that was found in a run, or a question that the run did not test.
public struct Finding: Codable, Sendable {
    /// The kind, without variable parts, so that findings can be grouped.
    public let label: String
    /// The count and the kind in words: `1 226 purchases paid for twice`.
    public internal(set) var headline: String
    /// The number of occurrences.
    public let count: Int64
    /// The population; nil when it is about the whole run.
    @OrNull public private(set) var population: String?
    /// The events, with times and values; empty when the headline says everything.
    public let detail: String
    /// The first or worst occurrence: user, time and place; empty when there is none to name.
    public let example: String
    /// The part of the report that shows it.
    let section: String
    /// The index of an example in the summary; nil without one.
    @OrNull public internal(set) var exampleIndex: Int64?
    /// True if it fails the run whatever the profile expects.
    public let failsRun: Bool

    /// Makes a finding.
    public init(
        label: String, headline: String, count: Int64 = 1, population: String? = nil,
        detail: String = "", example: String = "", section: String, exampleIndex: Int64? = nil,
        failsRun: Bool = false
    ) {
        self.label = label
        self.headline = headline
        self.count = count
        self.population = population
        self.detail = detail
        self.example = example
        self.section = section
        self.exampleIndex = exampleIndex
        self.failsRun = failsRun
    }
}

/// One failed step of a user, exchange by exchange.
public struct ExampleRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The finding's label or the step's outcome that it is an example of.
    public let kind: String
    /// The user's number.
    let user: Int64
    /// The journey's name in the app.
    let journey: String
    /// The step's name in the journey.
    let step: String
    /// The outcome of the step.
    let outcome: String
    /// The moment at which the step began.
    let startNanoseconds: Int64
    /// The moment at which it ended or was counted as hung.
    let endNanoseconds: Int64
    /// The attempts from the first unsuccessful response on, in the order of their ends.
    public let attempts: [Attempt]

    /// The most attempts kept for one step.
    public static let attemptsAtMost = 40

    /// One exchange.
    public struct Attempt: Codable, Sendable {
        /// The user's request that it belongs to.
        public let request: Int64
        /// Its number within the request, from 0.
        public let ordinal: Int64
        /// The refused request that caused it, -1 for none; nil unless it is a refresh.
        @OrNull public private(set) var refreshFor: Int64?
        /// The endpoint.
        public let endpoint: String
        /// A status, or the error.
        let outcome: String
        /// True for a response with which the client got what it asked for.
        let isSuccess: Bool
        /// True for the response that the access token had expired.
        public let isExpired: Bool
        /// The number of refreshes from its sign-in to the token it carried; nil without a token.
        @OrNull public private(set) var token: Int64?
        /// The moment at which the client sent it off.
        let startNanoseconds: Int64
        /// The moment at which it got a connection.
        let sentNanoseconds: Int64
        /// The moment at which the client learned the outcome.
        let endNanoseconds: Int64

        /// Makes an exchange.
        public init(
            request: Int64, ordinal: Int64, refreshFor: Int64?, endpoint: String, outcome: String,
            isSuccess: Bool, isExpired: Bool, token: Int64?, startNanoseconds: Int64,
            sentNanoseconds: Int64, endNanoseconds: Int64
        ) {
            self.request = request
            self.ordinal = ordinal
            self.refreshFor = refreshFor
            self.endpoint = endpoint
            self.outcome = outcome
            self.isSuccess = isSuccess
            self.isExpired = isExpired
            self.token = token
            self.startNanoseconds = startNanoseconds
            self.sentNanoseconds = sentNanoseconds
            self.endNanoseconds = endNanoseconds
        }
    }

    /// Makes an example.
    public init(
        population: String, kind: String, user: Int64, journey: String, step: String,
        outcome: String, startNanoseconds: Int64, endNanoseconds: Int64, attempts: [Attempt]
    ) {
        self.population = population
        self.kind = kind
        self.user = user
        self.journey = journey
        self.step = step
        self.outcome = outcome
        self.startNanoseconds = startNanoseconds
        self.endNanoseconds = endNanoseconds
        self.attempts = attempts
    }
}

/// A step that never ended by itself.
public struct Hang: Codable, Sendable {
    /// The user's number.
    public let user: Int64
    /// The population's name in the profile.
    let population: String
    /// The journey it was part of.
    public let journey: String
    /// The step's name in the journey.
    public let step: String
    /// The request that got no response, or an empty string when none was in flight.
    public let request: String
    /// The place where the completion was lost, such as "retry".
    public let lostIn: String
    /// The moment at which the step began.
    let startNanoseconds: Int64

    /// Makes an entry for a step that hung.
    public init(
        user: Int64, population: String, journey: String, step: String, request: String,
        lostIn: String, startNanoseconds: Int64
    ) {
        self.user = user
        self.population = population
        self.journey = journey
        self.step = step
        self.request = request
        self.lostIn = lostIn
        self.startNanoseconds = startNanoseconds
    }
}

/// The steps that never ended: all are counted, the first are named.
public struct HangList: Codable, Sendable {
    /// How many hangs are named, besides the first of each further population.
    static let namedAtMost = 20

    /// The number of all hangs, named or not.
    public private(set) var total: Int64 = 0
    /// The first of them and the first of each population, in the order they were counted.
    public private(set) var named: [Hang] = []

    /// An empty list.
    public init() {}

    /// Counts a hang, and names it while fewer are named than the limit.
    public mutating func append(_ hang: Hang) {
        total += 1
        guard
            named.count < HangList.namedAtMost
                || named.allSatisfy({ $0.population != hang.population })
        else { return }
        named.append(hang)
    }

    /// Counts another list's hangs, and names those for which there is space.
    public mutating func add(_ other: HangList) {
        for hang in other.named { append(hang) }
        total += other.total - Int64(other.named.count)
    }
}
