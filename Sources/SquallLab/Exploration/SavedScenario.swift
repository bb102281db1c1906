/// A scenario as a file stores it: a profile, and which part of it is played.
public struct SavedScenario: Codable, Sendable {
    /// The profile's name.
    public private(set) var profile = ""
    /// The profile's text; empty of a scenario that was built in code.
    public private(set) var text = ""
    /// The overrides of the command line, each as `--set` takes it.
    public private(set) var overrides: [String] = []
    /// The acts that are left, by index.
    public internal(set) var acts: [Int] = []
    /// The faults that are left, by index.
    public internal(set) var faults: [Int] = []
    /// True if every latency is constant at its mean.
    public internal(set) var equalLatencies = false

    init() {}

    /// Names the profile that a scenario comes from.
    public init(profile: String, text: String, overrides: [String] = []) {
        (self.profile, self.text, self.overrides) = (profile, text, overrides)
    }
}
