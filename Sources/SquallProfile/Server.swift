public import SquallFormat

extension Profile {
    /// What the server can bear.
    public struct Server: Hashable, Sendable {
        /// How many requests are served at once.
        public var workers: Int64
        /// How many requests wait at most; more are turned away.
        public var queueLimit: Int64
        /// Time a worker needs for a request: a distribution.
        public var serviceTime: CheckedSetting
        /// That time by endpoint, where it differs.
        public var serviceTimes: [String: CheckedSetting]
        /// What each object of a list in the answer adds.
        public var perItemNanoseconds: Int64
        /// What each row that was looked at adds.
        public var perScannedRowNanoseconds: Int64
        /// Requests that have waited longer are turned away; nil for none.
        public var waitLimitNanoseconds: Int64?
        /// How often one user may call; nil for as often as they like.
        public var userRate: Rate?
        /// How often all users of an app may call; nil for as often as they like.
        public var keyRate: Rate?
        /// What a 503 says in `Retry-After`; nil for no such header.
        public var retryAfterNanoseconds: Int64?
        /// How wrong each worker's clock is at most.
        public var clockSkewNanoseconds: Int64
        /// Who works, on what first, and for whom.
        public var serving: Serving
    }

    /// How often somebody may call.
    public struct Rate: Hashable, Sendable {
        /// Calls a second in the long run.
        public var perSecond: Double
        /// Calls that can be saved up.
        public var burst: Int64
    }
}

extension Profile.Server {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        let time = vocabulary.distribution(0...Span.hour)
        workers = read(
            "workers", .integer(1...1_000_000), otherwise: 64,
            "How many requests are served at once.")
        queueLimit = read(
            "queueLimit", .integer(0...100_000_000), otherwise: 10_000,
            "How many requests wait at most; more are turned away.")
        serviceTime = read(
            "serviceTime", time,
            otherwise: ["logNormal": ["median": "20ms", "sigma": .number(0.5), "max": "5s"]],
            "Time a worker needs for a request.")
        serviceTimes = read(
            "serviceTimes", .each(of: vocabulary.endpoints, called: "endpoints", time),
            otherwise: [:], "Times by endpoint, where they differ.")
        perItemNanoseconds = read(
            "perItem", .duration(0...Span.hour), otherwise: "0s",
            "What each object of a list in the answer adds.")
        perScannedRowNanoseconds = read(
            "perScannedRow", .duration(0...Span.hour), otherwise: "0s",
            "What each row that was looked at adds.")
        waitLimitNanoseconds = read.optional(
            "waitLimit", .duration(0...Span.hour),
            "Requests that have waited longer are answered 503 unserved; no limit by default.")
        userRate = read.optional(
            "userRate", .section { Profile.Rate(&$0) },
            "How often one user may call; more is answered 429. No limit by default.")
        keyRate = read.optional(
            "keyRate", .section { Profile.Rate(&$0) },
            "How often all users of an app may call; more is answered 429. No limit by default.")
        retryAfterNanoseconds = read.optional(
            "retryAfter", .duration(Span.second...Span.hour),
            "Retry-After of a 503; a 429 then says its own. No such header by default.")
        clockSkewNanoseconds = read(
            "clockSkew", .duration(0...Span.day), otherwise: "0s",
            "How wrong each worker's clock is at most when it judges and issues tokens.")
        serving = Profile.Serving(&read, vocabulary)
        serving.check(&read, hasWaitLimit: waitLimitNanoseconds != nil)
    }
}

extension Profile.Rate {
    init(_ read: inout SettingsReader) {
        perSecond = read(
            "perSecond", .number(0.001...1_000_000), "Calls a second in the long run.")
        burst = read(
            "burst", .integer(1...1_000_000), otherwise: 1, "Calls that can be saved up.")
    }
}
