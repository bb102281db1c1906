public import SquallBackend
public import SquallFormat
import SquallHTTP
public import SquallKernel
public import SquallRaces
import SquallServices
public import SquallSockets

/// A backend in real time behind real sockets, and a judge of its clients.
///
/// **Start here** to read this module. The simulation's time follows the wall clock
/// (``RealTimeDriver``); requests come from a ``SocketServer`` and enter the ``LiveWorld`` at its
/// present instant. Everything happens on the calling thread.
public final class LiveServer: RealTimeSurroundings {
    let setup: LiveSetup
    let sockets: SocketServer
    private var proxy: UpstreamProxy?
    private(set) var world: LiveWorld
    private let clock: () -> Int64
    private let isStopped: () -> Bool
    /// The time of the processes that it shares one with; `nil` where its time is real.
    private let stepped: SteppedTime?
    /// The time at which the requests under way are given up, once it ends.
    private var endsBy: Int64?
    /// True as soon as it takes no new connection and only waits for what is under way.
    var isEnding: Bool { endsBy != nil }
    /// True while the driver has to begin again, with a new world.
    private var isReset = false
    /// Called with the report so far when it begins to end, before it waits for what is under way.
    public var ending: (LiveReport) -> Void = { _ in }
    /// Called with each finding, once.
    public var found: (LiveFinding) -> Void = { _ in }
    /// Called with each drill that has ended.
    public var drilled: (LiveDrillCell) -> Void = { _ in }
    /// Called with each drill that begins, before anything is asked.
    public var begun: (LiveDrillCell) -> Void = { _ in }
    /// Called once with each reason for which a request is refused.
    public var refused: (String) -> Void = { _ in }
    var refusals: Set<String> = []
    /// What requests call this server that were let through last.
    var acceptedHost: String?
    /// Called with what the app's user is asked to do.
    public var asked: (LiveDrillRequest) -> Void = { _ in }
    /// Called once with what is wrong where no request succeeds.
    public var hinted: (String) -> Void = { _ in }
    private var hasHinted = false
    /// Called with each line of a log that can be replayed: what came from outside.
    public var logged: ((JSON) -> Void)?
    /// Called with each response, for an access log, and the path that the log is to have where
    /// that is not the request's own.
    public var served: ((ServerRecord, _ path: String?) -> Void)?
    /// Counts the times at which something can have come from outside, and the requests.
    private var (turn, requests) = (0, UInt64(0))
    /// The requests to the service that are under way, by their clients.
    private(set) var underWay: [SocketServer.Client: UnderWay] = [:]

    /// A request under way, and its number in a log.
    struct UnderWay {
        let exchange: Backend.LiveExchange
        let number: UInt64
    }

    /// The time at which the last request came or ended.
    private(set) var lastActivity: Int64 = 0
    private lazy var arrivals = ArrivalClock(isStepped: stepped != nil)
    /// Requests of the control API that wait.
    var waits: [ControlWait] = []

    /// The time that requests under way may take when the server ends.
    private static let graceNanoseconds: Int64 = 5_000_000_000
    /// The time between two questions whether to end.
    private static let sleepNanosecondsMax: Int64 = 100_000_000
    /// The time between two looks whether all is quiet.
    private static let pollNanoseconds: Int64 = 10_000_000

