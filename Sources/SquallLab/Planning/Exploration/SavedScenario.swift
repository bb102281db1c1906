/// A scenario as a file stores it: a profile, and which part of it is played.
public struct SavedScenario: Codable, Sendable {
    /// The profile's name.
    public let profile: String
    /// The profile's text.
    public let text: String
    /// The overrides of the command line, each as `--set` takes it.
    public let overrides: [String]
    /// The acts that are left, by index.
    public let acts: [Int]
    /// The faults that are left, by index.
    public let faults: [Int]
    /// Whether every latency is constant at its mean.
    public let equalLatencies: Bool
}
