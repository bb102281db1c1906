public import SquallBackend
import SquallFormat
import SquallKernel
import SquallProfile
import SquallServices

// From a profile to plans. Every initialiser that is called here wants each of its values said, so
// that nothing can be forgotten, and no default stands here.

extension Distribution {
    /// The law that a profile asks for.
    init(_ setting: CheckedSetting) {
        self = setting.value(as: .distribution(0...Int64.max))
    }
}

extension LoadModel {
    /// The load that a profile asks for; `arrivals` decides when sessions arrive.
    init(_ load: Profile.Load, arrivals stream: RandomStream) {
        switch load {
        case .closed(let pacing, let stages):
            self = .closed(
                pacingNanoseconds: pacing, active: stages.isEmpty ? nil : ActiveUsers(stages))
        case .open(let arrivals):
            self = .open(
                ArrivalProcess(arrivals, stream: stream), continues: 0, arrivals.overflow)
        case .partlyOpen(let arrivals, let probability):
            self = .open(
                ArrivalProcess(arrivals, stream: stream), continues: probability,
                arrivals.overflow)
        }
    }
}

extension BackendPlan {
    /// The far side that a profile asks for.
    init(_ profile: Profile) {
        let plans = PopulationPlan.all(of: profile)
        self.init(
            profile.backend, faults: profile.backend.faults.map { Fault($0, of: plans) },
            userCount: Int(profile.users))
        let told = ServiceKind.serviceTimes(of: ServicesPlan(profile.backend))
        server.serviceTimes.merge(told) { own, _ in own }
    }

    /// The far side of a profile that says nothing about it; users are yet to be counted.
    public static var standard: BackendPlan {
        BackendPlan(.standard(.installed), faults: [], userCount: 0)
    }

    private init(_ backend: Profile.Backend, faults: [Fault], userCount: Int) {
        self.init(
            tokens: TokenPolicy(backend.tokens), network: NetworkPlan(backend.network),
            server: ServerPlan(backend.server), faults: faults, userCount: userCount,
            people: People())
    }
}

extension ServicesPlan {
    /// The services that a profile asks for.
    init(_ profile: Profile) {
        self.init(profile.backend)
        userCount = Int(profile.users)
        cachesEncodings = profile.cachesEncoding
    }

    /// What a backend says of services, without anybody who has an account.
    init(_ backend: Profile.Backend) {
        self = .standard
        for setting in ServiceKind.all.flatMap(\.settings) {
            self[setting] = backend.value(of: setting)
        }
    }
}
