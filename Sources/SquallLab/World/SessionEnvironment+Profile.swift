import SquallClient
import SquallHTTP
import SquallKernel

extension SessionEnvironment {
    /// One for each population, which differ in the library's version and its retries only.
    static func all(
        of profile: Profile, simulation: Simulation, transport: any Transport, root: RandomStream,
        recorder: Recorder
    ) -> [SessionEnvironment] {
        let decoder: any DataDecoder =
            profile.cachesDecoding
            ? RememberingDecoder(FoundationJSONDecoder()) : FoundationJSONDecoder()
        return profile.populations.map { population in
            SessionEnvironment(
                transport: transport, time: SimulatedTime(simulation: simulation),
                random: SimulatedRandomness(root: root), decoder: decoder,
                eventMonitors: [ClientTap(recorder: recorder)],
                behaviour: LibraryBehaviour(population.clientLibrary),
                configuration: SessionConfiguration(population.retries))
        }
    }
}

extension LibraryBehaviour {
    /// The rules of the version that a profile names.
    fileprivate init(_ library: Profile.ClientLibrary) {
        switch library {
        case .alamofire5_12: self = .alamofire5_12
        case .alamofire5_9: self = .alamofire5_9
        }
    }
}

extension SessionConfiguration {
    /// Alamofire's choices, with the retries that a profile asks for.
    fileprivate init(_ retries: Profile.Retries) {
        self.init()
        commonInterceptor = retries.policies
    }
}

extension Profile.Retries {
    /// Makes a session's policy; the policies that keep nothing are one.
    fileprivate var policies: (@Sendable () -> any RequestInterceptor)? {
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
