import SquallBackend
import SquallKernel
import SquallReport

/// Listens to the users, the client and the backend, and keeps what the results are made from.
///
/// It only listens: nothing that it does is visible to anybody in the world. Every event also goes
/// into the run's digest. What it hears from whom is in its three extensions.
final class Recorder: @unchecked Sendable {
    // Safe because every event happens on the simulation's thread.

    let simulation: Simulation
    var metrics = Metrics()
    var timeline: Timeline
    var latencies: LatencyRecorder
    var hangs = HangList()
    /// Records chosen users, if there are any.
    var trace: TraceRecorder?
    var requests = RequestLedger()
    var expiries: ExpiryLedger
    var wire = WireOccupancy()
    var totals = Totals()
    /// Each step's series, by the number that steps carry.
    var stepSeries: [StepSeries] = []
    /// Each kind of exchange's series, made when the first of its kind ends.
    var exchangeSeries: [ExchangeKind: ExchangeSeries] = [:]
    /// Each list's series, made when its first page arrives.
    var pageSeries: [PageSeries.Key: PageSeries] = [:]
    /// Each journey's series, by the number that journeys carry.
    private(set) var journeySeries: [JourneySeries] = []
    /// What is only known of a step while it runs, by user.
    var openSteps: [OpenStep?]
    let usersActive: Metrics.GaugeSlot
    /// How late journeys began, by the position of their app in `apps`.
    private(set) var journeyDelays: [Metrics.TrendSlot] = []
    /// How long requests waited for a new token, by the position of their app in `apps`.
    private(set) var refreshWaits: [Metrics.TrendSlot] = []
    /// When users' tokens expire.
    var tokens: TokenWatch
    /// Which app users have, by the ranges of their numbers.
    let apps: [(users: Range<Int>, app: String)]
    /// What is wrong on screens although no call failed.
    var audits = AuditLedger()
    /// How steps read lists of more than one page.
    var readings = ReadingLedger()
    /// What is measured of each population apart, in the order of `apps`.
    private(set) var populations: [PopulationLedger] = []

    /// Sums over the whole run that self-checks compare.
    struct Totals {
        /// Attempts the client handed to its transport.
        var attemptsSent: Int64 = 0
        /// Attempts whose outcome the client was told.
        var attemptsEnded: Int64 = 0
        /// Exchanges the backend saw through.
        var exchangesEnded: Int64 = 0
        /// Attempts that were their request's first.
        var firstAttempts: Int64 = 0
        /// Attempts that were not.
        var retries: Int64 = 0
        /// Attempts of refreshes that a failed request made necessary.
        var refreshes: Int64 = 0
        /// Users who have arrived.
        var usersArrived: Int64 = 0
        /// Users between the beginning and the end of a journey.
        var usersActive: Int64 = 0
        /// Steps that began.
        var stepsBegun: Int64 = 0
        /// Steps that ended, hung ones included.
        var stepsEnded: Int64 = 0
        /// Steps in which one expiry was refreshed more than once.
        var storms: Int64 = 0
        /// Completions an interceptor called twice.
        var completionsRepeated: Int64 = 0
    }

    /// A step that runs, as the recorder sees it; a class, so that idle users cost a word.
    final class OpenStep {
        let ordinal: UInt32
        let series: Int
        var refreshes: Int64 = 0
        /// What the last refresh was answered.
        var lastRefresh: ExchangeRecord.Outcome?
        /// Requests that were answered "expired", with their endpoint.
        var expired: [(request: UInt32, endpoint: Endpoint)] = []
        /// The lists that it reads.
        var readings: [Reading] = []
        /// Whether the access token had already expired when it began.
        let beganExpired: Bool
        /// A request of the step whose completion was lost, and where.
        var lost: (request: String, place: String)?

        init(ordinal: UInt32, series: Int, beganExpired: Bool) {
            self.beganExpired = beganExpired
            self.ordinal = ordinal
            self.series = series
        }
    }

    /// A recorder for the users of some populations.
    init(simulation: Simulation, populations plans: [PopulationPlan], intervals: Intervals) {
        self.simulation = simulation
        apps = plans.map { ($0.users, $0.profile.app) }
        timeline = Timeline(intervalNanoseconds: intervals.timelineNanoseconds)
        latencies = LatencyRecorder(
            tags: LatencyTag.allCases.map(\.metric.name),
            intervalNanoseconds: intervals.latencyNanoseconds)
        let users = apps.last?.users.upperBound ?? 0
        openSteps = Array(repeating: nil, count: users)
        expiries = ExpiryLedger(users: users)
        tokens = TokenWatch(users: users)
        usersActive = metrics.gauge(.usersActive)
        journeyDelays = apps.map { metrics.trend(MetricKey(.journeyDelay, [.app: $0.app])) }
        refreshWaits = apps.map { metrics.trend(MetricKey(.refreshWait, [.app: $0.app])) }
        populations = plans.map { plan in
            PopulationLedger(
                name: plan.profile.name, app: plan.profile.app, design: plan.profile.design,
                users: plan.users, intervals: intervals, in: &metrics)
        }
    }

    /// Forgets what was measured so far, at the end of a warm-up; sums that self-checks compare and
    /// the time series stay.
    func restart() {
        metrics.restart()
        latencies.restart(atNanoseconds: now)
        requests.restart()
        expiries.restart()
        hangs = HangList()
        audits.restart()
        readings.restart()
        for index in populations.indices { populations[index].restart() }
    }

    /// The number under which a step's measurements are kept.
    func series(of population: PopulationPlan, journey: String, step: String) -> Int {
        let (app, design) = (population.profile.app, population.profile.design)
        if let known = stepSeries.firstIndex(where: { $0.isOf(app, design, journey, step) }) {
            return known
        }
        stepSeries.append(
            StepSeries(app: app, design: design, journey: journey, step: step, in: &metrics))
        return stepSeries.count - 1
    }

    /// The number under which a journey's measurements are kept.
    func series(app: String, journey: String) -> Int {
        if let known = journeySeries.firstIndex(where: { $0.app == app && $0.journey == journey }) {
            return known
        }
        journeySeries.append(JourneySeries(app: app, journey: journey, in: &metrics))
        return journeySeries.count - 1
    }

    /// The position in `apps` of the app that a user has.
    func app(of user: Int) -> Int { apps.firstIndex { $0.users.contains(user) } ?? 0 }

    /// Notes something of a user's population.
    func note(of user: Int, _ event: (inout PopulationLedger, inout Metrics, Int64) -> Void) {
        event(&populations[app(of: user)], &metrics, now)
    }

    /// The present moment, in nanoseconds since the run began.
    var now: Int64 { simulation.now.nanoseconds }

    /// Counts a latency that ends at the present moment.
    func count(_ latency: Int64, as tag: LatencyTag) {
        latencies.record(latency, inTag: tag.rawValue, atNanoseconds: now)
    }

    /// Adds a column's count at the present moment.
    func count(_ column: Timeline.Column, _ amount: Int64 = 1) {
        timeline.count(column, amount, at: now)
    }
}

extension StepSeries {
    fileprivate func isOf(
        _ app: String, _ design: String, _ journey: String, _ step: String
    ) -> Bool {
        self.app == app && self.design == design && self.journey == journey && self.step == step
    }
}
