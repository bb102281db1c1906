public import SquallApps
public import SquallBackend
public import SquallClient
import SquallKernel
public import SquallServices

/// Everything that a world consists of, in plain values: it needs no file.
///
/// ```swift
/// var plan = WorldPlan(populations: [PopulationPlan(app, users: 20, journeys: ["browse": 1])])
/// plan.backend.tokens.accessLifetimeNanoseconds = 5_000_000_000
/// let world = World(plan, policy: RandomSchedule(seed: 7))
/// try world.run(for: .seconds(120))
/// #expect(world.metrics.value(of: MetricKey(.hangs)) == .counter(0))
/// ```
public struct WorldPlan: Sendable {
    /// The seed of everything that is random.
    public var seed: UInt64
    /// The populations; users are numbered from 0, one population after the other.
    public var populations: [PopulationPlan]
    /// The backend; the number of accounts follows from the populations.
    public var backend: BackendPlan
    /// The services of the backend.
    public var services: ServicesPlan
    /// True if clients share decoded responses; no result depends on it.
    var sharesDecoding: Bool
    /// The virtual time that one row of the time series covers; whole milliseconds.
    var timeseriesIntervalNanoseconds: Int64
    /// The time that the run is meant to last; decides only how finely latencies are kept.
    var durationNanoseconds: Int64
    /// The users for whom every step and exchange is recorded; none when nil.
    var trace: TraceSelection?

    /// A world of some populations and a backend with a profile's defaults.
    public init(
        seed: UInt64 = 1, populations: [PopulationPlan],
        backend: BackendPlan = .standard, services: ServicesPlan = .standard
    ) {
        self.seed = seed
        self.populations = populations
        self.backend = backend
        self.services = services
        let standard = Profile.standard(.installed)
        sharesDecoding = standard.cachesDecoding
        timeseriesIntervalNanoseconds = standard.timeseriesIntervalNanoseconds
        durationNanoseconds = standard.durationNanoseconds
    }

    /// A decoder of responses for its clients; worlds of one plan may share one.
    public func makeDecoder() -> any DataDecoder {
        sharesDecoding ? RememberingDecoder(SharingJSONDecoder()) : FoundationJSONDecoder()
    }

    /// The name that the random streams of each population's users depend on.
    ///
    /// It is the population's own, or that of the population with the same habits; populations of
    /// one name are told apart by their order.
    var settings: [String] {
        populations.indices.map { index in
            let settings = populations[index].settings
            if let shared = settings.habitsOf { return shared }
            let namesakes = populations[..<index].count { $0.settings.name == settings.name }
            return namesakes == 0 ? settings.name : "\(settings.name)\u{0}\(namesakes)"
        }
    }

    /// Maps a user to the key of its random streams.
    var identity: StreamIdentity {
        StreamIdentity(zip(settings, populations).map { (habitsOf: $0, count: $1.users) })
    }
}

/// A number of users of one app and design who share their habits, before they have numbers.
public struct PopulationPlan: Sendable {
    /// The app they use, which the habits only name.
    public let app: AppDescription
    /// Everything else about them, in the words of a profile; the rest has a profile's defaults.
    public var settings: Profile.Population

    /// The number of users; with sessions that arrive from outside, the most at once.
    public var users: Int { Int(settings.users) }

    /// Users of an app in the design that it was built with.
    ///
    /// - Precondition: the app has the journeys.
    public init(
        _ app: AppDescription, users: Int, journeys: KeyValuePairs<String, Double>,
        design: String? = nil
    ) {
        var settings = Profile.Population.standard(.installed)
        (settings.name, settings.app) = (app.name, app.name)
        settings.users = Int64(users)
        settings.journeys = journeys.map {
            Profile.JourneyWeight(journey: $0.key, weight: $0.value)
        }
        settings.design = design ?? app.designs.first ?? ""
        self.init(app, settings)
    }

    init(_ app: AppDescription, _ settings: Profile.Population) {
        self.app = app
        self.settings = settings
        precondition(
            app.has(design: settings.design), "\(app.name) has no design \(settings.design)")
        for journey in settings.journeys { _ = index(of: journey.journey) }
    }

    /// The position of a journey in the app's list.
    ///
    /// - Precondition: the app has it.
    public func index(of journey: String) -> Int {
        guard let index = app.journeys.firstIndex(where: { $0.name == journey }) else {
            let known = app.journeys.map(\.name).joined(separator: ", ")
            preconditionFailure("\(app.name) has no journey \(journey); it has \(known)")
        }
        return index
    }

    /// The users with these numbers, as results name them.
    func measured(_ users: Range<Int>) -> MeasuredPopulation {
        MeasuredPopulation(
            name: settings.name, app: app.name, design: settings.design, users: users,
            journeys: settings.journeys.map { app.journeys[index(of: $0.journey)] },
            habitsOf: settings.habitsOf)
    }
}
