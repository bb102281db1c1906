import SquallApps
import SquallBackend
import SquallKernel

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
        self.init()
        let backend = profile.backend
        generations = Generation.allCases.filter { generation in
            backend.generation == "both" || backend.generation == generation.rawValue
        }
        tokens = TokenPolicy(backend.tokens)
        content.novels = Int(backend.content.novels)
        content.episodesPerNovel =
            Int(
                backend.content.episodesPerNovel.lowerBound)...Int(
                backend.content.episodesPerNovel.upperBound)
        content.bookPosts = Int(backend.content.bookPosts)
        content.giftQuestions = Int(backend.content.giftQuestions)
        content.outfits = Int(backend.content.outfits)
        network = NetworkPlan(backend.network)
        server = ServerPlan(backend.server)
        payments = PaymentPlan(backend.payments)
        catalogue = CataloguePlan(backend.catalogue)
        let plans = PopulationPlan.all(of: profile)
        faults = backend.faults.map { Fault($0, of: plans) }
        userCount = Int(profile.users)
        cachesEncodings = profile.cachesEncoding
    }
}

extension CataloguePlan {
    fileprivate init(_ catalogue: Profile.Catalogue) {
        self.init()
        items = Int(catalogue.items)
        insertGap = catalogue.insertGap.map(Distribution.init)
        removalGap = catalogue.removalGap.map(Distribution.init)
        serviceTime = Distribution(catalogue.serviceTime)
        nanosecondsPerRow = catalogue.perScannedRowNanoseconds
        startMax = Int(catalogue.startMax)
        breaksTies = catalogue.breaksTies
    }
}

extension ProfileVocabulary {
    /// The words that the apps at hand add to a profile's.
    public static var installed: ProfileVocabulary {
        ProfileVocabulary(
            apps: AppRegistry.all.map { app in
                App(
                    name: app.name, designs: app.designs,
                    journeys: app.journeys.map { journey in
                        Journey(name: journey.name, steps: journey.steps.map(\.name))
                    })
            }, endpoints: Endpoint.allCases.map(\.rawValue))
    }
}
