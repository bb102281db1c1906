public import SquallApps
public import SquallBackend
import SquallFormat
public import SquallLab
public import SquallRaces
import SquallServices

/// An app in one of its token designs, as drills run it: one of the executable's, or one declared
/// by a profile.
///
/// **Start here** to read this folder; the drills themselves are `SquallRaces/Drills`.
public struct AppUnderTest: ClientUnderTest {
    /// The app.
    public let app: AppDescription
    /// Its token design.
    public let design: String
    /// The command-line argument for its source: the app, or a profile's file.
    public let source: String
    let services: ServicesPlan
    let population: PopulationPlan
    /// The lives of tokens; a drill's server decides what a refresh does to them.
    public let tokens: TokenPolicy
    private let overrides: [String]
    private let program: String

    /// Makes an app of the registry, over the services it was built for.
    public init(_ app: AppDescription, design: String, program: String) {
        self.init(
            PopulationPlan(app, users: 1, journeys: [:], design: design), .ofOnePhone,
            BackendPlan.standard.tokens, source: app.name, program: program)
    }

    private init(
        _ population: PopulationPlan, _ services: ServicesPlan, _ tokens: TokenPolicy,
        source: String, overrides: [String] = [], program: String
    ) {
        self.population = population
        self.services = services
        self.source = source
        self.overrides = overrides
        self.program = program
        app = population.app
        design = population.settings.design
        var tokens = tokens
        tokens.lifetimeJitterNanoseconds = 0
        self.tokens = tokens
    }

    /// The apps of a profile's populations, each design once, over the profile's services.
    ///
    /// Of the profile's backend only the services and the token lifetimes count: a drill brings its
    /// own network, faults and server. `design` replaces the populations' own designs.
    public static func all(
        of profile: Profile, source: String, design: String? = nil, overrides: [String] = [],
        program: String
    ) -> [AppUnderTest] {
        let plan = WorldPlan(profile)
        var seen: Set<[String]> = []
        return plan.populations.compactMap { population in
            var population = population
            population.settings.design = design ?? population.settings.design
            guard seen.insert([population.app.name, population.settings.design]).inserted else {
                return nil
            }
            return AppUnderTest(
                population, plan.services, plan.backend.tokens, source: source,
                overrides: overrides, program: program)
        }
    }

    /// The app and its design: `mine asBuilt`.
    public var name: String? { "\(app.name) \(design)" }
    /// The meanings of an app's outcomes, by their labels.
    public var outcomes: [(name: String, meaning: String)] { StepOutcome.labels }
    /// The calls of every service in the plan.
    public var endpoints: [EndpointDescription] { ServiceKind.endpoints(of: services) }
    /// The app's server where it is one for any API.
    private var service: TokenService? {
        ServiceKind.tokenService(at: app.origin, by: services)
    }
    /// The log-out call of the app's server.
    public var logOut: String? { services.logOut(at: app.origin) }
    /// The status of the service's response to an expired token.
    public var expiredStatus: Int { services.expiredStatus(at: app.origin) }
    /// An app's storage survives a kill; only a server for any API adds header fields to failures.
    public var abilities: Set<Drill.Ability> {
        guard let service else { return [.restart, .omission] }
        return service.repeatsRefreshToken
            ? [.restart, .failureHeaders] : [.restart, .failureHeaders, .omission]
    }

    /// True for a call that is refused without a good token.
    public func needsToken(_ endpoint: String) -> Bool {
        guard let service else {
            return services.access(at: app.origin)?.callsWithToken.contains(endpoint) ?? false
        }
        return service.routes.first { $0.name == endpoint }?.needsToken ?? false
    }

    /// Builds a world with one phone.
    public func world(
        _ setting: ServerConfiguration, _ schedule: Schedule, _ plan: ExplorationPlan
    ) -> any ClientWorld { AppWorld(self, setting, schedule, plan) }

    /// The command that replays a drill, or without an order of events plays it again.
    public func replay(
        _ drill: Drill, before server: DrillServer, choices: [UInt16]?, _ plan: ExplorationPlan
    ) -> String {
        var words = [program, "drill", source]
        if design != app.designs.first { words += ["--design", design] }
        for override in overrides { words += ["--set", override] }
        words += ["--drill", drill.id, "--server", server.name]
        if let choices {
            let list = choices.map(String.init).joined(separator: ",")
            words += ["--choices", choices.isEmpty ? "none" : list]
        } else {
            words += ["--schedules", "\(plan.schedules)"]
        }
        if plan.seed != 1 { words += ["--seed", "\(plan.seed)"] }
        if plan.preemptions > 0 { words += ["--preemptions", "\(plan.preemptions)"] }
        return words.map(\.quotedForShell).joined(separator: " ")
    }
}
