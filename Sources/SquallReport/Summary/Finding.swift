public import SquallFormat

/// Something that is wrong with what a run came upon, or a question that it never put to the test.
public struct Finding: Codable, Hashable, Sendable {
    /// What kind of thing it is, without changing parts, so that findings can be grouped.
    public let label: String
    /// How often and what: `1 226 purchases paid for twice`.
    public let headline: String
    /// How often.
    public let count: Int64
    /// Whose it is; nil when it is about the whole run.
    @OrNull public private(set) var population: String?
    /// What happened, with times and values; may be empty when the headline says it all.
    public let detail: String
    /// The first or worst of them: whose, when and where; empty when there is none to name.
    public let example: String
    /// The part of the report that shows it.
    public let lookAt: String
    /// The position in the summary's examples of one that shows it; nil without one.
    @OrNull public private(set) var picture: Int64?
    /// Whether it fails the run whatever is expected of it.
    public let failsRun: Bool

    /// A finding of its parts.
    public init(
        label: String, headline: String, count: Int64 = 1, population: String? = nil,
        detail: String = "", example: String = "", lookAt: String, picture: Int64? = nil,
        failsRun: Bool = false
    ) {
        self.label = label
        self.headline = headline
        self.count = count
        self.population = population
        self.detail = detail
        self.example = example
        self.lookAt = lookAt
        self.picture = picture
        self.failsRun = failsRun
    }
}
