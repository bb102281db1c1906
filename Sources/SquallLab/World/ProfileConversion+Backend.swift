import SquallApps
import SquallBackend
import SquallKernel
import SquallServices

extension TokenPolicy {
    init(_ tokens: Profile.Tokens) {
        self.init()
        accessLifetimeNanoseconds = tokens.accessLifetimeNanoseconds
        refreshLifetimeNanoseconds = tokens.refreshLifetimeNanoseconds
        lifetimeJitterNanoseconds = tokens.lifetimeJitterNanoseconds
        refreshRevokesAccessTokens = tokens.refreshRevokesAccessTokens
        revocationLagNanoseconds = tokens.revocationLagNanoseconds
        refresh = RefreshSemantics(tokens)
    }
}

extension RefreshSemantics {
    fileprivate init(_ tokens: Profile.Tokens) {
        switch tokens.refresh {
        case .coexist: self = .coexist
        case .early409: self = .early409
        case .rotatingStrict: self = .rotatingStrict
        case .rotatingWithLeeway:
            self = .rotatingWithLeeway(
                windowNanoseconds: tokens.reuseWindowNanoseconds,
                generations: UInt32(tokens.reuseGenerations))
        case .rotatingWithReplay:
            self = .rotatingWithReplay(
                windowNanoseconds: tokens.reuseWindowNanoseconds,
                parentOfActive: tokens.replaysUnusedChild)
        case .oneShot: self = .oneShot
        }
    }
}

extension NetworkPlan {
    init(_ network: Profile.Network) {
        self.init()
        up = Distribution(network.up)
        down = Distribution(network.down)
        connectionsPerHost = Int(network.connectionsPerHost)
        timeoutNanoseconds = network.timeoutNanoseconds
        bandwidthBytesPerSecond = network.bandwidthBytesPerSecond
        uploadBytesPerSecond = network.uploadBytesPerSecond
        connectFailureProbability = network.connectFailureProbability
        requestLossProbability = network.requestLossProbability
        answerLossProbability = network.answerLossProbability
        lossNotice = LossNotice(network.lossNotice)
    }
}

extension LossNotice {
    fileprivate init(_ notice: Profile.LossNotice) {
        switch notice {
        case .timeout: self = .timeout
        case .connectionLost: self = .connectionLost
        }
    }
}

extension ServerPlan {
    init(_ server: Profile.Server) {
        self.init()
        workers = Int(server.workers)
        queueLimit = Int(server.queueLimit)
        serviceTime = Distribution(server.serviceTime)
        for (name, time) in server.serviceTimes {
            serviceTimes[name] = Distribution(time)
        }
        perItemNanoseconds = server.perItemNanoseconds
        perScannedRowNanoseconds = server.perScannedRowNanoseconds
        waitLimitNanoseconds = server.waitLimitNanoseconds
        userRate = server.userRate.map(RateLimit.init)
        keyRate = server.keyRate.map(RateLimit.init)
        retryAfterNanoseconds = server.retryAfterNanoseconds
        clockSkewNanoseconds = server.clockSkewNanoseconds
    }
}

extension RateLimit {
    fileprivate init(_ rate: Profile.Rate) {
        self.init(perSecond: rate.perSecond, burst: rate.burst)
    }
}

extension PaymentPlan {
    init(_ payments: Profile.Payments) {
        self.init()
        duration = Distribution(payments.duration)
        cancelProbability = payments.cancelProbability
        noCallbackProbability = payments.noCallbackProbability
        lostReceiptProbability = payments.lostReceiptProbability
        switch payments.equalMerchantIDs {
        case .charge: equalMerchantIDs = .charge
        case .refuse: equalMerchantIDs = .refuse
        case .firstReceipt: equalMerchantIDs = .firstReceipt
        }
    }
}

extension Fault {
    /// The fault that a profile asks for, in a world with these populations.
    init(_ fault: Profile.Fault, of plans: [PopulationPlan]) {
        let start = Instant(nanoseconds: fault.atNanoseconds)
        self.init(Kind(fault), from: start, probability: fault.probability)
        if let span = fault.lastsNanoseconds { end = start.advanced(byNanoseconds: span) }
        scope.endpoints = Set(fault.endpoints)
        scope.fraction = fault.users
        scope.users = plans.filter { $0.app.name == fault.app }.map {
            UInt64($0.users.lowerBound)..<UInt64($0.users.upperBound)
        }
    }
}

extension Fault.Kind {
    fileprivate init(_ fault: Profile.Fault) {
        switch fault.kind {
        case .expireAllTokens: self = .expireAllTokens
        case .revokeRefreshTokens: self = .revokeRefreshTokens
        case .latency:
            self = .latency(factor: fault.factor, added: Distribution(fault.added))
        case .serverError: self = .serverError(status: Int(fault.status ?? 500))
        case .tokenOutage: self = .tokenOutage
        case .dropRequest: self = .dropRequest(LossNotice(fault.lossNotice))
        case .dropAnswer: self = .dropAnswer(LossNotice(fault.lossNotice))
        case .refuseConnection: self = .refuseConnection
        case .duplicate: self = .duplicate
        case .partialBody: self = .partialBody
        case .corruptBody: self = .corruptBody
        case .capacity: self = .capacity(workers: Int(fault.workers ?? 0))
        case .clockSkew: self = .clockSkew(nanoseconds: fault.skewNanoseconds ?? 0)
        }
    }
}
