import SquallClient
import SquallHTTP
import SquallKernel
import SquallReport

@testable import SquallApps
@testable import SquallLab

/// One server with one line, first come first served: the system that queueing theory knows best.
final class Station: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let simulation: Simulation
    private let service: Distribution
    private let stream: RandomStream
    private var line: [UnsafeContinuation<Void, Never>] = []
    private var served: UInt64 = 0
    private var handler: EventHandler?

    init(_ simulation: Simulation, service: Distribution, stream: RandomStream) {
        self.simulation = simulation
        self.service = service
        self.stream = stream
        handler = simulation.register { [unowned self] _ in finish() }
    }

    func visit() async {
        await withUnsafeContinuation { continuation in
            line.append(continuation)
            if line.count == 1 { start() }
        }
    }

    private func start() {
        guard let handler else { return }
        let span = service.sample(stream, at: served)
        served += 1
        simulation.schedule(
            handler, argument: 0, at: simulation.now.advanced(byNanoseconds: span))
    }

    private func finish() {
        line.removeFirst().resume()
        if !line.isEmpty { start() }
    }
}

/// An app whose only journey is one visit to a station.
final class Visitor: MobileApp {
    static let name = "visitor"
    static let about = "Visits a station."
    static let designs = ["plain"]
    static let journeys = [
        Journey<Visitor>(
            "visit", about: "One visit.", steps: [Step("visit") { await $0.visit() }])
    ]
    static let callKinds: [CallKind] = []
    let needsSignIn = false
    private let station: Station

    init(station: Station) { self.station = station }

    init(device: Device, design: String) { preconditionFailure("visitors are made by hand") }

    func beginStep(_ ordinal: UInt32) {}
    func restore(_ account: StoredAccount) {}
    func signIn() async -> StepOutcome { .rendered }
    func call(_ kind: CallKind) async -> StepOutcome { .nothingToDo }

    private func visit() async -> StepOutcome {
        await station.visit()
        return .rendered
    }
}

extension DeviceServices {
    /// What the phones of visitors have in common; none of it is ever used.
    fileprivate static func unused(_ simulation: Simulation) -> DeviceServices {
        DeviceServices(
            environment: SessionEnvironment(
                transport: Nowhere(), time: simulation,
                random: SimulatedRandomness(root: RandomStream(seed: 1))),
            paymentPage: Nowhere()
        ) { _ in Credentials(email: "", password: "") }
    }
}

/// A network and a payment page that nobody should reach.
private struct Nowhere: Transport, PaymentPage {
    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        throw TransportError(.cannotConnectToHost)
    }

    func pay(user: UInt64, merchantUID: String, amount: Int) async -> PaymentCallback {
        PaymentCallback(isSuccess: nil, impUID: nil)
    }
}

/// Remembers how long every visit took, from when it was meant to begin.
final class Stopwatch: FleetObserver {
    private let simulation: Simulation
    private(set) var milliseconds: [Double] = []
    private(set) var delays: [Int64] = []
    /// How long those have waited who still do at the end.
    private(set) var waits = Histogram()
    private(set) var offered = 0
    private(set) var refused = 0
    private(set) var running = 0
    private(set) var mostRunning = 0

    init(_ simulation: Simulation) { self.simulation = simulation }

    func userArrived(_ user: Int) {}
    func journeyBegan(user: Int, journey: Int) {}
    func visitOffered(in population: Int) { offered += 1 }
    func visitBegan(user: Int, lateByNanoseconds lateness: Int64?) {
        if let lateness { delays.append(lateness) }
    }
    func visitEnded(user: Int, isGivenUp: Bool) {}
    func visitRefused(in population: Int) { refused += 1 }
    func visitsWait(in population: Int, _ waits: VisitWaits) { self.waits.merge(waits.delays) }
    func stepUnfinished(user: Int, ordinal: UInt32, step: RunningStep) {}
    func journeyEnded(user: Int) {}
    func stepBegan(user: Int, ordinal: UInt32, step: StepID) {
        running += 1
        mostRunning = max(mostRunning, running)
    }
    func stepEnded(user: Int, ordinal: UInt32, step: RunningStep, outcome: StepOutcome?) {
        guard outcome != nil else { return }
        running -= 1
        milliseconds.append(Double(simulation.now.nanoseconds - step.intendedAt) / 1e6)
    }
    func stepEndedLate(user: Int, ordinal: UInt32) {}
}

/// Visitors of one station under a load model, for some virtual hours.
struct StationRun {
    let watch: Stopwatch
    let nanoseconds: Int64

    init(
        load: String, users: Int, pause: Distribution, service: Distribution, hours: Int64,
        seed: UInt64 = 1
    ) throws {
        let profile = try Profile.read(Profile.minimal(population: #""load": \#(load)"#))
        let simulation = Simulation()
        let root = RandomStream(seed: seed)
        let station = Station(simulation, service: service, stream: root.stream("service"))
        watch = Stopwatch(simulation)
        nanoseconds = hours * 3_600_000_000_000
        var plan = PopulationPlan(
            AppDescription(Visitor.self), users: users, journeys: ["visit": 1])
        plan.settings.load = profile.populations[0].load
        plan.settings.thinkTime = .constant(nanoseconds: 0)
        plan.settings.away = pause
        plan.settings.arriveOverNanoseconds = 0
        plan.settings.patienceNanoseconds = nanoseconds
        let population = Population(
            plan, users: 0..<users, services: .unused(simulation),
            arrivals: root.stream("arrivals"))
        let fleet = Fleet(
            simulation: simulation, populations: [population], randomness: root, observer: watch
        ) { _, _ in Visitor(station: station) }
        _ = try simulation.run(until: Instant(nanoseconds: nanoseconds))
        fleet.drain()
        _ = try simulation.run(until: Instant(nanoseconds: nanoseconds * 2))
    }

    /// Visits each second.
    var throughput: Double { Double(watch.milliseconds.count) / (Double(nanoseconds) / 1e9) }

    /// The mean of the visits' durations and its standard error, from means of thirty batches.
    var mean: (value: Double, error: Double) { StationRun.mean(watch.milliseconds) }

    /// The share of visits that took at most so long, with its standard error.
    func share(atMost limit: Double) -> (value: Double, error: Double) {
        StationRun.mean(watch.milliseconds.map { $0 <= limit ? 1 : 0 })
    }

    private static func mean(_ values: [Double]) -> (value: Double, error: Double) {
        let size = values.count / 30
        let means = (0..<30).map { batch in
            values[batch * size..<(batch + 1) * size].reduce(0, +) / Double(size)
        }
        let mean = means.reduce(0, +) / 30
        let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 29
        return (mean, (variance / 30).squareRoot())
    }
}
