/// How often attempts at one endpoint failed in one way; expired responses do not count.
public struct AttemptFailureRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The endpoint's name.
    public let endpoint: String
    /// Its verb and path, as the service declares them; empty when undeclared.
    public let path: String
    /// A status, or the name of the error when there was no response.
    public let status: String
    /// How often.
    public let count: Int64
    /// The user of the first one.
    let user: Int64
    /// When the first ended.
    public let atNanoseconds: Int64

    /// A row from its parts.
    public init(
        population: String, endpoint: String, path: String, status: String, count: Int64,
        user: Int64, atNanoseconds: Int64
    ) {
        self.population = population
        self.endpoint = endpoint
        self.path = path
        self.status = status
        self.count = count
        self.user = user
        self.atNanoseconds = atNanoseconds
    }
}

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
    let description: String
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
