public import SquallApps
import SquallBackend
public import SquallLab
import SquallServices

/// An app in one of its designs, and where it is noted.
public struct DesignSubject: Sendable {
    /// The app.
    public let app: AppDescription
    /// Its design.
    public let design: String
    /// What it meets.
    public let place: DesignPlace

    /// An app in a design; it meets the server of the four apps unless told otherwise.
    public init(_ app: AppDescription, design: String, in place: DesignPlace = .contract) {
        self.app = app
        self.design = design
        self.place = place
    }
}

/// What an app meets in a trial: services, and what their server does to refresh tokens.
public struct DesignPlace: Sendable {
    private(set) var services: ServicesPlan
    let refresh: RefreshSemantics?

    /// The same place, in which a trial is given up when it is asked to.
    ///
    /// It throws `StopRequested` then.
    public func stopping(when isStopped: @escaping @Sendable () -> Bool) -> DesignPlace {
        var place = self
        place.services.isStopped = isStopped
        return place
    }

    /// The server of the four apps, which lets refresh tokens stay good.
    public static let contract: DesignPlace = {
        var plan = ServicesPlan.standard
        plan.contract.years = ContractYear.allCases
        plan.contract.content.novels = 1
        return DesignPlace(services: plan, refresh: nil)
    }()

    /// The services of a profile.
    public init(_ profile: Profile) {
        let plan = WorldPlan(profile)
        self.init(services: plan.services, refresh: plan.backend.tokens.refresh)
    }

    private init(services: ServicesPlan, refresh: RefreshSemantics?) {
        self.services = services
        self.refresh = refresh
    }
}
