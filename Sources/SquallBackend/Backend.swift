public import SquallHTTP
public import SquallKernel

/// The backend behind every client's transport: network, server, faults and tokens of any API.
///
/// **Start here** to read this module. It moves exchanges: `Network/Backend+Network` has
/// connections and ways, `Server/Backend+Server` line and workers, `Service/Service` the response.
/// Every stage ends with an event at an instant that a random stream of the user and request
/// decides, so that a request's latency does not depend on other requests. The backend sees what
/// travels and nothing of the client: its counts check the client's.
public final class Backend: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation: Simulation
    let plan: BackendPlan
    let latency: Latency
    let tokens: TokenMint
    // Unchecked, here and below: no outside code changes or holds these values, each access ends
    // before other code runs, and checking each took a fiftieth of a run.
    @exclusivity(unchecked) var services: ServiceDirectory
    @exclusivity(unchecked) var faults: FaultPlan
    /// Header fields of the responses that faults make, beside the service's own.
    @exclusivity(unchecked) public var failureHeaders = HTTPHeaders()
    /// The event that a fault of the server's capacity ends with.
    var capacityChanged: EventHandler?
    /// The counts that ``conservationLaws`` compare.
    @exclusivity(unchecked) public internal(set) var counters = BackendCounters()
    @exclusivity(unchecked) var exchanges = ExchangeTable()
    /// Messages of pages in web views, which no law of conservation counts.
    @exclusivity(unchecked) var visits = ExchangeTable()
    @exclusivity(unchecked) var pools: [WorkerPool]
    @exclusivity(unchecked) var database: Database?
    /// True as soon as the world has ended: requests no longer reach the backend.
    @exclusivity(unchecked) var isClosed = false
    /// The pool and the level of each endpoint's calls.
    let directory: PoolDirectory
    @exclusivity(unchecked) var limits: RateLimits?
    /// How long work takes, by endpoint number, where that differs from the server's law.
    let serviceTimes: [Distribution?]
    /// True if refusing an expired token takes another time than the call's own work.
    let refusesExpired: Bool
    /// A constant, of which no call counts references.
    let observer: any BackendObserver
    @exclusivity(unchecked) var draws: AttemptDraws
    /// By pool and user; a pool is added when the first exchange takes it.
    @exclusivity(unchecked) var connections: [[Connections]] = []
    /// Where bandwidth is limited.
    @exclusivity(unchecked) var lines: UserLines
    private(set) var handlers: Handlers?
    /// The connections, where they are set up and end; `nil` where they are always there.
    let links: ConnectionTable?
    /// The events of connections.
    @exclusivity(unchecked) var linkHandlers: LinkHandlers?
    @exclusivity(unchecked) var severedHandler: EventHandler?

    /// A user's connections in use, and the exchanges that wait for one.
    struct Connections {
        var inUse: UInt16 = 0
        var waiting = ConnectionLine()
    }

    /// The random streams of the spans of an exchange.
    struct Latency {
        let up, service, query, down, connection: RandomStream
    }

    /// The events that end stages.
    struct Handlers {
        let arrived, served, queried, read, found, written, returned, broke: EventHandler
        let timedOut, late, abandoned, visited, uploaded, downloading, told: EventHandler
        let begun: EventHandler
    }

    /// A backend on which services answer, with its faults scheduled.
    ///
    /// The first service also answers on origins that no other has. Every stream of the backend is
    /// derived by name from `randomness`, the run's root. The backend keeps its observer, which
    /// must not keep it. A remote server takes the place of the service on its origin.
    public init(
        simulation: Simulation, plan: BackendPlan, services: [any Service],
        randomness: RandomStream, observer: any BackendObserver,
        remote: (any RemoteServer)? = nil
    ) {
        self.simulation = simulation
        self.plan = plan
        self.observer = observer
        tokens = TokenMint(policy: plan.tokens, randomness: randomness)
        tokens.observer = observer
        self.services = ServiceDirectory(services, remote: remote)
        serviceTimes = self.services.byEndpoint(plan.server.serviceTimes)
        refusesExpired = plan.server.refusalTime != nil
        faults = FaultPlan(plan, randomness)
        tokens.identity = plan.identity
        limits = RateLimits(plan.server)
        lines = UserLines(plan.network)
        directory = PoolDirectory(plan.server.serving, self.services)
        pools = WorkerPool.all(of: plan.server, levels: directory.levels)
        database = Database(plan.server.serving.database, self.services)
        counters.server.database = database.map { _ in DatabaseTally() }
        draws = AttemptDraws(users: plan.userCount, unless: simulation.isStopped)
        latency = Latency(
            up: randomness.stream("network.up"), service: randomness.stream("server.service"),
            query: randomness.stream("server.database"), down: randomness.stream("network.down"),
            connection: randomness.stream("network.connection"))
        links = plan.network.connections.map {
            ConnectionTable(
                $0, connectionsPerHost: plan.network.connectionsPerHost,
                users: plan.userCount, endsByEvents: !simulation.isFirstInFirstOut)
        }
        // Safe because no event is due any more once the backend is gone; counting references to it
        // took longer than some events.
        let own = Unmanaged.passUnretained(self)
        // Only a scheduling policy that looks ever asks.
        let owner = { (number: UInt64) -> ReadyEvent.Subject in
            own._withUnsafeGuaranteedRef { backend in
                backend.exchanges[number].map { .init(number: $0.ordinal, user: $0.cause.user) }
                    ?? .init()
            }
        }
        func on(
            _ meaning: EventMeaning, prefetch: ((Backend, UInt64) -> Void)? = nil,
            _ handle: @escaping (Backend, UInt64) -> Void
        ) -> EventHandler {
            simulation.register(
                meaning,
                prefetch: prefetch.map { prefetch in
                    { number in own._withUnsafeGuaranteedRef { prefetch($0, number) } }
                }
            ) { number in own._withUnsafeGuaranteedRef { handle($0, number) } }
        }
        let soon = { (backend: Backend, number: UInt64) in backend.exchanges.prefetchState(number) }
        handlers = Handlers(
            arrived: on(.message("request arrives", of: owner), prefetch: soon) { $0.arrive($1) },
            served: on(.timer("service ends", of: owner), prefetch: soon) { $0.finishService($1) },
            queried: on(.timer("query ends", of: owner), prefetch: soon) { $0.finishQuery($1) },
            read: on(.timer("rows are read", of: owner), prefetch: soon) { $0.finishReading($1) },
            found: on(.timer("work elsewhere ends", of: owner)) { $0.finishElsewhere($1) },
            written: on(.timer("worker is free", of: owner), prefetch: soon) {
                $0.finishWriting($1)
            },
            returned: on(
                .message("response arrives", onDevice: true, of: owner),
                prefetch: { $0.exchanges.prefetchEnd(of: $1) }
            ) { $0.deliver($1) },
            broke: on(.message("connection breaks", onDevice: true, of: owner)) {
                $0.breakConnection($1)
            },
            timedOut: on(.timer("request times out", onDevice: true, of: owner)) { $0.timeOut($1) },
            late: on(.timer("request has waited too long", of: owner)) { $0.leaveLate($1) },
            abandoned: on(.message("server learns of a cancel", of: owner)) { $0.abandon($1) },
            visited: on(.message("web page responds", of: owner)) { $0.answerVisit($1) },
            uploaded: on(.timer("upload ends", onDevice: true, of: owner)) { $0.finishUpload($1) },
            downloading: on(.message("response reaches the line", of: owner)) { $0.download($1) },
            told: simulation.register(.timer("client is told"), Exchange.takeTurn),
            begun: simulation.register(.timer("client begins"), ClientTurn.take))
        noteLevels()
        scheduleFaults()
        prepareConnections()
    }

    /// The network of a client's session; a request's cause names its user.
    public var transport: any Transport { SimulatedTransport(backend: self) }

    /// The network of a page in a web view: it takes no app connection and is not measured.
    ///
    /// Its messages travel in no time; their travel is part of the time that the user looks at the
    /// page.
    public var webViewTransport: any Transport { WebViewTransport(backend: self) }
}

