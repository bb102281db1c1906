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
        /// How the payment provider behaves.
        public var payments: Payments
        /// The external search.
        public var catalogue: Catalogue
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
}

extension Profile {
    /// The shop and book search on a host of its own.
    public struct Catalogue: Hashable, Sendable {
        /// How many products and how many books there are.
        public var items: Int64
        /// Time between two items that are added; nil when none is.
        public var insertGap: DistributionSpec?
        /// Time between two items that are taken away; nil when none is.
        public var removalGap: DistributionSpec?
        /// Time of a search before its rows count.
        public var serviceTime: DistributionSpec
        /// What each row that was looked at adds.
        public var perScannedRowNanoseconds: Int64
        /// The highest offset that may be asked for.
        public var startMax: Int64
        /// Whether items of equal price or day keep their order.
        public var breaksTies: Bool
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
    public enum LossNotice: String, Hashable, Sendable {
        /// Nothing ever comes.
        case timeout
        /// The connection breaks.
        case connectionLost
    }

    /// What the server can bear.
    public struct Server: Hashable, Sendable {
        /// How many requests are served at once.
        public var workers: Int64
        /// How many requests wait at most; more are turned away.
        public var queueLimit: Int64
        /// Time a worker needs for a request.
        public var serviceTime: DistributionSpec
        /// That time by endpoint, where it differs.
        public var serviceTimes: [String: DistributionSpec]
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
    }

    /// How often somebody may call.
    public struct Rate: Hashable, Sendable {
        /// Calls a second in the long run.
        public var perSecond: Double
        /// Calls that can be saved up.
        public var burst: Int64
    }

    /// How the payment provider behaves.
    public struct Payments: Hashable, Sendable {
        /// How long somebody looks at its page.
        public var duration: DistributionSpec
        /// How likely somebody closes the page without paying.
        public var cancelProbability: Double
        /// How likely the app hears nothing of a charge.
        public var noCallbackProbability: Double
        /// How likely the app hears of a charge without its number.
        public var lostReceiptProbability: Double
        /// What becomes of a second payment with the same merchant number.
        public var equalMerchantIDs: EqualMerchantIDs

        /// What becomes of a second payment with the same merchant number.
        public enum EqualMerchantIDs: String, Hashable, Sendable {
            /// It is charged as well.
            case charge
            /// It is refused.
            case refuse
            /// It is answered with the first one's receipt, and nothing is charged.
            case firstReceipt
        }
    }
}

extension Profile {
    /// Something that goes wrong during the run; nil where its kind has no use for a setting.
    public struct Fault: Hashable, Sendable {
        /// What happens.
        public var kind: Kind
        /// When it happens or begins, from the beginning of the run.
        public var atNanoseconds: Int64
        /// How long it lasts; nil for the rest of the run.
        public var lastsNanoseconds: Int64?
        /// How likely it strikes an attempt.
        public var probability: Double
        /// Which calls it concerns; empty for all.
        public var endpoints: [String]
        /// Whose users it concerns; nil for everybody's.
        public var app: String?
        /// Which share of those users it concerns.
        public var users: Double
        /// What latency is multiplied by.
        public var factor: Double
        /// What is added to the way up.
        public var added: DistributionSpec
        /// What the server answers.
        public var status: Int64?
        /// How a client learns of a loss.
        public var lossNotice: LossNotice
        /// How many workers are left.
        public var workers: Int64?
        /// How wrong clocks are at most.
        public var skewNanoseconds: Int64?

        /// What can happen.
        public enum Kind: String, Hashable, Sendable {
            /// Every access token issued so far stops being accepted.
            case expireAllTokens
            /// Every refresh token issued so far stops being accepted.
            case revokeRefreshTokens
            /// The ways take longer.
            case latency
            /// The server answers an error.
            case serverError
            /// Signing in and refreshing are answered 503.
            case tokenOutage
            /// Requests are lost.
            case dropRequest
            /// Answers are lost.
            case dropAnswer
            /// No connections come about.
            case refuseConnection
            /// Requests arrive twice.
            case duplicate
            /// The second half of answers is missing.
            case partialBody
            /// Bytes of answers are overwritten.
            case corruptBody
            /// There are fewer workers.
            case capacity
            /// Workers' clocks are wrong.
            case clockSkew
        }
    }
}