    /// A server that listens nowhere yet; `isStopped` is asked repeatedly whether to end.
    ///
    /// - Throws: ``SocketServer/Problem``.
    public init(
        _ setup: LiveSetup, clock: @escaping () -> Int64 = { RealClock.nanoseconds },
        in stepped: SteppedTime? = nil, isStopped: @escaping () -> Bool
    ) throws(SocketServer.Problem) {
        (self.setup, self.stepped, self.isStopped) = (setup, stepped, isStopped)
        self.clock = if let stepped { { stepped.nanoseconds } } else { clock }
        let watch = try SocketWatch()
        sockets = try SocketServer(setup.limits, origin: setup.origin, watch: watch)
        world = LiveWorld(setup)
        if let plan = setup.upstream, let service = world.upstream {
            do throws(ResponseProblem) {
                proxy = try UpstreamProxy(
                    plan, service, sockets: sockets, watch: watch, clock: clock)
            } catch {
                throw SocketServer.Problem(
                    action: "reach \(plan.address.origin): \(error.text)", number: 0)
            }
        }
        attach()
        sockets.clientLeft = { [unowned self] in leave($0) }
        sockets.connectionEnded = { [unowned self] in
            note(.closed(connection: $0, isUnread: $1))
            world.judge.closed(connection: $0, isUnread: $1)
        }
    }

    /// Listens on a numeric address; returns the port, which is chosen where 0 is given.
    ///
    /// - Throws: ``SocketServer/Problem``.
    public func listen(on address: String, port: UInt16) throws(SocketServer.Problem) -> UInt16 {
        try sockets.listen(on: address, port: port)
    }

    /// The reason for which the real server cannot be reached now; `nil` where it can or there is
    /// none.
    ///
    /// Waits for up to two seconds.
    public var upstreamProblem: String? { proxy?.refusal(within: 2_000_000_000) }

    /// The name and password that a user of the simulated service signs in with.
    public func credentials(of user: UInt64) -> (email: String, password: String) {
        world.backend.credentials(of: user, at: setup.origin)
    }

    /// Serves until it is stopped or its time is over.
    ///
    /// - Throws: what the simulation throws.
    public func run() throws {
        try ExecutorSelfTest.run()
        repeat {
            isReset = false
            try RealTimeDriver(world.simulation, in: self, speed: setup.speed).run()
        } while isReset
        note(.end)
        for open in underWay.values.sorted(by: { $0.number < $1.number }) {
            world.backend.abandon(open.exchange)
        }
        world.endDrills()
    }

    /// The time that its drills take in all, about, in seconds, and their number.
    public var drillSpan: (count: Int, seconds: Int) {
        let played = world.drills.cells.filter { $0.usualSeconds > 0 }
        return (played.count, played.map(\.usualSeconds).reduce(0, +))
    }

    /// The report so far.
    public var report: LiveReport {
        world.tally.turnedAway = sockets.turnedAway
        var report = LiveReport(of: world)
        report.stepped = stepped?.report
        report.standstill = stepped?.standstill
        return report
    }

    /// Begins again, as if it were started now; connections of requests under way are broken.
    func reset() {
        proxy?.dropAll()
        note(.reset)
        for (client, _) in underWay.sorted(by: { $0.value.number < $1.value.number }) {
            sockets.breakOff(client)
        }
        underWay = [:]
        let old = world
        var setup = setup
        // Its clients' clock goes on.
        setup.services.epoch = Epoch(
            nanosecondsSince1970: setup.services.epoch.nanosecondsSince1970
                + (stepped?.nanoseconds ?? 0))
        world = LiveWorld(setup)
        old.endDrills()
        if let service = world.upstream { proxy?.attach(service) }
        attach()
        isReset = true
    }

    /// Listens to its world.
    private func attach() {
        world.upstream?.told = { [unowned self] in note($0) }
        world.judge.serverLog = { [unowned self] in
            served?($0, world.paths.path(of: $0))
        }
    }
}

extension LiveServer {
    /// The clock's time.
    public var nanoseconds: Int64 { clock() }

    /// True as soon as it was asked to end or its time is over, and nothing is under way any more.
    public var isOver: Bool {
        if isReset { return true }
        let isTimeOver = setup.durationNanoseconds.map { world.simulation.now.nanoseconds >= $0 }
        let isDrilled = setup.drills != nil && world.drills.isOver
        guard isStopped() || isTimeOver == true || isDrilled || stands() else { return false }
        let now = clock()
        guard let endsBy else {
            endsBy = now + Self.graceNanoseconds
            sockets.endSoon()
            if sockets.open > 0 { ending(LiveReport(of: world, isWhole: false)) }
            return sockets.open == 0
        }
        return sockets.open == 0 || now >= endsBy
    }

