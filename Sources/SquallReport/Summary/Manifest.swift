public import SquallFormat

/// Where and when a run was made: the only part of its results that two runs do not share.
public struct Manifest: Codable, Hashable, Sendable {
    private let schemaVersion: Int64
    /// The version of Squall.
    public let version: String
    /// The commit it was built from, when known.
    @OrNull public private(set) var commit: String?
    /// The compiler it was built with.
    public let toolchain: String
    /// How it was built: "debug" or "release".
    public let buildMode: String
    /// The operating system.
    public let system: String
    /// The processor architecture.
    public let architecture: String
    /// How many processors there were.
    public let processors: Int64
    /// The words of the command line.
    public let command: [String]
    /// When the run began, in ISO 8601.
    public let startedAt: String
    /// How long it took.
    public let wallNanoseconds: Int64
    /// How many attempts were simulated.
    public let requests: Int64
    /// Simulated attempts for each second that really passed; 0 when none was measured.
    public let requestsPerWallSecond: Int64
    /// The most memory the process used, when known.
    @OrNull public private(set) var peakMemoryBytes: Int64?

    private enum CodingKeys: String, CodingKey {
        case schemaVersion, version, commit, toolchain, buildMode, system, architecture, processors
        case command, startedAt, requests, requestsPerWallSecond, peakMemoryBytes
        case wallNanoseconds = "wallNs"
    }

    /// The facts of one run.
    public init(
        version: String, commit: String?, toolchain: String, buildMode: String, system: String,
        architecture: String, processors: Int64, command: [String], startedAt: String,
        wallNanoseconds: Int64, requests: Int64, peakMemoryBytes: Int64?
    ) {
        schemaVersion = 1
        self.version = version
        self.commit = commit
        self.toolchain = toolchain
        self.buildMode = buildMode
        self.system = system
        self.architecture = architecture
        self.processors = processors
        self.command = command
        self.startedAt = startedAt
        self.wallNanoseconds = wallNanoseconds
        self.requests = requests
        requestsPerWallSecond =
            wallNanoseconds > 0 ? Int64(Double(requests) / (Double(wallNanoseconds) / 1e9)) : 0
        self.peakMemoryBytes = peakMemoryBytes
    }
}
