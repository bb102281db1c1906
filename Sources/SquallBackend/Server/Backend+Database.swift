import SquallFormat
import SquallHTTP
import SquallKernel

/// The database behind the workers: a worker waits for a connection, and for the rows.
extension Backend {
    /// A worker asks the database.
    func ask(_ number: UInt64, _ exchange: Exchange) {
        exchange.query = .waits(since: simulation.now)
        switch database?.connections.admit(number) {
        case .starts: query(number, exchange)
        case .waits: watch(number, exchange, until: .max)
        case .refused, .replaces, nil: preconditionFailure("a database queues every query")
        }
        noteDatabase()
    }

    /// A worker has got a connection.
    private func query(_ number: UInt64, _ exchange: Exchange) {
        guard case .waits(let since) = exchange.query, let plan = database?.plan else { return }
        exchange.query = .runs
        counters.server.database?.queries += 1
        observer.connectionFound(
            exchange.cause, exchange.endpoint,
            afterNanoseconds: simulation.now.nanoseconds - since.nanoseconds)
        work(sample(plan.queryTime, latency.query, exchange), number, exchange, handlers?.queried)
    }

    /// The database has done what was asked; its rows are still to be read.
    func finishQuery(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        makeAnswer(exchange)
        let rows = exchange.page?.rowsScanned ?? 0
        counters.server.database?.rows += Int64(rows)
        let span = database?.read(rows, at: simulation.now) ?? 0
        guard span > 0 else { return finishReading(number) }
        work(span, number, exchange, handlers?.read)
    }

    /// A worker has what it asked for, and gives the connection back.
    func finishReading(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        releaseConnection(of: exchange)
        write(number, exchange)
    }

    private func releaseConnection(of exchange: Exchange) {
        exchange.query = .none
        if let next = database?.connections.finishOne(), let waiting = exchanges[next] {
            query(next, waiting)
        }
        noteDatabase()
    }

    /// A worker stops asking the database, at whatever stage its query is.
    func leaveDatabase(_ number: UInt64, _ exchange: Exchange) {
        switch exchange.query {
        case .none: return
        case .runs: releaseConnection(of: exchange)
        case .waits:
            exchange.query = .none
            database?.connections.remove(number)
            noteDatabase()
        }
    }

    private func noteDatabase() {
        guard let database else { return }
        counters.server.database?.connections.note(
            database.connections, at: simulation.now.nanoseconds)
    }
}

/// The database behind the workers: some connections, and one disk that all of them read from.
struct Database {
    let plan: DatabasePlan
    /// By endpoint number: true for calls that ask the database; empty when all do.
    private let asks: [Bool?]
    var connections: ServerQueue
    private var diskFreeAt: Int64 = 0

    init?(_ plan: DatabasePlan?, _ services: ServiceDirectory) {
        guard let plan else { return nil }
        self.plan = plan
        let named = Dictionary(uniqueKeysWithValues: plan.endpoints.map { ($0, true) })
        asks = services.byEndpoint(named)
        connections = ServerQueue(workers: plan.connections, queueLimit: .max)
    }

    func isAsked(by endpoint: Endpoint) -> Bool {
        guard !plan.endpoints.isEmpty else { return true }
        let number = Int(endpoint.number)
        return number < asks.count && asks[number] == true
    }

    /// How long reading this many rows takes from now; rows of earlier queries are read first.
    mutating func read(_ rows: Int, at now: Instant) -> Int64 {
        guard let rate = plan.rowsPerSecond, rows > 0 else { return 0 }
        let span = Int64(min(Double(Int64.max / 2), (Double(rows) / rate * 1e9).rounded()))
        diskFreeAt = max(now.nanoseconds, diskFreeAt).clampedSum(span)
        return diskFreeAt - now.nanoseconds
    }
}

/// Services with responses that come from outside the simulation.
extension Backend {
    /// Hands a request out, unless a limit or a fault responds to it.
    func handOut(
        _ number: UInt64, _ exchange: Exchange,
        _ take: (UInt64, URLRequest, Route?, ServiceScene) -> Void
    ) {
        exchange.stage = .served
        exchange.started = simulation.now
        if limits != nil, let refusal = refusalByRate(exchange) {
            return reply(refusal, to: number, exchange)
        }
        if let failure = failure(of: exchange) { return reply(failure, to: number, exchange) }
        watch(number, exchange, until: .max)
        take(number, exchange.request, exchange.route, scene(of: exchange))
    }

    /// Takes the response to a request that was handed out, and the tokens that it brings, which
    /// this backend's mint did not issue.
    ///
    /// A second response to a request is ignored. Observers are told of the tokens first, as they
    /// are of the mint's.
    ///
    /// - Precondition: called from inside the simulation, or between two runs of it.
    public func answer(
        _ number: UInt64, with answer: Answer, brings tokens: [IssuedToken] = []
    ) {
        simulation.checkThread()
        guard let exchange = exchanges[number], !exchange.isAnswered else { return }
        guard case .served = exchange.stage, exchange.service.isOutside else {
            preconditionFailure("exchange \(number) was not handed out")
        }
        var texts = TokenTexts()
        for token in tokens {
            observer.tokenIssued(token)
            texts.note(token)
        }
        if tokens.isEmpty {
            exchange.brings = exchange.service.service.tokens(in: answer, to: exchange.route)
        } else {
            exchange.brings = texts
        }
        reply(answer, to: number, exchange)
    }
}
