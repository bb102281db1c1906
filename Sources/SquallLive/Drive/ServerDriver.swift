public import SquallBackend
import SquallHTTP
public import SquallKernel
public import SquallLab
public import SquallReport
public import SquallSockets

/// Lets a run's users speak with a real server in real time.
///
/// **Start here** to read this module. Time follows the clock (``RealTimeDriver``): what is due
/// happens at its own instant, however late the thread is, so a request that is sent late has that
/// lateness in its duration. A ``Wire`` carries requests; what it hears enters the simulation at
/// its present instant. Everything happens on the calling thread.
public final class ServerDriver: LoadDriver, RealTimeSurroundings {
    /// The origin that the profile's app calls.
    public let origin: String
    /// The accounts that users sign in to.
    public let accounts: [UserAccount]
    /// The users that are driven.
    public let share: UserShare
    /// Where time begins in the calendar: clients compare dates with their own clock.
    public let epoch: Epoch
    let setup: DriveSetup
    private let wire: any Wire
    private let clock: Clock
    private var driver: RealTimeDriver?
    private var simulation: Simulation?
    private var backend: Backend?
    private var tally = GeneratorTally()
    private var pace: Pace
    private var check: ResponseCheck
    /// Requests that are due and not sent yet, from `next` on.
    private var outbox: [(request: RemoteRequest, due: Int64)] = []
    private var next = 0
    /// The requests under way, by their exchanges' numbers, and what gives each of them up.
    private var underWay: [UInt64: () -> Void] = [:]
    private var isEnded = false
    private var isStopped: () -> Bool = { false }
    private var hasStopped = false
    /// The reason for which the server cannot be reached, where no connection has ever been made;
    /// it then stops.
    public private(set) var unreachable: (reason: String, isUntrusted: Bool)?
    /// Sign-ins that were answered before one brought a token, and the last of them where it
    /// stopped because none did.
    private(set) var (signIns, fruitless): (Int, URLRequest?) = (0, nil)
    private var hasToken = false
    /// The page that shows how it goes; `nil` where none is served.
    private var page: LivePage?
    /// The time at which it is asked again whether to stop.
    private var asksAt = Int64.min

    /// A clock and the processor time of this process, both in nanoseconds.
    public struct Clock {
        /// Elapsed nanoseconds since some fixed moment.
        var elapsed: () -> Int64
        /// The processor time that this process has used.
        var processor: () -> Int64

        /// A clock of its parts.
        public init(elapsed: @escaping () -> Int64, processor: @escaping () -> Int64) {
            (self.elapsed, self.processor) = (elapsed, processor)
        }
    }

    /// The time between two questions whether to stop, and the longest sleep.
    private static let askNanoseconds: Int64 = 20_000_000

    /// A driver of a server that a wire leads to.
    init(_ setup: DriveSetup, over wire: any Wire, clock: Clock) {
        (self.setup, self.wire, self.clock) = (setup, wire, clock)
        (origin, accounts, epoch) = (setup.origin, setup.accounts, setup.epoch)
        share = setup.share
        pace = Pace(perSecond: setup.limits.requestsPerSecond)
        check = ResponseCheck(setup.expected)
    }

    /// Serves a page that shows how it goes, for this machine alone; returns its address.
    ///
    /// Must be called before time begins.
    ///
    /// - Throws: `SocketServer.Problem` where the port (0 for a free one) cannot be listened on.
    public func showLive(on port: UInt16) throws(SocketServer.Problem) -> String {
        tally.keepSeconds()
        let page = try LivePage(port: port, watch: wire.watch)
        self.page = page
        return page.address
    }

    /// Time begins now.
    public func begin(_ simulation: Simulation, _ backend: Backend) {
        (self.simulation, self.backend) = (simulation, backend)
        driver = RealTimeDriver(simulation, in: self)
        tally.begin(at: clock.elapsed(), processor: clock.processor())
    }

    /// Lets time pass to a moment, or until it is asked to stop.
    ///
    /// - Throws: what the simulation throws.
    public func pass(until end: Instant, isStopped: () -> Bool) throws -> Simulation.Pause {
        guard let driver else { preconditionFailure("time passes before it began") }
        try withoutActuallyEscaping(isStopped) { isStopped in
            self.isStopped = isStopped
            defer { self.isStopped = { false } }
            try driver.run(until: end)
        }
        return hasStopped ? .stopped : .reachedEnd
    }

    /// Sends nothing more, and gives up what is under way.
    public func end() {
        isEnded = true
        tally.end(at: clock.elapsed(), processor: clock.processor())
        (outbox, next) = ([], 0)
        let left = underWay
        underWay = [:]
        for number in left.keys.sorted() { left[number]?() }
        (driver, backend, simulation) = (nil, nil, nil)
    }

    /// The generator's own figures so far.
    public var generator: GeneratorView {
        tally.view(
            of: setup, at: clock.elapsed(), processor: clock.processor(),
            connections: (wire.openMost, wire.made), sentAgain: wire.sentAgain,
            unexpected: check.responses)
    }

