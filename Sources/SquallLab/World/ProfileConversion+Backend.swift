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
            clockSkewNanoseconds: server.clockSkewNanoseconds,
            serving: ServingPlan(server.serving))
    }
}

extension ServingPlan {
    fileprivate init(_ serving: Profile.Serving) {
        self.init(
            stages: [WorkerStage](serving.stages), order: Order(serving.order),
            priorities: serving.priorities.mapValues { Int($0) },
            lateness: Lateness(serving.lateness), abandonment: Abandonment(serving.abandonment),
            pools: serving.pools.map(PoolPlan.init),
            database: serving.database.map(DatabasePlan.init))
    }
}

extension [WorkerStage] {
    /// In order of time; of two at one instant the later one in the file holds.
    fileprivate init(_ stages: [Profile.WorkerStage]) {
        let inOrder = stages.enumerated().sorted {
            ($0.element.atNanoseconds, $0.offset) < ($1.element.atNanoseconds, $1.offset)
        }
        self = inOrder.map { _, stage in
            WorkerStage(
                from: Instant(nanoseconds: stage.atNanoseconds), workers: Int(stage.workers))
        }
    }
}

extension ServingPlan.Order {
    fileprivate init(_ order: Profile.ServingOrder) {
        switch order {
        case .fifo: self = .fifo
        case .lifo: self = .lifo
        case .priority: self = .priority
        }
    }
}

extension ServingPlan.Lateness {
    fileprivate init(_ lateness: Profile.Lateness) {
        switch lateness {
        case .found: self = .found
        case .leaves: self = .leaves
        }
    }
}

extension ServingPlan.Abandonment {
    fileprivate init(_ abandonment: Profile.Abandonment) {
        switch abandonment {
        case .ignored: self = .ignored
        case .leavesLine: self = .leavesLine
        case .freesWorker: self = .freesWorker
        }
    }
}

extension PoolPlan {
    fileprivate init(_ pool: Profile.Pool) {
        self.init(
            name: pool.name, endpoints: Set(pool.endpoints), workers: Int(pool.workers),
            queueLimit: Int(pool.queueLimit), stages: [WorkerStage](pool.stages))
    }
}

extension DatabasePlan {
    fileprivate init(_ database: Profile.Database) {
        self.init(
            connections: Int(database.connections), queryTime: Distribution(database.queryTime),
            rowsPerSecond: database.rowsPerSecond, endpoints: Set(database.endpoints))
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
