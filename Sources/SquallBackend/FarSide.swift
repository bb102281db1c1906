import SquallHTTP
import SquallKernel

/// Moves exchanges: a connection, the way up, the line, a worker, the way down.
///
/// Every stage ends with an event at an instant that a random stream of the user and request
/// decides, so that a request's latency does not depend on other requests. An exchange begins and
/// ends here; `FarSide+Network` has the ways, `FarSide+Server` the server.
final class FarSide: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation: Simulation
    let plan: BackendPlan
    let faults: FaultPlan
    let latency: Latency
    let tokens: TokenMint
    // Unchecked, here and below: no outside code changes or holds these values, each access ends
    // before other code runs, and checking each took a fiftieth of a run.
    @exclusivity(unchecked) var services: ServiceDirectory
    @exclusivity(unchecked) var counters = BackendCounters()
    @exclusivity(unchecked) var exchanges = ExchangeTable()
    /// Messages of pages in web views, which no law of conservation counts.
    @exclusivity(unchecked) var visits = ExchangeTable()
    @exclusivity(unchecked) var pools: [WorkerPool]
    @exclusivity(unchecked) var database: Database?
    /// Whether the world has ended, so that requests no longer reach the backend.
    @exclusivity(unchecked) var isClosed = false
    /// The pool and the level of each endpoint's calls.
    let directory: PoolDirectory
    @exclusivity(unchecked) var limits: RateLimits?
    /// How long work takes, by endpoint number, where that differs from the server's law.
    let serviceTimes: [Distribution?]
    /// Unsafe: it outlives the backend, and counting references took longer than its own work.
    unowned(unsafe) let observer: any BackendObserver
    @exclusivity(unchecked) private var words: CallWords
    /// By pool and user; a pool is added when the first exchange takes it.
    @exclusivity(unchecked) private var connections: [[Connections]] = []
    private(set) var handlers: Handlers?

    /// A user's connections in use, and the exchanges that wait for one.
    private struct Connections {
        var inUse: UInt16 = 0
        var waiting: [UInt64] = []
    }

    /// The random streams of the spans of an exchange.
    struct Latency {
        let up, service, query, down: RandomStream
    }

    /// The events that end stages.
    struct Handlers {
        let arrived, served, queried, read, found, written, returned, broke: EventHandler
        let timedOut, late, abandoned, visited: EventHandler
    }

    init(
        simulation: Simulation, plan: BackendPlan, services: [any Service],
        randomness: RandomStream, observer: any BackendObserver
    ) {
        self.simulation = simulation
        self.plan = plan
        self.observer = observer
        tokens = TokenMint(policy: plan.tokens, randomness: randomness)
        tokens.observer = observer
        self.services = ServiceDirectory(services)
        serviceTimes = self.services.byEndpoint(plan.server.serviceTimes)
        faults = FaultPlan(plan, randomness)
        tokens.people = plan.people
        limits = RateLimits(plan.server)
        directory = PoolDirectory(plan.server.serving, self.services)
        pools = WorkerPool.all(of: plan.server, levels: directory.levels)
        database = Database(plan.server.serving.database, self.services)
        counters.server.database = database.map { _ in DatabaseTally() }
        words = CallWords(users: plan.userCount, unless: simulation.isGivenUp)
        latency = Latency(
            up: randomness.stream("network.up"), service: randomness.stream("server.service"),
            query: randomness.stream("server.database"), down: randomness.stream("network.down"))
        // Only a scheduling policy that looks ever asks. Unsafe below: no event is due any more
        // once the backend is gone.
        let whose = { [unowned self] (number: UInt64) -> ReadyEvent.Subject in
            exchanges[number].map { .init(number: $0.ordinal, user: $0.cause.user) } ?? .init()
        }
        handlers = Handlers(
            arrived: simulation.register(.message("request arrives", of: whose)) {
                [unowned(unsafe) self] in arrive($0)
            },
            served: simulation.register(.timer("service ends", of: whose)) {
                [unowned(unsafe) self] in finishService($0)
            },
            queried: simulation.register(.timer("query ends", of: whose)) {
                [unowned(unsafe) self] in finishQuery($0)
            },
            read: simulation.register(.timer("rows are read", of: whose)) {
                [unowned(unsafe) self] in finishReading($0)
            },
            found: simulation.register(.timer("work elsewhere ends", of: whose)) {
                [unowned(unsafe) self] in finishElsewhere($0)
            },
            written: simulation.register(.timer("worker is free", of: whose)) {
                [unowned(unsafe) self] in finishWriting($0)
            },
            returned: simulation.register(.message("answer arrives", onDevice: true, of: whose)) {
                [unowned(unsafe) self] in deliver($0)
            },
            broke: simulation.register(.message("connection breaks", onDevice: true, of: whose)) {
                [unowned(unsafe) self] in breakConnection($0)
            },
            timedOut: simulation.register(.timer("request times out", onDevice: true, of: whose)) {
                [unowned(unsafe) self] in giveUp($0)
            },
            late: simulation.register(.timer("request has waited too long", of: whose)) {
                [unowned(unsafe) self] in leaveLate($0)
            },
            abandoned: simulation.register(.message("server learns of a cancel", of: whose)) {
                [unowned(unsafe) self] in abandon($0)
            },
            visited: simulation.register(.message("web page answers", of: whose)) {
                [unowned(unsafe) self] in answerVisit($0)
            })
        noteLevels()
    }

    /// How many exchanges are under way.
    var inFlight: Int { exchanges.count }

    /// Takes an exchange from a client; its continuation gets the outcome.
    func begin(_ exchange: Exchange) {
        simulation.checkThread()
        TrapReport.note(user: Int(exchange.cause.user))
        counters.handedOver += 1
        observer.attemptTaken(exchange.cause, exchange.endpoint)
        let number = exchanges.insert(exchange)
        exchange.number = number
        exchange.person = plan.people.person(exchange.cause.user)
        exchange.word = words.word(of: exchange.cause, to: exchange.endpoint)
        if observer.followsTokens {
            observer.exchangeBegan(
                exchange.cause, exchange.endpoint, exchange.request, shows: exchange.shownTokens)
        }
        let limit = UInt16(clamping: plan.network.connectionsPerHost)
        let isFree = withConnections(of: exchange) { connections in
            guard connections.inUse < limit else {
                connections.waiting.append(number)
                return false
            }
            connections.inUse += 1
            return true
        }
        if isFree { send(number) }
    }

    /// Looks at or changes the connections of an exchange's user and session.
    private func withConnections<Value>(
        of exchange: Exchange, _ body: (inout Connections) -> Value
    ) -> Value {
        let (pool, user) = (Int(exchange.cause.pool), Int(exchange.cause.user))
        while connections.count <= pool {
            connections.append(Array(repeating: Connections(), count: plan.userCount))
        }
        return body(&connections[pool][user])
    }

    /// The client no longer wants the answer.
    func cancel(_ exchange: Exchange) {
        simulation.checkThread()
        guard let number = exchange.number else { return }
        end(number, .failure(TransportError(.cancelled)))
    }

    private func giveUp(_ number: UInt64) {
        exchanges[number]?.timeout = nil
        end(number, .failure(TransportError(.timedOut)))
    }

    /// Gives the client the outcome, unless it has gone, and lets the exchange go on without it.
    func end(_ number: UInt64, _ result: Exchange.Result) {
        guard let exchange = exchanges[number], exchange.hasClient else { return }
        if let timeout = exchange.timeout { simulation.cancel(timeout) }
        observer.exchangeEnded(record(of: exchange, result))
        if case .success = result, let tokens = exchange.brings {
            observer.tokensReceived(tokens, by: exchange.cause)
        }
        exchange.hasClient = false
        count(result, in: exchange.stage)
        forget(exchange, number)
        TrapReport.note(user: Int(exchange.cause.user))
        exchange.resume(result)
    }

    /// Frees what a client that has gone no longer needs.
    private func forget(_ exchange: Exchange, _ number: UInt64) {
        switch exchange.stage {
        case .waitingForConnection:
            withConnections(of: exchange) { $0.waiting.removeAll { $0 == number } }
            return exchanges.remove(number)
        case .returning, .lost, .breaking: exchanges.remove(number)
        case .travelling, .queued, .served: tellServer(exchange, number)
        }
        let next: UInt64? = withConnections(of: exchange) { connections in
            guard connections.waiting.isEmpty else { return connections.waiting.removeFirst() }
            connections.inUse -= 1
            return nil
        }
        if let next { send(next) }
    }

    private func count(_ result: Exchange.Result, in stage: Exchange.Stage) {
        switch result {
        case .success: counters.answered += 1
        case .failure:
            counters.unanswered += 1
            if case .returning = stage { counters.dropped += 1 }
        }
    }
}
