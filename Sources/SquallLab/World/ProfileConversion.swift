import SquallApps
public import SquallBackend
import SquallFormat
import SquallKernel
import SquallServices

// From a profile to plans. A plan reads its own section, so no default stands here.

extension LoadModel {
    /// The load that a profile asks for; `arrivals` decides when sessions arrive.
    init(_ load: Profile.Load, arrivals stream: RandomStream) {
        switch load {
        case .closed(let pacing, let stages):
            self = .closed(
                pacingNanoseconds: pacing, active: stages.isEmpty ? nil : ActiveUsers(stages))
        case .open(let arrivals):
            self = .open(
                ArrivalProcess(arrivals, stream: stream), continues: arrivals.continues,
                arrivals.overflow)
        }
    }
}

extension BackendPlan {
    /// The backend that a profile asks for.
    init(_ profile: Profile) {
        let plans = PopulationPlan.all(of: profile)
        self.init(
            profile.backend, faults: profile.backend.faults.map { Fault($0, of: plans) },
            userCount: Int(profile.users))
        let told = ServiceKind.serviceTimes(of: ServicesPlan(profile.backend))
        server.serviceTimes.merge(told) { own, _ in own }
    }

    /// The backend of a profile that sets nothing for it; the number of users is set later.
    public static var standard: BackendPlan {
        BackendPlan(Profile.standard(.installed).backend, faults: [], userCount: 0)
    }

    private init(_ backend: Profile.Backend, faults: [Fault], userCount: Int) {
        self.init(
            tokens: backend.tokens, network: backend.network, server: backend.server,
            faults: faults, userCount: userCount, identity: StreamIdentity())
        server.serving.stages.sortByTime()
        for index in server.serving.pools.indices {
            server.serving.pools[index].stages.sortByTime()
        }
    }
}

extension ServicesPlan {
    /// The services that a profile asks for.
    init(_ profile: Profile) {
        self.init(profile.backend)
        userCount = Int(profile.users)
        cachesEncodings = profile.cachesEncoding
    }

    /// The services of a profile's backend, without any accounts.
    init(_ backend: Profile.Backend) {
        self = .standard
        for setting in ServiceKind.all.flatMap(\.settings) {
            self[setting] = backend.value(of: setting)
        }
    }
}

extension [WorkerStage] {
    /// In order of time; of two at one instant the later one in the file applies.
    fileprivate mutating func sortByTime() {
        self = enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
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
