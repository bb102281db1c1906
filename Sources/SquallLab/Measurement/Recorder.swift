import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallReport
import SquallServices

/// Is told of every event of a run, works out its meaning once, and passes it to the listeners.
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
    /// Decides which tokens results will name, and keeps the examples.
    let examples: ExampleListener
    let attempts: ListenerChain<any AttemptListener>
    let exchanges: ListenerChain<any ExchangeListener>
    let requestEnds: ListenerChain<any RequestListener>
    let completions: [any RequestListener]
    let visits: ListenerChain<any VisitListener>
    let steps: ListenerChain<any StepListener>
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
        visits = ListenerChain(listeners.compactMap(\.visits))
        steps = ListenerChain(listeners.compactMap(\.steps))
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
    /// The evidence for an expiry, and the journeys that could have met one.
    var expiryChance: ExpiryChance { found(by: ExpiryListener.self) }
    var endpointLatencies: LatencyRecorder { found(by: LatencyListener.self).parts }
    var audits: AuditLedger { found(by: ScreenAudit.self) }
    var readings: ReadingLedger { found(by: ReadingListener.self) }
    /// The most refreshes of one call in a loop, by population.
    var longestLoops: [Int64] { found(by: RefreshMetrics.self) }
    /// The visits of each population's load by their fate, in the order of the users.
    var load: [LoadTally] { found(by: LoadListener.self) }
    /// The server's line around each fault, in order of time.
    var backlogs: [Backlog] { listener(BacklogListener.self)?.found ?? [] }
    /// The comparison of the same users in two populations.
    var pairs: [PairRow] { listener(PairListener.self)?.found ?? [] }
    /// Steps in which one expiry was refreshed more than once.
    var refreshedTwice: Int64 { found(by: StepTokenMetrics.self) }

    /// The position of a user's population.
    func population(of user: Int) -> Int { run.users.population(of: user) }
}

extension Recorder: BackendObserver {
    func attemptTaken(_ cause: RequestCause, _ endpoint: Endpoint) {
        let user = user(Int(cause.user))
        let open = openSteps[user.number].flatMap { $0.ordinal == cause.step ? $0 : nil }
        causes.requests.began(cause, endpoint, in: open)
        let kind = AttemptKind(cause, endpoint)
        attempts.tell { $0.attemptTaken(kind, user) }
    }

    func accessTokenIssued(to user: UInt64, expiresAt expiry: Instant) {
        causes.expiries.issued(to: Int(user), until: expiry.nanoseconds)
    }

    var followsTokens: Bool { tokenOwners.find != nil }

    func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        tokenOwners.look(
            at: cause, endpoint, shows: shows, at: Instant(nanoseconds: run.now))
    }

    func exchangeEnded(_ record: consuming ExchangeRecord) {
        let user = user(Int(record.cause.user))
        let heldBefore = causes.requests.held
        let isMeasured = run.measures(sentAt: record.handedOver)
        let finding = causes.ended(
            record, inStep: openSteps[user.number]?.ordinal, isMeasured: isMeasured, at: user.now)
        let held = causes.requests.held
        let kind = AttemptKind(record.cause, record.endpoint)
        let exchange = EndedExchange(
            user: user, record: record, kind: kind, isMeasured: isMeasured, finding: finding,
            held: held == heldBefore ? nil : held)
        exchanges.tell(of: exchange.traits) { $0.exchangeEnded(exchange) }
    }

    func lineLeft(_ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64) {
        let user = user(Int(cause.user))
        servers.tell { $0.lineLeft(endpoint, after: wait, user) }
    }

    func connectionFound(
        _ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64
    ) {
        let user = user(Int(cause.user))
        servers.tell { $0.connectionFound(endpoint, after: wait, user) }
    }

    func serverChanged(busy: Int, waiting: Int) {
        let now = run.now
        servers.tell { $0.serverChanged(busy: Int64(busy), waiting: Int64(waiting), at: now) }
    }

    func connectionChanged(
        _ event: ConnectionEvent, _ cause: RequestCause, _ endpoint: Endpoint
    ) {
        let user = user(Int(cause.user))
        servers.tell { $0.connectionChanged(event, user) }
    }

    var keepsServerLog: Bool { serverLog != nil }

    func requestReplied(_ record: ServerRecord) { serverLog?(record) }

    func namesToken(of cause: RequestCause, _ meaning: AnswerMeaning) -> Bool {
        examples.shows(user: Int(cause.user), meaning)
    }

    func tracesTokens(
        of cause: RequestCause, _ endpoint: Endpoint, _ meaning: AnswerMeaning
    ) -> Bool {
        let step = openSteps[Int(cause.user)]?.ordinal
        return causes.follows(cause, endpoint, meaning, inStep: step)
    }

    func faultStruck(_ fault: Fault) {
        for listener in backend { listener.faultStruck(fault) }
    }

    func paymentPageClosed(on user: UInt64, _ answer: PaymentAnswer) {
        let user = self.user(Int(user))
        for listener in backend { listener.paymentPageClosed(on: user, answer) }
    }
}

