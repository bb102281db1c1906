/// The count of a journey, and the share that the profile asks for.
public struct JourneyRow: Codable, Sendable {
    /// The population's name in the profile.
    public let population: String
    /// The app's name.
    public let app: String
    /// The app's token design.
    public let design: String
    /// The journey's name in the app.
    public let journey: String
    /// The number of times that users began it.
    public let begun: Int64
    /// The share of all journeys by the profile's weights, populations counted by their visits.
    public let targetShare: Double

    /// A journey of a population.
    public init(
        population: String, app: String, design: String, journey: String, begun: Int64,
        targetShare: Double
    ) {
        self.population = population
        self.app = app
        self.design = design
        self.journey = journey
        self.begun = begun
        self.targetShare = targetShare
    }
}
