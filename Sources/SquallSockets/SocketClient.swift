import CSockets

/// A client of HTTP/1.1 on non-blocking sockets, on the thread that calls it.
///
/// It knows neither clocks nor what the requests are for. ``begin(_:to:user:at:told:)`` sends a
/// request, on a connection that its user has already where one is free; ``enter(at:)`` reads what
/// came, and tells it to the requests. Bodies travel in pieces both ways, and as fast as they are
/// taken: a ``ClientExchange`` can be paused.
///
/// ```swift
/// let watch = try SocketWatch()
/// let client = SocketClient(ClientLimits(), watch: watch)
/// let target = try HTTPTarget(address)
/// client.begin(OutgoingRequest(target: "/v1/posts"), to: target, user: 7, at: now) { event in … }
/// while client.underWay > 0 {
///     watch.wait(nanoseconds: 100_000_000)
///     client.enter(at: clock())
/// }
/// ```
///
/// Requests of one user share connections that no other user's do: one client can play thousands
/// of phones. A request that changes nothing is sent again, once, where its connection had been
/// used before and ended without a byte of response.
public final class SocketClient {
    /// The user and target that connections belong to.
    struct Lane: Hashable {
        let target: ObjectIdentifier
        let user: UInt64
    }

    let limits: ClientLimits
    let watch: SocketWatch
    let owner: SocketWatch.Owner
    let knownHeads = KnownHeads()
    /// The free connections, the one last used at the end.
    private var free: [Lane: [ClientConnection]] = [:]
    /// The connections, by the numbers of their sockets.
    private var connections: [ClientConnection?] = []
    /// Requests that failed at once; they are told of in the next turn.
    private var failed: [(ClientExchange, ResponseProblem)] = []
    /// Connections whose requests are no longer paused.
    private var resumed: [ClientConnection] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    private var sweptAt: Int64 = 0
    /// Connections that are open, and requests that have not ended.
    public private(set) var (open, underWay) = (0, 0)
    /// The number of connections that were made.
    public private(set) var connected = 0
    /// The number of requests that were sent again on another connection.
    public private(set) var sentAgain = 0

    private static let sweepNanoseconds: Int64 = 250_000_000

    /// A client without a connection.
    public init(_ limits: ClientLimits, watch: SocketWatch) {
        (self.limits, self.watch) = (limits, watch)
        owner = watch.addOwner()
    }

    deinit {
        for case let connection? in connections {
            if connection.isWatched { watch.remove(connection.file) }
            connection.closeChannel(isReset: false)
        }
        buffer.deallocate()
    }

    /// Sends a request as a user; everything that happens to it is `told` from within
    /// ``enter(at:)``, never from within this call.
    @discardableResult
    public func begin(
        _ request: OutgoingRequest, to target: HTTPTarget, user: UInt64 = 0, at now: Int64,
        told: @escaping (ResponseEvent) -> Void
    ) -> ClientExchange {
        let exchange = ClientExchange(request, to: target, user: user, in: self, told: told)
        underWay += 1
        dispatch(exchange, at: now)
        return exchange
    }

    /// Reads what is ready, tells it, and ends what took too long.
    public func enter(at now: Int64) {
        let early = failed
        failed = []
        for (exchange, problem) in early where !exchange.hasEnded {
            end(exchange, .failed(problem))
        }
        let held = resumed
        resumed = []
        for connection in held { connection.goOn(at: now) }
        watch.takeReady(of: owner) { file, events in
            connections[Int(file)]?.ready(for: events, at: now)
        }
        guard now - sweptAt > Self.sweepNanoseconds else { return }
        sweptAt = now
        for case let connection? in connections { connection.checkTime(at: now) }
    }
}

extension SocketClient {
    /// Gives a request a connection.
    private func dispatch(_ exchange: ClientExchange, at now: Int64) {
        while let connection = free[exchange.lane]?.popLast() {
            guard connection.isStillGood(at: now) else {
                close(connection)
                continue
            }
            return connection.start(exchange, at: now)
        }
        connect(exchange, attempt: 0, at: now)
    }

    /// Opens a connection for a request, to the next address that does not refuse at once.
    func connect(
        _ exchange: ClientExchange, attempt first: Int, at now: Int64, because reason: String = ""
    ) {
        var (reason, kind) = (reason, ResponseProblem.Kind.unreachable)
        for attempt in first..<max(first, exchange.target.addressCount) {
            let file = exchange.target.connect(attempt: attempt)
            guard file < 0 else {
                let connection = ClientConnection(file, exchange, attempt: attempt, at: now)
                while connections.count <= Int(file) { connections.append(nil) }
                connections[Int(file)] = connection
                open += 1
                watch.add(file, for: squall_writable, of: owner)
                return
            }
            reason = HTTPTarget.problem(-file)
            kind = squall_out_of_files(Int(file)) != 0 ? .outOfFiles : .unreachable
        }
        failed.append((exchange, exchange.target.unreachable(kind, because: reason)))
        watch.hurry()
    }

    /// Lets a connection tell what it has held back, in the next turn.
    func goOn(_ connection: ClientConnection) {
        resumed.append(connection)
        watch.hurry()
    }

    func hasConnected() { connected += 1 }

    /// A connection can carry another request.
    func isFree(_ connection: ClientConnection) {
        free[connection.lane, default: []].append(connection)
    }

    func close(_ connection: ClientConnection, isReset: Bool = false) {
        guard let place = connections[Int(connection.file)], place === connection else { return }
        if connection.isWatched { watch.remove(connection.file) }
        connection.closeChannel(isReset: isReset)
        connections[Int(connection.file)] = nil
        open -= 1
        free[connection.lane]?.removeAll { $0 === connection }
        if free[connection.lane]?.isEmpty == true { free[connection.lane] = nil }
    }

    /// Sends a request again on a new connection, the only time.
    func sendAgain(_ exchange: ClientExchange, at now: Int64) {
        sentAgain += 1
        exchange.wasSentAgain = true
        connect(exchange, attempt: 0, at: now)
    }

    /// Tells the last of a request.
    func end(_ exchange: ClientExchange, _ event: ResponseEvent) {
        underWay -= 1
        exchange.end(event)
    }

    /// A request is given up.
    func cancel(_ exchange: ClientExchange) {
        underWay -= 1
        if let connection = exchange.connection { close(connection, isReset: true) }
    }
}
