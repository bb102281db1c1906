import SquallApps
import SquallBackend
import SquallServices

/// An app in one of its designs, and the services it is tried with.
struct DesignSubject: Sendable {
    /// A user of the app in the design.
    let population: PopulationPlan
    /// The services.
    let place: DesignPlace
    var app: AppDescription { population.app }

    /// An app in a design; the default services are those of the four apps.
    init(_ app: AppDescription, design: String, in place: DesignPlace = .contract) {
        population = PopulationPlan(app, users: 1, journeys: [:], design: design)
        self.place = place
    }
}

/// The services of an app's trials, and how their server refreshes tokens.
public struct DesignPlace: Sendable {
    private(set) var services: ServicesPlan
    let refresh: RefreshSemantics?

    /// The same place, with a check whether to give up a trial.
    ///
    /// A trial that is given up throws `StopRequested`.
    public func stopping(when isStopped: @escaping @Sendable () -> Bool) -> DesignPlace {
        var place = self
        place.services.isStopped = isStopped
        return place
    }

    /// The services of the four apps, with refresh tokens that stay valid.
    public static let contract: DesignPlace = {
        var plan = ServicesPlan.standard
        plan.contract.years = ContractYear.allCases
        plan.contract.content.novels = 1
        return DesignPlace(services: plan, refresh: nil)
    }()
}

extension DesignPlace {
    /// The services of a profile.
    public init(_ profile: Profile) {
        let plan = WorldPlan(profile)
        self.init(services: plan.services, refresh: plan.backend.tokens.refresh)
    }
}
