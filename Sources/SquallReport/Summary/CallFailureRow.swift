/// How often the attempts at one endpoint failed in one way, answers "expired" left out.
public struct CallFailureRow: Codable, Hashable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The endpoint's name.
    public let endpoint: String
    /// Its verb and path, as the service declares them; empty when nobody does.
    public let path: String
    /// A status, or the name of the error that came in place of an answer.
    public let status: String
    /// How often.
    public let count: Int64
    /// Whose the first was.
    public let user: Int64
    /// When the first ended.
    public let atNanoseconds: Int64

    private enum CodingKeys: String, CodingKey {
        case population, endpoint, path, status, count, user
        case atNanoseconds = "atNs"
    }

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
