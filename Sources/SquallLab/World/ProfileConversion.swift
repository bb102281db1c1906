public import SquallBackend
import SquallFormat
import SquallKernel
import SquallProfile

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
            self = .open(ArrivalProcess(arrivals, stream: stream), continues: 0)
        case .partlyOpen(let arrivals, let probability):
            self = .open(ArrivalProcess(arrivals, stream: stream), continues: probability)
        }
    }
}

extension BackendConfiguration {
    /// The backend that a profile asks for.
    init(_ profile: Profile) {
        let plans = PopulationPlan.all(of: profile)
        self.init(
            profile.backend, userCount: Int(profile.users),
            cachesEncodings: profile.cachesEncoding,
            faults: profile.backend.faults.map { Fault($0, of: plans) })
    }

    /// The backend of a profile that says nothing about it, with so many users.
    public static func standard(userCount: Int) -> BackendConfiguration {
        BackendConfiguration(
            Profile.Backend.standard(.installed), userCount: userCount, cachesEncodings: true,
            faults: [])
    }

    private init(
        _ backend: Profile.Backend, userCount: Int, cachesEncodings: Bool, faults: [Fault]
    ) {
        self.init(
            generations: backend.value(of: Generation.setting),
            serviceKeys: BackendConfiguration.serviceKeysOfAllApps,
            tokens: TokenPolicy(backend.tokens), content: backend.value(of: ContentPlan.setting),
            network: NetworkPlan(backend.network), server: ServerPlan(backend.server),
            payments: backend.value(of: PaymentPlan.setting),
            catalogue: backend.value(of: CataloguePlan.setting), faults: faults,
            userCount: userCount, cachesEncodings: cachesEncodings)
    }
}