extension Backend {
    /// Measuring begins now: what ``BackendCounters/server`` tells covers only what follows.
    public func startMeasuring() {
        counters.server.restart(at: simulation.now.nanoseconds)
    }

    /// The load is over: how busy the server is from now on says nothing about it.
    public func stopMeasuring() {
        counters.server.stop(at: simulation.now.nanoseconds)
    }

    /// Ends the world: a request that is sent from now on fails after a second, so that loops in
    /// clients end, and a service changes nothing for a request that still reaches it.
    public func close() { isClosed = true }

    /// The number of exchanges under way, those without a client included.
    public var inFlight: Int { exchanges.count }

    /// Which endpoint a request is.
    public func endpoint(of request: URLRequest) -> Endpoint {
        services.destination(of: request).endpoint
    }

    /// The user that a request's tokens were issued to; `nil` when it shows no genuine one.
    public func owner(of shown: TokenTexts) -> UInt64? {
        (shown.access ?? shown.refresh).flatMap { tokens.owner(of: $0) }
    }

    /// True if any of its services says in its responses how long its tokens live.
    public var statesLifetimes: Bool { services.all.contains { $0.service.statesLifetimes } }

    /// The services' audits, which compare what users saw with the services' state when the run is
    /// over.
    ///
    /// What a real server knows cannot be looked at.
    public var audits: [any Audit] {
        services.all.filter { !$0.isOutside }.flatMap(\.service.audits)
    }

