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
    /// What the external catalogue holds beside the server.
    public var catalogue = CataloguePlan()
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
