internal import HTTP
internal import Kernel

/// Moves exchanges: a connection, the way up, the line, a worker, the way down.
///
/// Every stage ends with an event at an instant that a random stream of the user and request
/// decides, so that one request's latency does not depend on what others do.
final class FarSide: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation: Simulation
    let configuration: BackendConfiguration
    var contract: Contract
    private(set) var counters = BackendCounters()
    private unowned let observer: any BackendObserver
    private var exchanges = ExchangeTable()
    private var queue: ServerQueue
    private var connections: [Connections]
    private let latency: Latency
    private var catalogue: Catalogue
    private var arrived, served, found, returned, timedOut: EventHandler?

    /// A user's connections in use, and the exchanges that wait for one.
    private struct Connections {
        var inUse: UInt8 = 0
        var waiting: [UInt64] = []
    }

    /// The random streams of the spans of an exchange.
    private struct Latency {
        let up, service, search, down: RandomStream
    }

    init(
        simulation: Simulation, configuration: BackendConfiguration, contract: Contract,
        randomness: RandomStream, observer: any BackendObserver
    ) {
        self.simulation = simulation
        self.configuration = configuration
        self.contract = contract
        self.observer = observer
        queue = ServerQueue(
            workers: configuration.server.workers, queueLimit: configuration.server.queueLimit)
        connections = Array(repeating: Connections(), count: configuration.userCount)
        latency = Latency(
            up: randomness.stream("network.up"), service: randomness.stream("server.service"),
            search: randomness.stream("catalogue.service"), down: randomness.stream("network.down"))
        catalogue = Catalogue(plan: configuration.catalogue, randomness: randomness)
        arrived = simulation.register { [unowned self] in arrive($0) }
        found = simulation.register { [unowned self] in finishSearch($0) }
        served = simulation.register { [unowned self] in finishService($0) }
        returned = simulation.register { [unowned self] in deliver($0) }
        timedOut = simulation.register { [unowned self] in giveUp($0) }
    }

    /// How many exchanges are under way.
    var inFlight: Int { exchanges.count }

    /// Takes an exchange from a client; its continuation gets what comes of it.
    func begin(_ exchange: Exchange) {
        counters.handedOver += 1
        let number = exchanges.insert(exchange)
        exchange.number = number
        let user = Int(exchange.cause.user)
        if connections[user].inUse < UInt8(clamping: configuration.network.connectionsPerHost) {
            connections[user].inUse += 1
            send(number)
        } else {
            connections[user].waiting.append(number)
        }
    }

    /// The client no longer wants the answer.
    func cancel(_ exchange: Exchange) {
        guard let number = exchange.number else { return }
        end(number, .failure(TransportError(.cancelled)))
    }

    private func giveUp(_ number: UInt64) {
        exchanges[number]?.timeout = nil
        end(number, .failure(TransportError(.timedOut)))
    }

    /// Tells the client, unless it has gone, and lets the exchange go on without it.
    private func end(_ number: UInt64, _ result: Exchange.Result) {
        guard let exchange = exchanges[number], exchange.stage != .abandoned else { return }
        if let timeout = exchange.timeout { simulation.cancel(timeout) }
        let hadConnection = exchange.stage != .waitingForConnection
        observer.exchangeEnded(record(of: exchange, result))
        switch exchange.stage {
        case .returning: exchanges.remove(number)
        case .waitingForConnection:
            connections[Int(exchange.cause.user)].waiting.removeAll { $0 == number }
            exchanges.remove(number)
        default: exchange.stage = .abandoned
        }
        count(result)
        if hadConnection { releaseConnection(of: exchange.cause.user) }
        exchange.resume(result)
    }

    private func releaseConnection(of user: UInt64) {
        let user = Int(user)
        guard !connections[user].waiting.isEmpty else {
            connections[user].inUse -= 1
            return
        }
        send(connections[user].waiting.removeFirst())
    }

    private func count(_ result: Exchange.Result) {
        switch result {
        case .success: counters.answered += 1
        case .failure: counters.unanswered += 1
        }
    }
}

extension FarSide {
    private func send(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        exchange.sent = simulation.now
        exchange.stage = .travelling
        let delay = sample(configuration.network.up, latency.up, exchange)
        watch(number, exchange, until: delay)
        after(delay, arrived, number)
    }