/// Passes the events of the client's requests to the recorder.
final class ClientTap: EventMonitor {
    let recorder: Recorder
    let hearsStages = false

    init(recorder: Recorder) { self.recorder = recorder }

    func request(_ request: Request, willSend urlRequest: URLRequest, cause: RequestCause) {
        recorder.attemptSent(cause)
    }

    func request(
        _ request: Request, didReceive result: Result<TransportResponse, TransportError>,
        cause: RequestCause
    ) {
        recorder.attempts.tell { $0.attemptEnded() }
    }

    func requestDidFinish(_ request: Request, error: AFError?) {
        recorder.requestEnded(request, failed: error != nil)
        recorder.onRequest?(request)
    }

    func request(_ request: Request, didLose completion: LostCompletion) {
        recorder.requestEnded(request, failed: true)
        recorder.completionLost(completion, of: request)
    }

    func request(_ request: Request, didCallAgain completion: LostCompletion) {
        for listener in recorder.completions { listener.completionRepeated() }
    }

    func request(_ request: Request, didAskBudget isGranted: Bool) {
        recorder.causes.requests.budgetAsked(isGranted: isGranted)
    }
}

extension Recorder {
    fileprivate func attemptSent(_ cause: RequestCause) {
        let user = user(Int(cause.user))
        let attempt = SentAttempt(
            user: user, cause: cause,
            waited: causes.requests.attemptSent(cause, at: user.now), held: causes.requests.held)
        attempts.tell(of: attempt.traits) { $0.attemptSent(attempt) }
    }

    fileprivate func requestEnded(_ request: Request, failed: Bool) {
        let user = user(Int(request.session.user))
        let (waited, wasted) = causes.requests.requestEnded(
            user: request.session.user, request: request.number, failed: failed, at: user.now)
        let ended = EndedRequest(
            user: user, number: request.number, wastedAttempts: wasted, waited: waited,
            held: causes.requests.held)
        requestEnds.tell(of: ended.traits) { $0.requestEnded(ended) }
    }

    fileprivate func completionLost(_ completion: LostCompletion, of request: Request) {
        let user = user(Int(request.session.user))
        guard openSteps[user.number] != nil else { return }
        let lost = LostRequest(
            user: user, path: request.request?.url.path ?? "", completion: completion)
        for listener in completions { listener.completionLost(lost) }
    }
}

extension Recorder: FleetObserver {
    func userArrived(_ user: Int) {
        let user = self.user(user)
        visits.tell { $0.userArrived(user) }
    }

    func journeyBegan(user: Int, journey: Int) {
        let user = self.user(user)
        visits.tell { $0.journeyBegan(user, journey: journey) }
    }

    func journeyEnded(user: Int) {
        let user = self.user(user)
        visits.tell { $0.journeyEnded(user) }
    }

    func visitOffered(in population: Int) { visits.tell { $0.visitOffered(in: population) } }

    func visitBegan(user: Int, lateByNanoseconds lateness: Int64?) {
        let user = self.user(user)
        visits.tell { $0.visitBegan(user, lateByNanoseconds: lateness) }
    }

    func visitEnded(user: Int, isGivenUp: Bool) {
        let user = self.user(user)
        visits.tell { $0.visitEnded(user, isGivenUp: isGivenUp) }
    }

    func visitRefused(in population: Int) { visits.tell { $0.visitRefused(in: population) } }

    func visitsWait(in population: Int, _ waits: VisitWaits) {
        visits.tell { $0.visitsWait(in: population, waits) }
    }

    func stepBegan(user: Int, ordinal: UInt32, step: StepID) {
        let user = self.user(user)
        openSteps[user.number] = OpenStep(
            ordinal: ordinal, number: run.number(of: step, in: user.population))
        steps.tell { $0.stepBegan(user) }
    }

    func stepEnded(user: Int, ordinal: UInt32, step: RunningStep, outcome: StepOutcome?) {
        let ended = ended(user, ordinal, step, outcome)
        openSteps[user] = nil
        ended.open.isOver = true
        steps.tell { $0.stepEnded(ended) }
    }

    func stepEndedLate(user: Int, ordinal: UInt32) {
        let user = self.user(user)
        steps.tell { $0.stepEndedLate(user, ordinal: ordinal) }
    }

    func stepUnfinished(user: Int, ordinal: UInt32, step: RunningStep) {
        let running = ended(user, ordinal, step, nil)
        steps.tell { $0.stepUnfinished(running) }
    }

    private func ended(
        _ user: Int, _ ordinal: UInt32, _ step: RunningStep, _ outcome: StepOutcome?
    ) -> EndedStep {
        guard let open = openSteps[user] else {
            preconditionFailure("step \(ordinal) of user \(user) ends and has not begun")
        }
        return EndedStep(
            user: self.user(user), step: step, outcome: outcome, open: open,
            scriptedNanoseconds: run.steps[open.number].scriptedNanoseconds)
    }
}
