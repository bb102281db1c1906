public import SquallFormat

/// Where and when a run was made: the only part of its results that two runs do not share.
public struct Manifest: Hashable, Sendable {
    /// The version of Squall.
    public var version: String
    /// The commit it was built from, when known.
    public var commit: String?
    /// The compiler it was built with.
    public var toolchain: String
    /// How it was built: "debug" or "release".
    public var buildMode: String
    /// The operating system.
    public var system: String
    /// The processor architecture.
    public var architecture: String
    /// How many processors there were.
    public var processors: Int64
    /// The words of the command line.
    public var command: [String]
    /// When the run began, in ISO 8601.
    public var startedAt: String
    /// How long it took.
    public var wallNanoseconds: Int64
    /// How many attempts were simulated.
    public var requests: Int64
    /// The most memory the process used, when known.
    public var peakMemoryBytes: Int64?

    /// The facts of one run.
    public init(
        version: String, commit: String?, toolchain: String, buildMode: String, system: String,
        architecture: String, processors: Int64, command: [String], startedAt: String,
        wallNanoseconds: Int64, requests: Int64, peakMemoryBytes: Int64?
    ) {
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
        self.peakMemoryBytes = peakMemoryBytes
    }

    /// Simulated attempts for each second that really passed; 0 when none was measured.
    public var requestsPerWallSecond: Int64 {
        guard wallNanoseconds > 0 else { return 0 }
        return Int64(Double(requests) / (Double(wallNanoseconds) / 1e9))
    }

    /// The manifest as the document that `manifest.json` holds.
    public var json: JSON {
        .object([
            "schemaVersion": 1,
            "version": .string(version), "commit": .optional(commit, JSON.string),
            "toolchain": .string(toolchain), "buildMode": .string(buildMode),
            "system": .string(system), "architecture": .string(architecture),
            "processors": .integer(processors),
            "command": .array(command.map(JSON.string)),
            "startedAt": .string(startedAt), "wallNs": .integer(wallNanoseconds),
            "requests": .integer(requests),
            "requestsPerWallSecond": .integer(requestsPerWallSecond),
            "peakMemoryBytes": .optional(peakMemoryBytes, JSON.integer),
        ])
    }
}
