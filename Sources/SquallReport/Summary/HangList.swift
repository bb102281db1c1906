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

    /// A step that hung from its parts; times in virtual nanoseconds.
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
