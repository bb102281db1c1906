import SquallApps
import SquallBackend
import SquallClient
public import SquallKernel
import SquallServices

extension World {
    /// Builds the world a profile describes, at the beginning of its time.
    public convenience init(_ profile: Profile, strictness: Strictness) {
        self.init(WorldPlan(profile), strictness: strictness)
    }
}

extension WorldPlan {
    /// The world that a checked profile asks for.
    init(_ profile: Profile) {
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

extension Profile.Population {
    /// The rules of the client library's version.
    var behaviour: LibraryBehaviour {
        switch clientLibrary {
        case .alamofire5_12: .alamofire5_12
        case .alamofire5_9: .alamofire5_9
        }
    }

    /// Makes what every session asks after its own interceptors, such as a retry policy; stateless
    /// ones are shared.
    var commonInterceptor: (@Sendable () -> any RequestInterceptor)? {
        switch retries {
        case .none: return nil
        case .naive:
            let policy = retryPolicy.made { _ in }
            return { policy }
        case .jittered:
            let policy = retryPolicy.made { $0.jitter = .full }
            return { policy }
        case .adaptive:
            let policy = retryPolicy.made { $0.jitter = .full }
            return { Interceptor(interceptors: [AdaptiveThrottling(), policy]) }
        case .budgeted:
            let rules = retryPolicy
            return {
                rules.made {
                    $0.jitter = .full
                    $0.respectsRetryAfter = true
                    $0.budget = RetryBudget(ratio: rules.budget, capacity: Int(rules.savings))
                }
            }
        }
    }
}

extension Profile.RetryPolicy {
    /// A policy with these limits and delays.
    fileprivate func made(_ change: (inout RetryPacing) -> Void) -> RetryPolicy {
        RetryPolicy(
            retryLimit: UInt(limit), exponentialBackoffBase: UInt(factor),
            exponentialBackoffScale: Double(firstDelayNanoseconds) / 1e9,
            pacing: RetryPacing {
                $0.maximumDelay = longestDelayNanoseconds.map { Double($0) / 1e9 }
                change(&$0)
            })
    }
}
