import SquallApps
public import SquallBackend
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
                arrivals.overflow,
                returning: arrivals.whoReturns == .drawn ? stream.stream("who.returns") : nil)
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

extension WorldPlan {
    /// The world that a checked profile asks for.
    public init(_ profile: Profile) {
        self.init(
            seed: profile.seed, populations: PopulationPlan.all(of: profile),
            backend: BackendPlan(profile), services: ServicesPlan(profile))
        sharesDecoding = profile.cachesDecoding
        timeseriesIntervalNanoseconds = profile.timeseriesIntervalNanoseconds
        durationNanoseconds = profile.durationNanoseconds
    }
}

extension PopulationPlan {
    /// The populations of a profile, in its order.
    static func all(of profile: Profile) -> [PopulationPlan] {
        profile.populations.map { population in
            guard let app = profile.app(named: population.app) else {
                preconditionFailure("a checked profile names the unknown app \(population.app)")
            }
            return PopulationPlan(app, population)
        }
    }
}

extension ProfileVocabulary {
    /// The vocabulary with the installed apps.
    public static let installed = ProfileVocabulary(
        apps: AppRegistry.all,
        endpoints: ServiceKind.all.flatMap(\.endpoints).map(\.name))
}

extension Profile.Backend {
    /// The reason for which it cannot serve an app, by the app's name; `nil` when it can.
    ///
    /// An app speaks with the server of one generation, which a backend may not have.
    func problem(servingApp name: String) -> String? {
        guard let app = AppRegistry.app(named: name), !app.origin.isEmpty else { return nil }
        let plan = ServicesPlan(self)
        let origins = ServiceKind.mounted(by: plan).flatMap { $0.origins(plan) }
        guard !origins.contains(app.origin) else { return nil }
        if plan.declared.isDeclared {
            return "it speaks with \(app.origin), and /backend/service stands in the place of all"
                + " built-in servers; declare the app as well, in /apps"
        }
        return "it speaks with \(app.origin), and this backend serves"
            + " \(origins.joined(separator: ", ")); let /backend/generation be another, or \"both\""
    }
}