    /// Without a bound in stepped time, which has nothing to be asked for.
    public var waitNanosecondsMax: Int64 { stepped == nil ? 1_000_000_000 : .max / 4 }

    /// True where every process waits for ever; a drill that is played ends by it alone.
    private func stands() -> Bool {
        guard let stepped, stepped.standstill != nil else { return false }
        return setup.drills == nil || world.drills.isOver
    }

    /// Sleeps until a socket is ready.
    public func wait(nanoseconds: Int64) {
        arrivals.waits(at: clock())
        if let stepped { return wait(nanoseconds: nanoseconds, in: stepped) }
        let longest = waits.isEmpty ? Self.sleepNanosecondsMax : Self.pollNanoseconds
        let left = setup.durationNanoseconds.map {
            Double(max(0, $0 - world.simulation.now.nanoseconds)) / setup.speed
        }
        let end = Int64(min(left ?? .infinity, Double(longest)).rounded(.up))
        // Once its time is over, only what is under way keeps it.
        sockets.wait(nanoseconds: min(nanoseconds, endsBy == nil ? end : longest))
    }

    private func wait(nanoseconds: Int64, in stepped: SteppedTime) {
        let now = stepped.nanoseconds
        let end = setup.durationNanoseconds.map { $0 - world.simulation.now.nanoseconds }
        let (slowAt, plays) = (sockets.slowAt, setup.drills != nil && !world.drills.isOver)
        // The requests that await something, and what of its own the server does that a client may
        // notice.
        let awaits = !underWay.isEmpty || !waits.isEmpty || slowAt != nil || plays || endsBy != nil
        let spans = [
            nanoseconds, end ?? .max, slowAt.map { $0 - now } ?? .max,
            waits.isEmpty ? .max : Self.pollNanoseconds, endsBy.map { $0 - now } ?? .max,
        ]
        let span = max(0, spans.min() ?? 0)
        stepped.wait(
            until: span > .max / 8 ? .max : now + span, awaits: awaits, for: sockets,
            isOver: endsBy == nil ? isStopped : { false })
    }

    /// Takes the requests that have come.
    public func enter() {
        turn += 1
        if let span = arrivals.standstill(at: clock()) {
            note(.stoodStill(span))
            world.stoodStill(nanoseconds: span)
        }
        proxy?.enter()
        sockets.enter(at: arrivals.enters(at: clock())) { take($0, from: $1) }
        endWaits()
        turn += 1
    }

    /// Sends the responses that are ready, and tells what was found.
    public func send() {
        sockets.send(at: clock())
        lazy var rewriting = world.paths.rewriting
        for finding in world.judge.newFindings() { found(finding.rewritten(rewriting)) }
        for cell in world.drills.newCells() { drilled(cell.rewritten(rewriting)) }
        for cell in world.drills.newBeginnings() { begun(cell) }
        for request in world.drills.newRequests() { asked(request) }
        guard !hasHinted, world.judge.summary.requests >= LiveReport.hintRequests else { return }
        hasHinted = true
        if let hint = report.hint { hinted(hint) }
    }

    /// Counts how late an event was.
    public func note(latenessNanoseconds: Int64) {
        world.tally.late(byNanoseconds: latenessNanoseconds)
    }

