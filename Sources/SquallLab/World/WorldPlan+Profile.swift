import SquallApps
import SquallBackend
import SquallClient
public import SquallKernel
public import SquallProfile
import SquallServices

extension World {
    /// Builds the world a profile describes, at the beginning of its time.
    public convenience init(_ profile: Profile, strictness: Strictness) {
        self.init(WorldPlan(profile), strictness: strictness)
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
        profile.populations.map(PopulationPlan.init)
    }

    private init(_ population: Profile.Population) {
        guard let app = AppRegistry.app(named: population.app) else {
            preconditionFailure("a checked profile names the unknown app \(population.app)")
        }
        self.init(
            named: population.name, app, users: Int(population.users),
            journeys: population.journeys.map { ($0.journey, $0.weight) },
            design: population.design, habits: population)
    }
}

extension LibraryBehaviour {
    /// The rules of the version that a profile names.
    init(_ library: Profile.ClientLibrary) {
        switch library {
        case .alamofire5_12: self = .alamofire5_12
        case .alamofire5_9: self = .alamofire5_9
        }
    }
}

extension Profile.Retries {
    /// Makes a session's policy; the policies that keep nothing are one.
    var policies: (@Sendable () -> any RequestInterceptor)? {
        switch self {
        case .none: return nil
        case .naive:
            let policy = RetryPolicy()
            return { policy }
        case .jittered:
            let policy = RetryPolicy(pacing: RetryPacing { $0.jitter = .full })
            return { policy }
        case .adaptive:
            let policy = RetryPolicy(pacing: RetryPacing { $0.jitter = .full })
            return { Interceptor(interceptors: [AdaptiveThrottling(), policy]) }
        case .budgeted:
            return {
                RetryPolicy(
                    pacing: RetryPacing {
                        $0.jitter = .full
                        $0.respectsRetryAfter = true
                        // Google's tenth. A phone that has saved nothing may still try once.
                        $0.budget = RetryBudget(ratio: 0.1, capacity: 1)
                    })
            }
        }
    }
}
