import SquallBackend
import SquallClient
import SquallKernel
import SquallReport

/// Hears every event of a run, works out its meaning once, and passes it to the listeners.
///
/// The sources are the client's events, the backend's exchanges, faults and token mint, and the
/// fleet; each has an extension of its own. The meaning of an event (the user's population, the
/// step, the one cause of a call) is worked out only here, and is in the event that listeners get.
/// The listeners are one list, ``Listeners``.
final class Recorder: @unchecked Sendable {
    // Safe because every event happens on the simulation's thread.

    let run: MeasuredRun
    // Unchecked, as the listeners' counts are: no access to these values lasts while other code
    // runs.
    /// Finds the one cause of each call.
    @exclusivity(unchecked) var causes: AttemptCauses
    /// The step that each user is on, by number.
    @exclusivity(unchecked) var openSteps: [OpenStep?]
    /// Looks for tokens of other users, where apps of other packages run.
    @exclusivity(unchecked) var tokenOwners = TokenOwners()
    /// Gets the requests that end while virtual time stands still; nil before that.
    var onRequest: ((Request) -> Void)?
    /// Gets the server's replies as lines of its log; nil in most runs.
    var serverLog: ((ServerRecord) -> Void)?
    private let listeners: [any Listener]
    /// Decides which tokens results will name.
    let examples: ExampleListener
    let attempts: ListenerChain<any AttemptListener>
    let exchanges: ListenerChain<any ExchangeListener>
    let requestEnds: ListenerChain<any RequestListener>
    let completions: [any RequestListener]
    let visits: [any VisitListener]
    let steps: [any StepListener]
    let backend: [any BackendListener]
    let servers: ListenerChain<any ServerListener>

    /// A recorder with every listener there is.
    init(_ run: MeasuredRun) {
        self.run = run
        let isStopped = run.simulation.isStopped
        causes = AttemptCauses(users: run.users.count, unless: isStopped)
        openSteps = Array(repeating: nil, count: run.users.count, unless: isStopped)
        listeners = Listeners.all(run)
        guard let examples = listeners.lazy.compactMap({ $0 as? ExampleListener }).first else {
            preconditionFailure("no listener keeps examples")
        }
        self.examples = examples
        attempts = ListenerChain(listeners.compactMap(\.attempts)) {
            type(of: $0).observedAttempts
        }
        exchanges = ListenerChain(listeners.compactMap(\.exchanges)) {
            type(of: $0).observedExchanges
        }
        requestEnds = ListenerChain(listeners.compactMap(\.requestEnds)) {
            type(of: $0).observedRequests
        }
        completions = listeners.compactMap(\.requestEnds)
        visits = listeners.compactMap(\.visits)
        steps = listeners.compactMap(\.steps)
        backend = listeners.compactMap(\.backend)
        servers = ListenerChain(listeners.compactMap(\.servers))
    }

    /// Resets the measurements, at the end of a warm-up; sums that self-checks compare and the time
    /// series stay.
    func restart() {
        for listener in listeners { listener.restart() }
        causes.restart()
        run.restart()
    }

    /// Ends the recording: the run is over, and its world only ends.
    func close() {
        serverLog = nil
        for listener in listeners { listener.close() }
    }

    /// The findings of a listener.
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

    /// The user of a number, at the present moment: the only place where populations are looked up.
    func user(_ number: Int) -> User {
        User(number: number, population: run.users.population(of: number), now: run.now)
    }
}

/// The sources of the summary.
extension Recorder {
    var metrics: Metrics { run.metrics }
    /// The rows over time, of all users and of each population.
    var timeline: (whole: TimeSeries, parts: [TimeSeries]) { found(by: TimelineListener.self) }
    var latencies: LatencyRecorder { found(by: LatencyListener.self).whole }
    var hangs: HangList { found(by: HangListener.self) }
    var trace: CallTrace? { listener(TraceListener.self)?.found }
    var requests: RequestLedger { causes.requests }
    var wire: WireOccupancy { found(by: WireListener.self) }
    var totals: Totals.Sums { found(by: Totals.self) }
    var goals: [GoalTally] { found(by: GoalListener.self) }
    /// Whether a token expired, and how many journeys could have met that.
    var expiryChance: ExpiryChance { found(by: ExpiryListener.self) }
    var endpointLatencies: LatencyRecorder { found(by: LatencyListener.self).parts }
    var audits: AuditLedger { found(by: ScreenAudit.self) }
    var readings: ReadingLedger { found(by: ReadingListener.self) }
    /// The most refreshes of one call in a loop, by population.
    var longestLoops: [Int64] { found(by: RefreshMetrics.self) }
    /// What each population's load offered and what happened to it, in the order of the users.
    var load: [LoadTally] { found(by: LoadListener.self) }
    /// How the server's line fared around each fault, in order of time.
    var backlogs: [Backlog] { listener(BacklogListener.self)?.found ?? [] }
    /// How the same users fared in two populations.
    var pairs: [PairRow] { listener(PairListener.self)?.found ?? [] }
    /// Steps in which one expiry was refreshed more than once.
    var refreshedTwice: Int64 { found(by: StepTokenMetrics.self) }

    /// The position of a user's population.
    func population(of user: Int) -> Int { run.users.population(of: user) }
}