    private func take(_ incoming: IncomingRequest, from client: SocketServer.Client) {
        let request = incoming.request
        if isIcon(request) {
            return sockets.respond(to: client, status: 404, headers: [], body: .empty)
        }
        guard !request.url.path.isOfControl else {
            if let answer = control(request, from: client) { respond(answer, to: client) }
            return
        }
        if let refusal = refusal(of: request, isControl: false) {
            return respond(refusal, to: client)
        }
        if let headers = CrossOrigin.preflight(
            request, allowsCredentials: allowsCredentials(request))
        {
            return sockets.respond(to: client, status: 204, headers: headers, body: .empty)
        }
        var asked = request
        if request.method == .head, proxy == nil { asked.method = .get }
        lastActivity = clock()
        let asksWorld = world
        requests += 1
        let began = began(client)
        note(.request(requests, connection: client.connection, began: began, asked))
        let exchange = world.take(asked, connection: client.connection, began: began) {
            [self] result in
            guard world === asksWorld else { return }
            underWay[client] = nil
            lastActivity = clock()
            answer(request, of: client, result)
        }
        guard sockets.isWaiting(client) else { return }
        underWay[client] = UnderWay(exchange: exchange, number: requests)
        proxy?.took(incoming, from: client, as: exchange.cause)
    }

    /// True if the page that asks may have the cookies of its user taken along.
    func allowsCredentials(_ request: URLRequest) -> Bool {
        let host = request.value(forHTTPHeaderField: "Host") ?? ""
        return request.value(forHTTPHeaderField: "Origin").map {
            setup.asking.isTrusted($0, host: host)
        } ?? false
    }

    /// True for a browser that asks for the icon of the status page.
    private func isIcon(_ request: URLRequest) -> Bool {
        request.url.path == "/favicon.ico"
            && request.value(forHTTPHeaderField: "Referer")?.contains(Self.controlPath) ?? false
    }

    /// The time at which a request began that took long to come; `nil` for any other.
    private func began(_ client: SocketServer.Client) -> Int64? {
        let span = sockets.requestBegan(of: client).map { clock() - arrivals.came(readAt: $0) } ?? 0
        guard span >= ArrivalClock.longNanoseconds else { return nil }
        let past = Int64((Double(span) * setup.speed).rounded())
        return max(0, world.simulation.now.nanoseconds - past)
    }

    private func answer(
        _ request: URLRequest, of client: SocketServer.Client,
        _ result: Result<TransportResponse, TransportError>
    ) {
        guard case .success(let response) = result else {
            proxy?.left(client)
            return sockets.breakOff(client)
        }
        let allowsCredentials = allowsCredentials(request)
        if let proxy,
            proxy.respond(response, to: client, allowsCredentials: allowsCredentials)
        {
            return
        }
        var headers = CrossOrigin.opened(
            response.head.headers, to: request, allowsCredentials: allowsCredentials)
        if headers["Date"] == nil {
            headers.add(
                name: "Date",
                value: HTTPDate.text(world.simulation.nanosecondsSince1970 / 1_000_000_000))
        }
        sockets.respond(
            to: client, status: response.head.statusCode, headers: headers, body: response.body)
    }

    /// A client has gone before its response.
    private func leave(_ client: SocketServer.Client) {
        waits.removeAll { $0.client == client }
        proxy?.left(client)
        guard let open = underWay.removeValue(forKey: client) else { return }
        note(.left(open.number))
        world.backend.abandon(open.exchange)
        lastActivity = clock()
    }

    /// The user has done what a drill asked for.
    public func confirm() { control("/drills/done") }

    /// Gives up the drill that is played; it is not judged for this reason.
    public func skipDrill(because reason: String) { control("/drills/skip", reason) }

    private func control(_ path: String, _ text: String = "") {
        let body = Body(text)
        guard (try? world.perform(.post, path[...], body)) != nil else { return }
        note(.control(.post, path: path, body))
    }

    /// Writes down what came from outside.
    func note(_ event: @autoclosure () -> LiveEntry.Event) {
        guard let logged else { return }
        logged(
            LiveEntry(turn: turn, at: world.simulation.now.nanoseconds, event: event()).json)
    }
}

extension String {
    fileprivate var isOfControl: Bool {
        self == LiveServer.controlPath || hasPrefix(LiveServer.controlPath + "/")
    }
}
