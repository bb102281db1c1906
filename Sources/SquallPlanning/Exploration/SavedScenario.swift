/// A scenario as a file has it: a profile, and what of it is played.
public struct SavedScenario: Codable, Hashable, Sendable {
    /// The profile's name.
    public let profile: String
    /// The profile's text.
    public let text: String
    /// What the command line said instead, each as `--set` takes it.
    public let overrides: [String]
    /// The acts that are left, by their positions.
    public let acts: [Int]
    /// The faults that are left, by their positions.
    public let faults: [Int]
    /// Whether every latency is its mean.
    public let equalLatencies: Bool
}
