import SquallKernel

@testable import SquallBackend

// Plans for tests, every value said. They are no defaults: those stand in the profile's table only.

extension BackendConfiguration {
    init() {
        self.init(
            generations: [.year2024], serviceKeys: BackendConfiguration.serviceKeysOfAllApps,
            tokens: TokenPolicy(), content: ContentPlan(), network: NetworkPlan(),
            server: ServerPlan(), payments: PaymentPlan(), catalogue: CataloguePlan(), faults: [],
            userCount: 0, cachesEncodings: true)
    }
}

extension TokenPolicy {
    init() {
        self.init(
            accessLifetimeNanoseconds: 300_000_000_000,
            refreshLifetimeNanoseconds: 21_600_000_000_000, lifetimeJitterNanoseconds: 0,
            refresh: .coexist, refreshRevokesAccessTokens: false, revocationLagNanoseconds: 0)
    }
}

extension ContentPlan {
    init() {
        self.init(
            novels: 20, episodesPerNovel: 10...50, bookPosts: 400, giftQuestions: 200,
            outfits: 200)
    }
}

extension NetworkPlan {
    init() {
        let way = Distribution.logNormal(median: 20_000_000, sigma: 0.4, maximum: 2_000_000_000)
        self.init(
            up: way, down: way, connectionsPerHost: 6, timeoutNanoseconds: 60_000_000_000,
            bandwidthBytesPerSecond: nil, uploadBytesPerSecond: nil, connectFailureProbability: 0,
            requestLossProbability: 0, answerLossProbability: 0, lossNotice: .timeout)
    }
}

extension ServerPlan {
    init() {
        self.init(
            workers: 64, queueLimit: 10_000, serviceTime: .exponential(mean: 5_000_000),
            serviceTimes: [:], perItemNanoseconds: 0, perScannedRowNanoseconds: 0,
            waitLimitNanoseconds: nil, userRate: nil, keyRate: nil, retryAfterNanoseconds: nil,
            clockSkewNanoseconds: 0)
    }
}

extension PaymentPlan {
    init() {
        self.init(
            duration: .uniform(low: 2_000_000_000, high: 8_000_000_000), cancelProbability: 0.1,
            noCallbackProbability: 0, lostReceiptProbability: 0, equalMerchantIDs: .charge)
    }
}

extension CataloguePlan {
    init() {
        self.init(
            items: 1_000, insertGap: nil, removalGap: nil,
            serviceTime: .exponential(mean: 30_000_000), nanosecondsPerRow: 2_000,
            startMax: 1_000, breaksTies: true)
    }
}

// Kinds of faults as tests write them.

extension FaultKind where Self == LatencyFault {
    static func latency(factor: Double, added: Distribution) -> LatencyFault {
        LatencyFault(factor: factor, added: added)
    }
}

extension FaultKind where Self == ServerError {
    static func serverError(status: Int) -> ServerError { ServerError(status: status) }
}

extension FaultKind where Self == DropRequest {
    static func dropRequest(_ notice: LossNotice) -> DropRequest { DropRequest(notice: notice) }
}

extension FaultKind where Self == DropAnswer {
    static func dropAnswer(_ notice: LossNotice) -> DropAnswer { DropAnswer(notice: notice) }
}

extension FaultKind where Self == ExpireAllTokens {
    static var expireAllTokens: ExpireAllTokens { ExpireAllTokens() }
}

extension FaultKind where Self == RevokeRefreshTokens {
    static var revokeRefreshTokens: RevokeRefreshTokens { RevokeRefreshTokens() }
}

extension FaultKind where Self == TokenOutage {
    static var tokenOutage: TokenOutage { TokenOutage() }
}

extension FaultKind where Self == RefuseConnection {
    static var refuseConnection: RefuseConnection { RefuseConnection() }
}

extension FaultKind where Self == DuplicateRequest {
    static var duplicate: DuplicateRequest { DuplicateRequest() }
}

extension FaultKind where Self == PartialBody {
    static var partialBody: PartialBody { PartialBody() }
}

extension FaultKind where Self == CorruptBody {
    static var corruptBody: CorruptBody { CorruptBody() }
}

extension FaultKind where Self == CapacityLoss {
    static func capacity(workers: Int) -> CapacityLoss { CapacityLoss(workers: workers) }
}

extension FaultKind where Self == ClockSkew {
    static func clockSkew(nanoseconds: Int64) -> ClockSkew { ClockSkew(nanoseconds: nanoseconds) }
}
