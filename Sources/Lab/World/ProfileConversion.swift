internal import Apps
internal import Backend
internal import Kernel

extension Distribution {
    /// The law that a profile asks for.
    init(_ spec: DistributionSpec) {
        switch spec {
        case .constant(let nanoseconds): self = .constant(nanoseconds: nanoseconds)
        case .uniform(let low, let high): self = .uniform(low: low, high: high)
        case .exponential(let mean, let minimum, let maximum):
            self = .exponential(mean: mean, minimum: minimum, maximum: maximum ?? .max)
        case .logNormal(let median, let sigma, let maximum):
            self = .logNormal(median: median, sigma: sigma, maximum: maximum ?? .max)
        case .pareto(let scale, let shape, let maximum):
            self = .pareto(scale: scale, shape: shape, maximum: maximum ?? .max)
        case .empirical(let values):
            self = .empirical(
                EmpiricalDistribution(values.map { ($0.nanoseconds, UInt64($0.weight)) }))
        }
    }
}

extension BackendConfiguration {
    /// The backend that a profile asks for.
    init(_ profile: Profile) {
        self.init()
        let backend = profile.backend
        tokens = TokenPolicy(backend.tokens)
        content.novels = Int(backend.content.novels)
        content.episodesPerNovel =
            Int(
                backend.content.episodesPerNovel.lowerBound)...Int(
                backend.content.episodesPerNovel.upperBound)
        network = NetworkPlan(backend.network)
        server = ServerPlan(backend.server)
        payments = PaymentPlan(backend.payments)
        let plans = PopulationPlan.all(of: profile)
        faults = backend.faults.map { Fault($0, of: plans) }
        userCount = Int(profile.users)
        cachesEncodings = profile.cachesEncoding
    }
}

extension ProfileVocabulary {
    /// The words that the apps at hand add to a profile's.
    public static var installed: ProfileVocabulary {
        ProfileVocabulary(
            apps: AppCatalogue.all.map { app in
                App(
                    name: app.name, designs: app.designs,
                    journeys: app.journeys.map { journey in
                        Journey(name: journey.name, steps: journey.steps.map(\.name))
                    })
            }, endpoints: Endpoint.allCases.map(\.rawValue))
    }
}
