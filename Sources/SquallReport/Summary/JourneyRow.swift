/// How often a journey was begun, beside how often the profile asks for it.
public struct JourneyRow: Codable, Hashable, Sendable {
    /// The app's name.
    public let app: String
    /// The journey's name in the app.
    public let journey: String
    /// How often users began it.
    public let begun: Int64
    /// The share of all journeys that the weights ask for, populations counted by their visits.
    public let askedShare: Double

    /// A journey of an app.
    public init(app: String, journey: String, begun: Int64, askedShare: Double) {
        self.app = app
        self.journey = journey
        self.begun = begun
        self.askedShare = askedShare
    }
}
