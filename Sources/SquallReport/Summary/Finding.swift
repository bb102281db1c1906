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
