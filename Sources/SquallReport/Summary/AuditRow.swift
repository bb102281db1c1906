/// A problem found although no call failed, and how often one population had it.
public struct AuditRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app its users have.
    public let app: String
    /// The app's token design.
    public let design: String
    /// The kind of problem, without variable parts: `purchase.twice`.
    public let kind: String
    /// The kind in description that follow the count: `purchases paid for twice`.
    public let description: String
    /// How often.
    public let count: Int64
    /// The first occurrence: which user's, and where.
    public let example: String

    /// A row from its parts.
    public init(
        population: String, app: String, design: String, kind: String, description: String,
        count: Int64, example: String
    ) {
        self.population = population
        self.app = app
        self.design = design
        self.kind = kind
        self.description = description
        self.count = count
        self.example = example
    }
}
