public import Kernel

/// Everything about the far side of the network that a profile can say.
public struct BackendConfiguration: Sendable {
    /// Which protocols the server speaks.
    public var generations = [Generation.year2024]
    /// The keys of the projects it serves; one app has one.
    public var serviceKeys = BackendConfiguration.serviceKeysOfAllApps
    /// How long tokens live.
    public var tokens = TokenPolicy()
    /// What there is to read.
    public var content = ContentPlan()
    /// What lies between a client and the server.
    public var network = NetworkPlan()
    /// How much the server can do at once.
    public var server = ServerPlan()
    /// How the payment provider behaves.
    public var payments = PaymentPlan()
    /// What goes wrong, and when.
    public var faults: [Fault] = []
    /// How many users have an account before the run.
    public var userCount = 0
    /// Whether a post's encoding is kept until the post changes; no byte of an answer depends on
    /// it.
    public var cachesEncodings = true

    /// The defaults of every part.
    public init() {}

    /// A key for each app there is.
    public static let serviceKeysOfAllApps = [
        "scrolly-key", "thisbook-key", "shared-key", "ootd-key",
    ]
}

/// What there is to read.
public struct ContentPlan: Sendable {
    /// How many novels.
    public var novels = 20
    /// How many episodes the shortest and the longest novel have.
    public var episodesPerNovel = 10...50
    /// How many posts about books, for 이책저책.
    public var bookPosts = 400
    /// How many questions about presents, for Share.D.
    public var giftQuestions = 200
    /// How many outfits, for OOTD.
    public var outfits = 200

    /// The defaults: the cardinalities of Scrolly's own seeding tool, and some pages for others.
    public init() {}
}

/// What lies between a client and the server.
public struct NetworkPlan: Sendable {
    /// How long a request travels.
    public var up = Distribution.logNormal(
        median: 20_000_000, sigma: 0.4, maximum: 2_000_000_000)
    /// How long an answer travels, before its size counts.
    public var down = Distribution.logNormal(
        median: 20_000_000, sigma: 0.4, maximum: 2_000_000_000)
    /// How many requests of one user are on the wire at once; others wait their turn.
    public var connectionsPerHost = 6
    /// After how long on the wire a client gives up waiting.
    public var timeoutNanoseconds: Int64 = 60_000_000_000
    /// Bytes a second that reach one user over one connection; `nil` when size takes no time.
    public var bandwidthBytesPerSecond: Int64?

    /// The defaults.
    public init() {}
}

/// How much the server can do at once.
public struct ServerPlan: Sendable {
    /// How many requests are worked on at once.
    public var workers = 64
    /// How many may wait; one more is answered 503.
    public var queueLimit = 10_000
    /// How long the work on one request takes.
    public var serviceTime = Distribution.exponential(mean: 5_000_000)

    /// The defaults.
    public init() {}
}

/// How the payment provider behaves.
public struct PaymentPlan: Sendable {
    /// How long somebody looks at the provider's page.
    public var duration = Distribution.uniform(low: 2_000_000_000, high: 8_000_000_000)
    /// How likely it is that somebody closes the page without paying.
    public var cancelProbability = 0.1

    /// The defaults.
    public init() {}
}

/// Something that goes wrong at an instant.
public enum Fault: Hashable, Sendable {
    /// Every access token issued so far counts as expired from now on, as when its key is rotated.
    case expireAllTokens(at: Instant)
    /// Every refresh token issued so far counts as expired from now on.
    case revokeRefreshTokens(at: Instant)

    /// When it happens.
    public var instant: Instant {
        switch self {
        case .expireAllTokens(let instant), .revokeRefreshTokens(let instant): instant
        }
    }
}
