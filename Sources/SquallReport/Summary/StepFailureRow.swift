/// How often a step failed in one way and after one failed call.
public struct StepFailureRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The journey's name in the app.
    public let journey: String
    /// The step's name in the journey.
    public let step: String
    /// What the user saw, such as `toast.unknown`.
    public let outcome: String
    /// The endpoint of the step's last call that failed for good; empty when none did.
    public let endpoint: String
    /// The outcome of that call: a status, or the name of an error; empty when none failed.
    public let status: String
    /// How often.
    public let count: Int64
    /// The user of the first one.
    public let user: Int64
    /// When the first ended.
    public let atNanoseconds: Int64

    /// A row from its parts.
    public init(
        population: String, journey: String, step: String, outcome: String, endpoint: String,
        status: String, count: Int64, user: Int64, atNanoseconds: Int64
    ) {
        self.population = population
        self.journey = journey
        self.step = step
        self.outcome = outcome
        self.endpoint = endpoint
        self.status = status
        self.count = count
        self.user = user
        self.atNanoseconds = atNanoseconds
    }
}