    private func arrive(_ number: UInt64) {
        counters.received += 1
        if let exchange = exchanges[number], exchange.isSearch { return search(number, exchange) }
        switch queue.admit(number) {
        case .starts: start(number)
        case .refused: reply(.refused(.overloaded), to: number)
        case .waits:
            guard let exchange = exchanges[number], exchange.stage != .abandoned else { return }
            exchange.stage = .queued
            watch(number, exchange, until: .max)
        }
        counters.longestQueue = max(counters.longestQueue, queue.waiting)
    }

    private func start(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        if exchange.stage != .abandoned { exchange.stage = .served }
        let span = sample(configuration.server.serviceTime, latency.service, exchange)
        counters.busyNanoseconds += span
        watch(number, exchange, until: span)
        after(span, served, number)
    }

    /// A worker is done: the state changes and the answer is made at this instant.
    private func finishService(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        let issuedBefore = contract.tokens.accessTokensIssued
        reply(contract.answer(exchange.request, exchange.route, at: simulation.now), to: number)
        if contract.tokens.accessTokensIssued != issuedBefore {
            observer.accessTokenIssued(
                to: exchange.cause.user, expiresAt: contract.tokens.lastAccessExpiry)
        }
        if let next = queue.finishOne() { start(next) }
    }

    /// The catalogue reads its rows at once, and takes its time over them; it has its own workers.
    private func search(_ number: UInt64, _ exchange: Exchange) {
        if exchange.stage != .abandoned { exchange.stage = .served }
        let answer = catalogue.find(exchange.request, at: simulation.now)
        exchange.answer = answer
        let span =
            sample(configuration.catalogue.serviceTime, latency.search, exchange)
            + Int64(answer.rowsScanned) * configuration.catalogue.nanosecondsPerRow
        watch(number, exchange, until: span)
        after(span, found, number)
    }

    private func finishSearch(_ number: UInt64) {
        guard let answer = exchanges[number]?.answer else { return }
        reply(answer, to: number)
    }

    private func reply(_ answer: Answer, to number: UInt64) {
        counters.replied += 1
        guard let exchange = exchanges[number] else { return }
        guard exchange.stage != .abandoned else { return exchanges.remove(number) }
        exchange.answer = answer
        exchange.stage = .returning
        var delay = sample(configuration.network.down, latency.down, exchange)
        if let bandwidth = configuration.network.bandwidthBytesPerSecond {
            delay += Int64(answer.body.count) * 1_000_000_000 / bandwidth
        }
        watch(number, exchange, until: delay)
        after(delay, returned, number)
    }

    private func deliver(_ number: UInt64) {
        guard let exchange = exchanges[number], let answer = exchange.answer else { return }
        let head = HTTPURLResponse(
            url: exchange.request.url, statusCode: answer.status, headers: FarSide.headers)
        end(number, .success(TransportResponse(head: head, body: answer.body)))
    }

    /// Schedules the client's giving up, if the next stage lasts longer than its patience.
    private func watch(_ number: UInt64, _ exchange: Exchange, until span: Int64) {
        guard exchange.timeout == nil, exchange.stage != .abandoned, let timedOut else { return }
        let end = exchange.sent.advanced(byNanoseconds: configuration.network.timeoutNanoseconds)
        guard span > end.nanoseconds - simulation.now.nanoseconds else { return }
        exchange.timeout = simulation.schedule(timedOut, argument: number, at: end)
    }

    private func sample(
        _ law: Distribution, _ stream: RandomStream, _ exchange: Exchange
    ) -> Int64 {
        let ordinal = UInt64(exchange.cause.request) << 16 | UInt64(exchange.cause.attempt)
        return law.sample(stream.stream(number: exchange.cause.user), at: ordinal)
    }

    private func after(_ delay: Int64, _ handler: EventHandler?, _ number: UInt64) {
        guard let handler else { return }
        simulation.schedule(
            handler, argument: number, at: simulation.now.advanced(byNanoseconds: delay))
    }

    private func record(
        of exchange: Exchange, _ result: Exchange.Result
    ) -> ExchangeRecord {
        let outcome: ExchangeRecord.Outcome
        var bytes = 0
        switch result {
        case .success(let answer):
            outcome = .status(answer.head.statusCode)
            bytes = answer.body.count
        case .failure(let error): outcome = .error(error.code)
        }
        return ExchangeRecord(
            cause: exchange.cause, endpoint: exchange.endpoint, outcome: outcome,
            handedOver: exchange.handedOver, sent: exchange.sent, ended: simulation.now,
            bytes: bytes, pageItems: exchange.answer?.items)
    }

    private static let headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
}