    /// What a user types to sign in with the service on an origin, by default the first one's.
    ///
    /// - Precondition: the service has accounts.
    public func credentials(
        of user: UInt64, at origin: String = ""
    ) -> (email: String, password: String) {
        accounts(at: origin).credentials(of: user)
    }

    /// Signs a user in before the run with the service on an origin, by default the first one's.
    ///
    /// The access token lives this many nanoseconds more; `nil` for a whole life.
    ///
    /// - Precondition: the service has accounts.
    public func signIn(
        user: UInt64, at origin: String = "", accessLifetime: Int64? = nil
    ) -> SignedInUser {
        accounts(at: origin).signIn(
            user, accessLifetime: accessLifetime, at: simulation.now, tokens: tokens)
    }

    /// Makes every access token that was issued so far count as expired.
    public func expireAccessTokens() { tokens.expireAll(.access, at: simulation.now) }

    /// Makes every refresh token that was issued so far count as expired.
    public func revokeRefreshTokens() { tokens.expireAll(.refresh, at: simulation.now) }

    /// How long tokens live that are issued from now on, and what a refresh does to any.
    public var tokenPolicy: TokenPolicy {
        get { tokens.policy }
        set { tokens.policy = newValue }
    }

    /// A token of a sign-in now, for code that is given its tokens from outside.
    public func issue(_ kind: TokenMint.Kind, to user: Int, isExpired: Bool = false) -> String {
        tokens.issue(
            kind, to: user, at: simulation.now, lifetime: isExpired ? 0 : nil
        ).token
    }

    /// The service at an origin; the first one where none is.
    public func service(at origin: String) -> any Service {
        services.service(at: origin).service
    }

    private func accounts(at origin: String) -> any Accounts {
        let service = service(at: origin)
        guard let accounts = service.accounts else {
            preconditionFailure("the service \(service.name) on '\(origin)' has no accounts")
        }
        return accounts
    }
}

/// Messages of pages in web views: they take no connection of the app's, meet no fault and no line,
/// and are not counted.
extension Backend {
    /// Takes a message from a page; its continuation gets the response.
    func visit(_ exchange: Exchange) {
        after(0, handlers?.visited, visits.insert(exchange))
    }

    /// The message has reached its service; the response goes straight back.
    func answerVisit(_ number: UInt64) {
        guard let exchange = visits[number] else { return }
        visits.remove(number)
        let answer = askElsewhere(exchange)
        exchange.resume(
            .success(
                TransportResponse(
                    to: exchange.request, statusCode: answer.status, headers: answer.headers,
                    body: answer.body)))
    }
}

/// Sums over a run that prove that no exchange got lost inside the backend.
public struct BackendCounters: Hashable, Sendable {
    /// Requests that clients handed over.
    public var handedOver: Int64 = 0
    /// Exchanges in which the client got a response.
    public var answered: Int64 = 0
    /// Exchanges in which the client got no response: failed, timed out or cancelled.
    public var unanswered: Int64 = 0
    /// Requests that got a connection and went on the wire.
    public var sent: Int64 = 0
    /// Requests that the network delivered once more.
    public var duplicated: Int64 = 0
    /// Requests that the network lost.
    public var lostRequests: Int64 = 0
    /// Requests that reached the server.
    public var received: Int64 = 0
    /// Requests the server replied to, the ones it turned away included.
    public var replied: Int64 = 0
    /// Requests that the server dropped because it was told that their clients had stopped waiting.
    public var abandoned: Int64 = 0
    /// Replies that no client got: lost on their way, or their client had gone.
    public var dropped: Int64 = 0
    /// What workers and line did and met since measuring began.
    public internal(set) var server = ServerTally()
    /// The number of requests at the server, over time, for Little's law.
    public var occupancy = Occupancy()
}
