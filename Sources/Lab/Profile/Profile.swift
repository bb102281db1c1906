public import Report

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

    /// The state of an access token at the beginning of a run.
    public enum InitialTokens: String, Hashable, Sendable {
        /// Just issued.
        case fresh
        /// No longer accepted.
        case expired
    }
}

extension Profile {
    /// The far side of the network.
    public struct Backend: Hashable, Sendable {
        /// Which protocols the server speaks: `2023`, `2024` or `both`.
        public var generation: String
        /// Lifetimes of tokens.
        public var tokens: Tokens
        /// What there is to read.
        public var content: Content
        /// The way to the server.
        public var network: Network
        /// What the server can bear.
        public var server: Server
        /// What is done to the server during the run, in the file's order.
        public var faults: [Fault]
    }

    /// Lifetimes of tokens, and what a refresh does to them.
    public struct Tokens: Hashable, Sendable {
        /// How long an access token is good for.
        public var accessLifetimeNanoseconds: Int64
        /// How long a refresh token is good for.
        public var refreshLifetimeNanoseconds: Int64
        /// Random spread of the lifetimes of access tokens.
        public var lifetimeJitterNanoseconds: Int64
        /// What becomes of a refresh token that is shown.
        public var refresh: RefreshRule
        /// How long a used refresh token is still good with leeway or replay.
        public var reuseWindowNanoseconds: Int64
        /// How many generations old a token the leeway accepts.
        public var reuseGenerations: Int64
        /// Whether replay answers the parent of a token that was never used at any time.
        public var replaysUnusedChild: Bool
        /// Whether a refresh ends the life of older access tokens.
        public var refreshRevokesAccessTokens: Bool
        /// For how long the newest token of a revoked sign-in still refreshes.
        public var revocationLagNanoseconds: Int64

        /// Names of refresh semantics.
        public enum RefreshRule: String, Hashable, Sendable {
            /// The token stays good.
            case coexist
            /// The same, and refreshing before the access token has expired is refused.
            case early409
            /// Each token is good once; reuse ends the sign-in.
            case rotatingStrict
            /// The same, but the latest used token buys another one for a while.
            case rotatingWithLeeway
            /// The same, but the latest used token brings its successor again for a while.
            case rotatingWithReplay
            /// Each token is good once; reuse is refused.
            case oneShot
        }
    }

    /// What there is to read.
    public struct Content: Hashable, Sendable {
        /// How many novels there are.
        public var novels: Int64
        /// Episodes of the shortest and of the longest novel.
        public var episodesPerNovel: ClosedRange<Int64>
        /// How many posts about books there are, for 이책저책.
        public var bookPosts: Int64
        /// How many questions about presents there are, for Share.D.
        public var giftQuestions: Int64
        /// How many outfits there are, for OOTD.
        public var outfits: Int64
    }

    /// The way to the server.
    public struct Network: Hashable, Sendable {
        /// Time a request travels to the server.
        public var up: DistributionSpec
        /// Time an answer travels back.
        public var down: DistributionSpec
        /// How many requests of one user are under way at once.
        public var connectionsPerHost: Int64
        /// When an attempt without an answer fails.
        public var timeoutNanoseconds: Int64
        /// Speed of each user's line; nil means unlimited.
        public var bandwidthBytesPerSecond: Int64?
    }

    /// What the server can bear.
    public struct Server: Hashable, Sendable {
        /// How many requests are served at once.
        public var workers: Int64
        /// How many requests wait at most; more are turned away.
        public var queueLimit: Int64
        /// Time a worker needs for a request.
        public var serviceTime: DistributionSpec
    }

    /// Something that is done to the server during the run.
    public struct Fault: Hashable, Sendable {
        /// What happens.
        public var kind: Kind
        /// When it happens, from the beginning of the run.
        public var atNanoseconds: Int64

        /// What can happen.
        public enum Kind: String, Hashable, Sendable {
            /// Every access token issued so far stops being accepted.
            case expireAllTokens
            /// Every refresh token issued so far stops being accepted.
            case revokeRefreshTokens
        }
    }
}
