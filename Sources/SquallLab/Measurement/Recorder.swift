import SquallBackend
import SquallClient
import SquallKernel
import SquallReport

/// Hears every tap of a run, understands each event once, and passes it to who listens.
///
/// The taps are the client's events, the far side's exchanges, faults and token mint, and the
/// fleet; each has an extension of its own. What an event means (whose population, which step, the
/// one cause of a call) is worked out here and nowhere else, and is in the event that listeners
/// get. Who listens is one list, ``Listeners``.
final class Recorder: @unchecked Sendable {
    // Safe because every event happens on the simulation's thread.

    let run: MeasuredRun
    // Unchecked, as what is counted in listeners is: values of which no access lasts while other
    // code runs.
    /// Finds the one cause of each call.
    @exclusivity(unchecked) var causes: CallCauses
    /// The step that each user is on, by number.
    @exclusivity(unchecked) var openSteps: [OpenStep?]
    /// Looks for tokens of other people, where apps of other packages run.
    @exclusivity(unchecked) var tokenOwners = TokenOwners()
    /// Looks for who spins when virtual time stands still; nobody does before.
    var witness: ((Request) -> Void)?
    /// Takes what the server replied, line by line of its log; nobody does in most runs.
    var serverLog: ((ServerRecord) -> Void)?
    private let listeners: [any Listener]
    /// Is asked whose tokens are to be named.
    let examples: ExampleListener
    let attempts: Audience<any AttemptListener>
    let begins: Audience<any BeginListener>
    let attemptEnds: Audience<any AttemptEndListener>
    let exchanges: Audience<any ExchangeListener>
    let requestEnds: Audience<any RequestListener>
    let completions: [any CompletionListener]
    let visits: [any VisitListener]
    let steps: [any StepListener]
    let farSide: [any FarSideListener]
    let servers: Audience<any ServerListener>

    /// A recorder with every listener there is.
    init(_ run: MeasuredRun) {
        self.run = run
        let isGivenUp = run.simulation.isGivenUp
        causes = CallCauses(users: run.users.count, unless: isGivenUp)
        openSteps = Array(repeating: nil, count: run.users.count, unless: isGivenUp)
        listeners = Listeners.all(run)
        guard let examples = listeners.lazy.compactMap({ $0 as? ExampleListener }).first else {
            preconditionFailure("nobody keeps examples")
        }
        self.examples = examples
        attempts = Audience(listeners.compactMap(\.attempts)) {
            type(of: $0).heededAttempts
        }
        begins = Audience(listeners.compactMap(\.begins))
        attemptEnds = Audience(listeners.compactMap(\.attemptEnds))
        exchanges = Audience(listeners.compactMap(\.exchanges)) {
            type(of: $0).heededExchanges
        }
        requestEnds = Audience(listeners.compactMap(\.requestEnds)) {
            type(of: $0).heededRequests
        }
        completions = listeners.compactMap(\.completions)
        visits = listeners.compactMap(\.visits)
        steps = listeners.compactMap(\.steps)
        farSide = listeners.compactMap(\.farSide)
        servers = Audience(listeners.compactMap(\.servers))
    }

    /// Forgets what was measured so far, at the end of a warm-up; sums that self-checks compare and
    /// the time series stay.
    func restart() {
        run.restart()
        causes.restart()
        for listener in listeners { listener.restart() }
    }

    /// The run is over, and its world only comes to its end.
    func close() {
        serverLog = nil
        for listener in listeners { listener.close() }
    }

    /// What a listener has found.
    ///
    /// - Precondition: it is in the list.
    func found<Kind: Listener>(by kind: Kind.Type) -> Kind.Found {
        guard let listener = listener(kind) else { preconditionFailure("\(kind) does not listen") }
        return listener.found
    }

    private func listener<Kind: Listener>(_ kind: Kind.Type) -> Kind? {
        for case let listener as Kind in listeners { return listener }
        return nil
    }

    /// The user of a number, at the present moment: the one place where populations are looked up.
    func user(_ number: Int) -> User {
        User(number: number, population: run.users.population(of: number), now: run.now)
    }
}

/// What the summary is made from.
extension Recorder {
    var metrics: Metrics { run.metrics }
    var timeline: Timeline { found(by: TimelineListener.self) }
    var latencies: LatencyRecorder { found(by: LatencyListener.self) }
    var hangs: HangList { found(by: HangListener.self) }
    var trace: CallTrace? { listener(TraceListener.self)?.found }
    var requests: RequestLedger { causes.requests }
    var expiries: ExpiryLedger { causes.expiries }
    var wire: WireOccupancy { found(by: WireListener.self) }
    var totals: Totals.Sums { found(by: Totals.self) }
    /// How often journeys came to what they are for.
    var deeds: [DeedTally] { found(by: DeedListener.self) }
    /// Whether a token expired, and who came by who could have met it.
    var expiryChance: ExpiryChance { found(by: ExpiryListener.self) }
    /// How long attempts took, by endpoint and what came of them.
    var endpointLatencies: LatencyRecorder { found(by: EndpointLatencyListener.self) }
    /// Why steps and calls failed.
    var failures: (steps: [StepFailureRow], calls: [CallFailureRow]) {
        found(by: FailureListener.self)
    }
    var audits: AuditLedger { found(by: ScreenAudit.self) }
    var readings: ReadingLedger { found(by: ReadingListener.self) }
    /// What is measured of each population apart, in the order of the users' numbers.
    var populations: [PopulationLedger] { found(by: PopulationListener.self) }
    /// What each population's load offered and what became of it, in the order of the users.
    var load: [LoadTally] { found(by: LoadListener.self) }
    /// How the same people fared in two populations.
    var pairs: [PairRow] { listener(PairListener.self)?.found ?? [] }
    /// The journeys that can be begun, each once.
    var journeys: [MeasuredJourney] { found(by: VisitMetrics.self).journeys }
    /// Users between the beginning and the end of a journey.
    var usersActive: Int64 { found(by: VisitMetrics.self).usersActive }
    /// Steps in which one expiry was refreshed more than once.
    var storms: Int64 { found(by: StepTokenMetrics.self) }

    /// The position of a user's population.
    func population(of user: Int) -> Int { run.users.population(of: user) }
}