    /// The figures of a line of progress.
    public var progress: DriveProgress { tally.progress(at: clock.elapsed(), open: wire.open) }
}

extension ServerDriver {
    /// Sends a request as soon as the simulation pauses.
    public func send(_ request: RemoteRequest) {
        guard !isEnded, let simulation else { return }
        outbox.append((request, simulation.now.nanoseconds))
    }

    /// Gives a request up.
    public func drop(_ exchange: UInt64) {
        if let cancel = underWay.removeValue(forKey: exchange) { return cancel() }
        guard let place = outbox[next...].firstIndex(where: { $0.request.exchange == exchange })
        else { return }
        outbox.remove(at: place)
    }
}

extension ServerDriver {
    /// The clock's time.
    public var nanoseconds: Int64 { clock.elapsed() }

    /// True as soon as it was asked to stop; asks again from time to time.
    public var isOver: Bool {
        let now = clock.elapsed()
        guard !hasStopped, now >= asksAt else { return hasStopped }
        asksAt = now + Self.askNanoseconds
        hasStopped = isStopped()
        return hasStopped
    }

    /// Sleeps until a socket is ready, something is due, or a request may be sent.
    public func wait(nanoseconds: Int64) {
        let held = next < outbox.count ? pace.wait(at: clock.elapsed()) : .max
        wire.wait(nanoseconds: min(nanoseconds, held, Self.askNanoseconds))
    }

    /// Takes what has come.
    public func enter() {
        wire.enter(at: clock.elapsed())
        page?.enter(at: clock.elapsed()) {
            let now = tally.progress(at: clock.elapsed(), open: wire.open)
            return DrivePage.document((setup.target.text, now, tally.seconds ?? []))
        }
    }

    /// Counts nothing: what matters is how late requests are sent.
    public func note(latenessNanoseconds: Int64) {}

    /// Sends what is due and allowed.
    public func send() {
        guard let driver else { return }
        while next < outbox.count {
            let (request, due) = outbox[next]
            let now = clock.elapsed()
            guard pace.allows(at: now) else {
                tally.throttled(upTo: outbox.count - next)
                break
            }
            next += 1
            tally.sent(
                isRefresh: request.endpoint.role == .refresh,
                lateBy: max(0, driver.present.nanoseconds - due), at: now)
            send(request, at: now)
        }
        if next == outbox.count {
            outbox.removeAll(keepingCapacity: true)
            next = 0
        }
    }

    /// The request as it travels: those that bring or end tokens show the client's secret.
    private func outgoing(_ request: RemoteRequest) -> OutgoingRequest {
        var outgoing = setup.target.outgoing(OutgoingRequest(request.request))
        let signsOut = setup.expected.form?.logOut.path == request.request.url.path
        if request.endpoint.role != .ordinary || signsOut {
            setup.client?.authenticate(&outgoing)
        }
        return outgoing
    }

    /// Stops where the first sign-ins bring no token: every further step would fail as well.
    private func note(_ request: RemoteRequest, _ response: WireResponse) {
        guard !hasToken, request.endpoint.role == .signIn, setup.expected.form != nil,
            response.status < 500, ![307, 308, 429].contains(response.status)
        else { return }
        signIns += 1
        hasToken = check.hasToken(response, of: .signIn)
        if !hasToken, signIns >= Self.fruitlessMax {
            (fruitless, hasStopped) = (request.request, true)
        }
    }

    /// Sends a request that is none of the run's; what is returned gives it up.
    func send(
        _ request: OutgoingRequest, at now: Int64,
        told: @escaping (Result<WireResponse, WireProblem>) -> Void
    ) -> () -> Void {
        var request = setup.target.outgoing(request)
        setup.client?.authenticate(&request)
        return wire.begin(request, connectionsOf: .max, at: now, told: told)
    }

    private func send(_ request: RemoteRequest, at now: Int64) {
        let number = request.exchange
        underWay[number] = wire.begin(
            outgoing(request),
            connectionsOf: request.cause.lane, at: now
        ) { [unowned self] result in
            underWay[number] = nil
            let end = clock.elapsed()
            switch result {
            case .success(let response):
                tally.ended(after: end - now, isFailure: response.status >= 500, at: end)
                check.note(request, response)
                note(request, response)
                backend?.answer(
                    number,
                    with: Answer(
                        status: response.status, headers: response.headers,
                        body: Body(response.body)))
            case .failure(let problem):
                tally.failed(problem, at: end)
                let isUntrusted = problem.code == .secureConnectionFailed
                if isUntrusted || problem.code == .cannotConnectToHost, wire.made == 0 {
                    (unreachable, hasStopped) = ((problem.text, isUntrusted), true)
                }
                backend?.fail(number, with: problem.code)
            }
        }
    }
}

extension RequestCause {
    /// Tells the connections of one user's session from all others.
    fileprivate var lane: UInt64 { UInt64(pool) << 48 | user }
}
