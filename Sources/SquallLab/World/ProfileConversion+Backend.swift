import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel
import SquallProfile
import SquallServices

extension TokenPolicy {
    init(_ tokens: Profile.Tokens) {
        self.init(
            accessLifetimeNanoseconds: tokens.accessLifetimeNanoseconds,
            refreshLifetimeNanoseconds: tokens.refreshLifetimeNanoseconds,
            lifetimeJitterNanoseconds: tokens.lifetimeJitterNanoseconds,
            refresh: RefreshSemantics(tokens),
            refreshRevokesAccessTokens: tokens.refreshRevokesAccessTokens,
            revocationLagNanoseconds: tokens.revocationLagNanoseconds)
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
        self.init(
            up: Distribution(network.up), down: Distribution(network.down),
            connectionsPerHost: Int(network.connectionsPerHost),
            timeoutNanoseconds: network.timeoutNanoseconds,
            bandwidthBytesPerSecond: network.bandwidthBytesPerSecond,
            uploadBytesPerSecond: network.uploadBytesPerSecond,
            connectFailureProbability: network.connectFailureProbability,
            requestLossProbability: network.requestLossProbability,
            answerLossProbability: network.answerLossProbability,
            lossNotice: LossNotice(network.lossNotice))
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
        let times = server.serviceTimes.map { name, time in (name, Distribution(time)) }
        self.init(
            workers: Int(server.workers), queueLimit: Int(server.queueLimit),
            serviceTime: Distribution(server.serviceTime),
            serviceTimes: Dictionary(uniqueKeysWithValues: times),
            perItemNanoseconds: server.perItemNanoseconds,
            perScannedRowNanoseconds: server.perScannedRowNanoseconds,
            waitLimitNanoseconds: server.waitLimitNanoseconds,
            userRate: server.userRate.map(RateLimit.init),
            keyRate: server.keyRate.map(RateLimit.init),
            retryAfterNanoseconds: server.retryAfterNanoseconds,
            clockSkewNanoseconds: server.clockSkewNanoseconds)
    }
}

extension RateLimit {
    fileprivate init(_ rate: Profile.Rate) {
        self.init(perSecond: rate.perSecond, burst: rate.burst)
    }
}

extension Fault {
    /// The fault that a profile asks for, in a world with these populations.
    init(_ fault: Profile.Fault, of plans: [PopulationPlan]) {
        let start = Instant(nanoseconds: fault.atNanoseconds)
        let end = fault.lastsNanoseconds.map { start.advanced(byNanoseconds: $0) }
        var scope = Scope()
        scope.endpoints = Set(fault.endpoints)
        scope.fraction = fault.users
        let numbers = UserNumbers(plans.map(\.users))
        scope.users = plans.indices.filter { plans[$0].app.name == fault.app }.map {
            let users = numbers.users(of: $0)
            return UInt64(users.lowerBound)..<UInt64(users.upperBound)
        }
        self.init(
            fault.kind, fault.settings, from: start, to: end ?? Instant(nanoseconds: .max),
            scope: scope, probability: fault.probability)
    }
}
