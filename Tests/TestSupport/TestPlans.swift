public import SquallBackend
import SquallKernel
public import SquallServices

// Plans for tests, every value said. They are no defaults: those stand in the profile's table only.

extension BackendPlan {
    /// The values that tests are written for.
    public init() {
        self.init(
            tokens: TokenPolicy(), network: NetworkPlan(), server: ServerPlan(), faults: [],
            userCount: 0, identity: StreamIdentity())
    }
}

extension ServicesPlan {
    /// The values that tests are written for.
    public init() {
        self.init(userCount: 0, cachesEncodings: true)
        (contract, payments, catalogue) = (ContractPlan(), PaymentPlan(), CataloguePlan())
    }
}

extension ContractPlan {
    /// The values that tests are written for.
    public init() {
        self.init(years: [.year2024], content: ContentPlan(), cachesEncodings: true)
    }
}

extension TokenPolicy {
    /// The values that tests are written for.
    public init() {
        self.init(
            accessLifetimeNanoseconds: 300_000_000_000,
            refreshLifetimeNanoseconds: 21_600_000_000_000, lifetimeJitterNanoseconds: 0,
            refresh: .coexist, refreshRevokesAccessTokens: false, revocationLagNanoseconds: 0)
    }
}

extension ContentPlan {
    /// The values that tests are written for.
    public init() {
        self.init(
            novels: 20, episodesPerNovel: 10...50, bookPosts: 400, giftQuestions: 200,
            outfits: 200)
    }
}

extension NetworkPlan {
    /// The values that tests are written for.
    public init() {
        let way = Distribution.logNormal(median: 20_000_000, sigma: 0.4, maximum: 2_000_000_000)
        self.init(
            up: way, down: way, connectionsPerHost: 6, timeoutNanoseconds: 60_000_000_000,
            bandwidthBytesPerSecond: nil, uploadBytesPerSecond: nil, connectFailureProbability: 0,
            requestLossProbability: 0, answerLossProbability: 0, lossNotice: .timeout)
    }
}

extension ServerPlan {
    /// The values that tests are written for.
    public init() {
        self.init(
            workers: 64, queueLimit: 10_000, serviceTime: .exponential(mean: 5_000_000),
            serviceTimes: [:], perItemNanoseconds: 0, perScannedRowNanoseconds: 0,
            waitLimitNanoseconds: nil, userRate: nil, keyRate: nil, retryAfterNanoseconds: nil,
            clockSkewNanoseconds: 0, serving: .plain)
    }
}

extension PaymentPlan {
    /// The values that tests are written for.
    public init() {
        self.init(
            duration: .uniform(low: 2_000_000_000, high: 8_000_000_000), cancelProbability: 0.1,
            noCallbackProbability: 0, lostReceiptProbability: 0,
            lateCallbackProbability: 0, equalMerchantIDs: .charge)
    }
}

extension CataloguePlan {
    /// The values that tests are written for.
    public init() {
        self.init(
            items: 1_000, insertGap: nil, removalGap: nil,
            serviceTime: .exponential(mean: 30_000_000), nanosecondsPerRow: 2_000,
            startMax: 1_000, breaksTies: true)
    }
}
