public import SquallReport

/// The question a run answers: who does what, against which backend, for how long, expecting what.
///
/// **Start here** to read this folder. A profile is a JSON file with comments; its format is the
/// one table in `Format/Field+Profile.swift`, from which validation, schema and reference follow.
public struct Profile: Hashable, Sendable {
    /// What the run is to find out; may be empty.
    public var question: String
    /// Decides everything that is left to chance.
    public var seed: UInt64
    /// How much virtual time the run lasts.
    public var durationNanoseconds: Int64
    /// Groups of users with the same habits; at least one.
    public var populations: [Population]
    /// Which part of the run is not measured.
    public var warmUp: WarmUp
    /// How long steps under way at the end may take to finish.
    public var drainNanoseconds: Int64
    /// The far side of the network.
    public var backend: Backend
    /// Whether the server keeps encoded parts of answers.
    public var cachesEncoding: Bool
    /// Whether clients share decoded answers.
    public var cachesDecoding: Bool
    /// What is expected of the run, in the file's order.
    public var thresholds: [Threshold]
    /// How much virtual time one row of the time series covers; whole milliseconds.
    public var timeseriesIntervalNanoseconds: Int64

    /// How long a run can last: one second to thirty days.
    public static let durationRange: ClosedRange<Int64> = 1_000_000_000...2_592_000_000_000_000

    /// How many users a population can have.
    public static let usersRange: ClosedRange<Int64> = 1...10_000_000

    /// The users of all populations together.
    public var users: Int64 { populations.reduce(0) { $0 + $1.users } }

    /// A journey and how often it is chosen, in proportion to the weights of the others.
    public struct JourneyWeight: Hashable, Sendable {
        /// The journey's name.
        public let journey: String
        /// Its weight; positive.
        public let weight: Double
    }
}

extension Profile {
    /// A group of users with the same habits.
    public struct Population: Hashable, Sendable {
        /// The group's name; no two groups share one.
        public var name: String
        /// The app they use.
        public var app: String
        /// Which token design the app has.
        public var design: String
        /// Which version of Alamofire the app was built with.
        public var clientLibrary: ClientLibrary
        /// Which failed calls their app sends again beside those it was built to.
        public var retries: Retries
        /// How many they are; with an open load, the most sessions at once.
        public var users: Int64
        /// What they come for, in the file's order.
        public var journeys: [JourneyWeight]
        /// What makes them begin a journey.
        public var load: Load
        /// Pause between two steps of a journey.
        public var thinkTime: DistributionSpec
        /// Time between two journeys.
        public var away: DistributionSpec
        /// They arrive evenly within this time.
        public var arriveOverNanoseconds: Int64
        /// How long they watch a step that does not end before they give up.
        public var patienceNanoseconds: Int64
        /// Whether they signed in before the run.
        public var startsSignedIn: Bool
        /// The state of the access token they arrive with.
        public var initialTokens: InitialTokens
    }

    /// A version of Alamofire whose rules an app's client follows.
    public enum ClientLibrary: String, Hashable, Sendable, CaseIterable {
        /// 5.12.0.
        case alamofire5_12 = "5.12"
        /// 5.9, which the apps of 2023 and 2024 shipped.
        case alamofire5_9 = "5.9"
    }

    /// How an app sends failed calls again beside what its own code does.
    public enum Retries: String, Hashable, Sendable, CaseIterable {
        /// Not at all.
        case none
        /// As the library does: twice, after 0.5 s and 1 s.
        case naive
        /// The same with delays that are spread at random.
        case jittered
        /// The same, and each phone has a budget: a retry for every ten requests.
        case budgeted
        /// As `jittered`, and each phone refuses its own calls, the more of them the more of late
        /// were refused or never answered.
        case adaptive
    }

    /// The state of an access token at the beginning of a run.
    public enum InitialTokens: String, Hashable, Sendable {
        /// Just issued.
        case fresh
        /// No longer accepted.
        case expired
    }
}
