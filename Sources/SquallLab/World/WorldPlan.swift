public import SquallBackend
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
    /// Decides everything that is random.
    var seed: UInt64
    /// The populations; users are numbered from 0, one population after the other.
    var populations: [PopulationPlan]
    /// The backend; the number of accounts follows from the populations.
    public var backend: BackendPlan
    /// The services of the backend.
    public var services: ServicesPlan
    /// Whether clients share decoded answers; no result depends on it.
    var sharesDecoding: Bool
    /// How much virtual time one row of the time series covers; whole milliseconds.
    var timeseriesIntervalNanoseconds: Int64
    /// How long the run is meant to last; decides only how finely latencies are kept.
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
