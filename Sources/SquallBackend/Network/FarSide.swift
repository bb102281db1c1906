import SquallHTTP
import SquallKernel

/// Moves exchanges: a connection, the way up, the line, a worker, the way down.
///
/// Every stage ends with an event at an instant that a random stream of the user and request
/// decides, so that one request's latency does not depend on what others do. Here is where an
/// exchange begins and ends; `FarSide+Network` has the ways, `FarSide+Server` the server.
final class FarSide: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation: Simulation
    let configuration: BackendConfiguration
    let faults: FaultPlan
    let latency: Latency
    var contract: Contract
    var counters = BackendCounters()
    var exchanges = ExchangeTable()
    var queue: ServerQueue
    var workers = WorkerNumbers()
    var limits: RateLimits?
    private(set) unowned var observer: any BackendObserver
    private var connections: [Connections]
    /// Those of sessions with a pool of their own, while any is in use.
    private var otherConnections: [UInt64: Connections] = [:]
    var catalogue: Catalogue
    private(set) var handlers: Handlers?

    /// A user's connections in use, and the exchanges that wait for one.
    private struct Connections {
        var inUse: UInt8 = 0
        var waiting: [UInt64] = []
    }

    /// The random streams of the spans of an exchange.
    struct Latency {
        let up, service, search, down: RandomStream
    }

    /// The events that end stages.
    struct Handlers {
        let arrived, served, found, written, returned, broke, timedOut: EventHandler
    }

    init(
        simulation: Simulation, configuration: BackendConfiguration, contract: Contract,
        randomness: RandomStream, observer: any BackendObserver
    ) {
        self.simulation = simulation
        self.configuration = configuration
        self.contract = contract
        self.observer = observer
        faults = FaultPlan(configuration, randomness)
        limits = RateLimits(configuration.server)
        queue = ServerQueue(
            workers: configuration.server.workers, queueLimit: configuration.server.queueLimit)
        connections = Array(repeating: Connections(), count: configuration.userCount)
        latency = Latency(
            up: randomness.stream("network.up"), service: randomness.stream("server.service"),
            search: randomness.stream("catalogue.service"), down: randomness.stream("network.down"))
        catalogue = Catalogue(plan: configuration.catalogue, randomness: randomness)
        handlers = Handlers(
            arrived: simulation.register { [unowned self] in arrive($0) },
            served: simulation.register { [unowned self] in finishService($0) },
            found: simulation.register { [unowned self] in finishSearch($0) },
            written: simulation.register { [unowned self] in finishWriting($0) },
            returned: simulation.register { [unowned self] in deliver($0) },
            broke: simulation.register { [unowned self] in breakConnection($0) },
            timedOut: simulation.register { [unowned self] in giveUp($0) })
    }

    /// How many exchanges are under way.
    var inFlight: Int { exchanges.count }

    /// Takes an exchange from a client; its continuation gets what comes of it.
    func begin(_ exchange: Exchange) {
        counters.handedOver += 1
        let number = exchanges.insert(exchange)
        exchange.number = number
        let limit = UInt8(clamping: configuration.network.connectionsPerHost)
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
        let cause = exchange.cause
        guard cause.pool > 0 else { return body(&connections[Int(cause.user)]) }
        let key = cause.user << 8 | UInt64(cause.pool)
        var others = otherConnections[key] ?? Connections()
        defer { otherConnections[key] = others.inUse > 0 ? others : nil }
        return body(&others)
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
    func end(_ number: UInt64, _ result: Exchange.Result) {
        guard let exchange = exchanges[number], exchange.hasClient else { return }
        if let timeout = exchange.timeout { simulation.cancel(timeout) }
        observer.exchangeEnded(record(of: exchange, result))
        exchange.hasClient = false
        count(result, in: exchange.stage)
        forget(exchange, number)
        exchange.resume(result)
    }

    /// Frees what a client who has gone no longer needs.
    private func forget(_ exchange: Exchange, _ number: UInt64) {
        switch exchange.stage {
        case .waitingForConnection:
            withConnections(of: exchange) { $0.waiting.removeAll { $0 == number } }
            return exchanges.remove(number)
        case .returning, .lost, .breaking: exchanges.remove(number)
        case .travelling, .queued, .served: break
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
