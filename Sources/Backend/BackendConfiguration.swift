/// Everything about the far side of the network that a profile can say.
public struct BackendConfiguration: Sendable {
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
}

/// What there is to read.
public struct ContentPlan: Sendable {
    /// How many novels.
    public var novels = 20
    /// How many episodes the shortest and the longest novel have.
    public var episodesPerNovel = 10...50

    /// The defaults: the cardinalities of Scrolly's own seeding tool.
    public init() {}
}
