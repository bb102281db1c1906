import SquallApps
import SquallBackend
import SquallKernel
import SquallReport

/// What is measured of a run: the steps and calls of its users, when, and the series that count
/// them.
final class MeasuredRun {
    let simulation: Simulation
    /// In the order of the users' numbers.
    let populations: [MeasuredPopulation]
    let users: UserNumbers
    /// Populations of the same people, by their positions.
    let pairs: [(population: Int, against: Int)]
    /// Every step that any of the populations can take, each population's one after the other.
    let steps: [MeasuredStep]
    let intervals: Intervals
    /// The services' calls, for results that explain a name.
    let endpoints: [EndpointDescription]
    /// The users for whom every step and exchange is recorded; none when nil.
    let trace: TraceSelection?
    /// True if anything is done to the backend on purpose.
    let hasFaults: Bool
    /// True if connections are set up and end.
    let hasConnections: Bool
    /// True for a run against a real server, of which only responses are known.
    let isDriven: Bool
    /// Every series that outputs and thresholds name.
    ///
    /// Unchecked: no access to it lasts while other code runs.
    @exclusivity(unchecked) var metrics = Metrics()
    /// Attempts that were sent after this moment are measured; those of the warm-up are not, even
    /// if they end after it.
    private(set) var measuredAfter: Int64 = -1
    /// The end of the load; `max` while it lasts.
    private(set) var loadEnd: Int64 = .max

    /// The positions in `steps` where each population's begin: its sign-in, then each journey.
    private let first: [(signIn: Int, journeys: [Int])]

    init(
        simulation: Simulation, populations: [MeasuredPopulation], intervals: Intervals,
        endpoints: [EndpointDescription] = [], trace: TraceSelection? = nil,
        hasFaults: Bool = false, hasConnections: Bool = false, isDriven: Bool = false
    ) {
        self.simulation = simulation
        self.populations = populations
        self.intervals = intervals
        self.endpoints = endpoints
        self.trace = trace
        self.hasFaults = hasFaults
        self.hasConnections = hasConnections
        self.isDriven = isDriven
        users = UserNumbers(populations.map(\.users.count))
        pairs = populations.indices.compactMap { index in
            populations[index].habitsOf.flatMap { name in
                populations.firstIndex { $0.name == name }.map { (index, $0) }
            }
        }
        var steps: [MeasuredStep] = []
        first = populations.map { population in
            let signIn = steps.count
            steps.append(
                MeasuredStep(population: population, journey: "sign-in", step: "signIn"))
            let journeys = population.journeys.map { journey in
                let first = steps.count
                steps += journey.steps.map {
                    MeasuredStep(
                        population: population, journey: journey.name, step: $0.name,
                        scriptedNanoseconds: $0.scriptedNanoseconds)
                }
                return first
            }
            return (signIn, journeys)
        }
        self.steps = steps
    }

    /// The present moment, in nanoseconds since the run began.
    var now: Int64 { simulation.now.nanoseconds }

    func restart() {
        measuredAfter = now
        metrics.restart()
    }

    func endLoad() {
        loadEnd = now
        metrics.endLoad()
    }

    /// True for an attempt that was sent after the warm-up.
    func measures(sentAt moment: Instant) -> Bool { moment.nanoseconds > measuredAfter }

    /// Counts an attempt, which belongs to the load if it was sent before its end.
    func count(_ record: ExchangeRecord, in slot: Metrics.CounterSlot) {
        if record.handedOver.nanoseconds <= loadEnd {
            metrics.add(1, ofLoadTo: slot)
        } else {
            metrics.add(1, to: slot)
        }
    }

    /// Makes counters that would be made at their first event show zero before it.
    func startAtZero(_ metrics: [Metric]) {
        for metric in metrics { _ = counters(metric) }
    }

    /// A counter of each population.
    func counters(_ metric: Metric) -> [Metrics.CounterSlot] {
        populations.map { metrics.counter(MetricKey(metric, $0.tags())) }
    }

    /// A ratio of each population.
    func ratios(_ metric: Metric) -> [Metrics.RatioSlot] {
        populations.map { metrics.ratio(MetricKey(metric, $0.tags())) }
    }

    /// A trend of each population.
    func trends(_ metric: Metric) -> [Metrics.TrendSlot] {
        populations.map { metrics.trend(MetricKey(metric, $0.tags())) }
    }

    /// The tags of a step, or of no step of a population, and more.
    func tags(_ step: Int?, of population: Int, _ more: [TagKey: String]) -> [TagKey: String] {
        step.map { steps[$0].tags(more) } ?? populations[population].tags(more)
    }

    /// The row of a step, or of no step of a population, in a table of slots.
    func row(_ step: Int?, of population: Int) -> Int { step ?? steps.count + population }

    /// The tags of a population's calls of an endpoint.
    func tags(_ population: Int, _ endpoint: Endpoint) -> [TagKey: String] {
        populations[population].tags([.endpoint: endpoint.name])
    }

    /// The position in `steps` of a step of a population.
    func number(of step: StepID, in population: Int) -> Int {
        switch step {
        case .signIn: first[population].signIn
        case .step(let step, let journey): first[population].journeys[Int(journey)] + Int(step)
        }
    }
}

/// A population, as results name it.
struct MeasuredPopulation {
    let name, app, design: String
    let users: Range<Int>
    let journeys: [JourneyDescription]
    /// The population with the same people, when it has no people of its own.
    var habitsOf: String?

    /// Its tags for a metric, and more.
    func tags(_ more: [TagKey: String] = [:]) -> [TagKey: String] {
        let own: [TagKey: String] = [.app: app, .design: design, .population: name]
        return own.merging(more) { known, _ in known }
    }
}

/// A step, as results name it.
struct MeasuredStep {
    let population: MeasuredPopulation
    let journey, step: String
    /// The scripted wait of its app, in nanoseconds: no part of the step's duration.
    var scriptedNanoseconds: Int64 = 0

    /// Its tags for a metric, and more.
    func tags(_ more: [TagKey: String] = [:]) -> [TagKey: String] {
        population.tags([.journey: journey, .step: step]).merging(more) { known, _ in known }
    }
}
