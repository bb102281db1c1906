public import SquallBackend
import SquallFormat
import SquallKernel
public import SquallServices

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
    public init(_ profile: Profile) {
        let numbers = UserNumbers(profile.populations.map { Int($0.users) })
        let faults = profile.backend.faults.map { fault in
            let own = profile.populations.indices.filter {
                profile.populations[$0].app == fault.app
            }
            return Fault(
                fault,
                users: own.map {
                    let users = numbers.users(of: $0)
                    return UInt64(users.lowerBound)..<UInt64(users.upperBound)
                })
        }
        let backend = profile.backend
        self.init(
            tokens: backend.tokens, network: backend.network, server: backend.server,
            faults: faults, userCount: Int(profile.users))
        server.serving.stages.sortByTime()
        for index in server.serving.pools.indices {
            server.serving.pools[index].stages.sortByTime()
        }
        let told = ServiceKind.serviceTimes(of: ServicesPlan(profile.backend))
        server.serviceTimes.merge(told) { own, _ in own }
    }

    /// The backend of a profile that sets nothing for it; the number of users is set later.
    public static var standard: BackendPlan {
        BackendPlan(tokens: .standard, network: .standard, server: .standard, userCount: 0)
    }
}

extension ServicesPlan {
    /// The services that a profile asks for.
    public init(_ profile: Profile) {
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
