public import SquallFormat

extension Profile {
    /// The way to the server.
    public struct Network: Hashable, Sendable {
        /// Time a request travels to the server: a distribution.
        public var up: CheckedSetting
        /// Time an answer travels back: a distribution.
        public var down: CheckedSetting
        /// How many requests of one user are under way at once.
        public var connectionsPerHost: Int64
        /// When an attempt without an answer fails.
        public var timeoutNanoseconds: Int64
        /// Speed of each user's line for answers; nil means unlimited.
        public var bandwidthBytesPerSecond: Int64?
        /// Speed of each user's line for requests; nil means unlimited.
        public var uploadBytesPerSecond: Int64?
        /// How likely no connection comes about.
        public var connectFailureProbability: Double
        /// How likely a request is lost before the server sees it.
        public var requestLossProbability: Double
        /// How likely an answer is lost after the server has done what was asked.
        public var answerLossProbability: Double
        /// How a client learns of a loss.
        public var lossNotice: LossNotice
    }

    /// How a client learns of a loss.
    public enum LossNotice: String, Hashable, Sendable, CaseIterable {
        /// Nothing ever comes.
        case timeout
        /// The connection breaks.
        case connectionLost
    }
}

extension Profile.Network {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        let way: JSON = ["logNormal": ["median": "40ms", "sigma": .number(0.4), "max": "2s"]]
        up = read(
            "up", vocabulary.distribution(0...Span.hour), otherwise: way,
            "Time a request travels to the server.")
        down = read(
            "down", vocabulary.distribution(0...Span.hour), otherwise: way,
            "Time an answer travels back.")
        connectionsPerHost = read(
            "connectionsPerHost", .integer(1...256), otherwise: 6,
            "How many requests of one user are under way at once.")
        timeoutNanoseconds = read(
            "timeout", .duration(Span.millisecond...Span.hour), otherwise: "60s",
            "When an attempt without an answer fails.")
        bandwidthBytesPerSecond = read.optional(
            "bandwidthBytesPerSecond", .integer(1_000...10_000_000_000),
            "Speed of each user's line for answers; unlimited by default.")
        uploadBytesPerSecond = read.optional(
            "uploadBytesPerSecond", .integer(1_000...10_000_000_000),
            "Speed of each user's line for requests; unlimited by default.")
        connectFailureProbability = read(
            "connectFailureProbability", .number(0...1), otherwise: 0,
            "How likely no connection comes about, which the client learns at once.")
        requestLossProbability = read(
            "requestLossProbability", .number(0...1), otherwise: 0,
            "How likely a request is lost before the server sees it.")
        answerLossProbability = read(
            "answerLossProbability", .number(0...1), otherwise: 0,
            "How likely an answer is lost after the server has done what was asked.")
        lossNotice = read(
            "lossNotice", .choice(Profile.LossNotice.self), otherwise: "timeout",
            "How a client learns of a loss: by its own timeout, or by a connection that breaks.")
    }
}
