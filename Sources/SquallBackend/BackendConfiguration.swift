/// Everything about the far side of the network that a profile can say.
public struct BackendConfiguration: Sendable {
    /// Which protocols the server speaks.
    public var generations: [Generation]
    /// The keys of the projects it serves; one app has one.
    public var serviceKeys: [String]
    /// How long tokens live.
    public var tokens: TokenPolicy
    /// What there is to read.
    public var content: ContentPlan
    /// What lies between a client and the server.
    public var network: NetworkPlan
    /// How much the server can do at once.
    public var server: ServerPlan
    /// How the payment provider behaves.
    public var payments: PaymentPlan
    /// What the external catalogue holds beside the server.
    public var catalogue: CataloguePlan
    /// What goes wrong, and when.
    public var faults: [Fault]
    /// How many users have an account before the run.
    public var userCount: Int
    /// Whether a post's encoding is kept until the post changes; no byte of an answer depends on
    /// it.
    public var cachesEncodings: Bool

    /// A plan in which everything is said.
    public init(
        generations: [Generation], serviceKeys: [String], tokens: TokenPolicy, content: ContentPlan,
        network: NetworkPlan, server: ServerPlan, payments: PaymentPlan, catalogue: CataloguePlan,
        faults: [Fault], userCount: Int, cachesEncodings: Bool
    ) {
        self.generations = generations
        self.serviceKeys = serviceKeys
        self.tokens = tokens
        self.content = content
        self.network = network
        self.server = server
        self.payments = payments
        self.catalogue = catalogue
        self.faults = faults
        self.userCount = userCount
        self.cachesEncodings = cachesEncodings
    }

    /// A key for each app there is.
    public static let serviceKeysOfAllApps = [
        "scrolly-key", "thisbook-key", "shared-key", "ootd-key",
    ]
}

/// What there is to read.
public struct ContentPlan: Sendable {
    /// How many novels.
    public var novels: Int
    /// How many episodes the shortest and the longest novel have.
    public var episodesPerNovel: ClosedRange<Int>
    /// How many posts about books, for 이책저책.
    public var bookPosts: Int
    /// How many questions about presents, for Share.D.
    public var giftQuestions: Int
    /// How many outfits, for OOTD.
    public var outfits: Int
}
