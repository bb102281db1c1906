public import SquallFormat

/// The place and time of a run: the only result that differs when a run is repeated.
public struct Manifest: ShortUnits, Sendable {
    private let schemaVersion: Int64
    /// The version of Squall.
    public let version: String
    /// The commit it was built from, when known.
    @OrNull public private(set) var commit: String?
    /// The compiler it was built with.
    public let toolchain: String
    /// The build mode: "debug" or "release".
    public let buildMode: String
    /// The operating system.
    let system: String
    /// The processor architecture.
    public let architecture: String
    let processors: Int64
    /// The program, by its file's size and modification time; when known.
    @OrNull public private(set) var build: String?
    /// The library for https; `nil` where no connection used it.
    public var tlsLibrary: String?
    /// The words of the command line.
    let command: [String]
    /// Options that environment variables or `squall.json` gave, with their source; absent where
    /// there are none.
    public var defaults: [String]?
    /// The source of the run, besides `profile.json`; `nil` for an answer over many runs.
    @OrNull public private(set) var source: Source?
    /// The other files of the results, as they were written.
    public var outputs: [File] = []
    /// The beginning of the run in real time, in ISO 8601.
    public let startedAt: String
    /// The real time of the run.
    let wallNanoseconds: Int64
    /// The number of attempts that were simulated.
    let requests: Int64
    /// Simulated attempts per second of real time; 0 when the time was not measured.
    let requestsPerWallSecond: Int64
    /// The most memory the process used, when known.
    @OrNull private(set) var peakMemoryBytes: Int64?

    /// The profile of a run, with its files and overrides.
    public struct Source: Codable, Sendable {
        /// The profile's file; files of arrivals are looked for beside it.
        public let profile: String
        /// The overrides of the command line, already contained in `profile.json`.
        let overrides: [String]
        /// The virtual time that the run was planned for; `--for` can make it shorter than the
        /// profile's faults need.
        public let durationNanoseconds: Int64
        /// The users to trace, as `--trace` names them; nil for none.
        @OrNull public private(set) var trace: String?
        /// The files of arrivals.
        public let files: [File]

        /// Makes the source of a run.
        public init(
            profile: String, overrides: [String], durationNanoseconds: Int64, trace: String?,
            files: [File]
        ) {
            self.profile = profile
            self.durationNanoseconds = durationNanoseconds
            self.overrides = overrides
            self.files = files
            self.trace = trace
        }
    }

    /// A file that a profile names, or one of the results.
    public struct File: Codable, Sendable {
        /// Its path as the profile writes it, or within the results.
        public let name: String
        /// The FNV-1a hash of its bytes, 64 bits in hexadecimal.
        public let hash: String

        /// A file's name and hash.
        public init(name: String, hash: String) {
            self.name = name
            self.hash = hash
        }
    }

    /// Makes the manifest of one run.
    public init(
        version: String, commit: String?, build: String?, toolchain: String, buildMode: String,
        system: String, architecture: String, processors: Int64, command: [String],
        source: Source?, startedAt: String, wallNanoseconds: Int64, requests: Int64,
        peakMemoryBytes: Int64?
    ) {
        schemaVersion = 2
        self.version = version
        self.commit = commit
        self.toolchain = toolchain
        self.buildMode = buildMode
        self.system = system
        self.architecture = architecture
        self.processors = processors
        self.command = command
        self.source = source
        self.startedAt = startedAt
        self.wallNanoseconds = wallNanoseconds
        self.requests = requests
        requestsPerWallSecond =
            wallNanoseconds > 0 ? Int64(Double(requests) / (Double(wallNanoseconds) / 1e9)) : 0
        self.peakMemoryBytes = peakMemoryBytes
        self.build = build
    }
}
