import CSockets
public import SquallHTTP

/// A server of HTTP/1.1 on non-blocking sockets, on the thread that calls it.
///
/// **Start here** to read this module. ``wait(nanoseconds:)`` sleeps until sockets are ready,
/// ``enter(at:_:)`` reads them and hands over requests,
/// ``respond(to:status:headers:body:)`` answers one, and ``send(at:)`` lets go what was answered.
/// What a connection does with bytes is in ``HTTPConnection``, which needs no socket.
public final class SocketServer {
    private struct Place {
        let serial: UInt64
        let connection: HTTPConnection
        var watched: UInt32
        var heldBytes = 0
    }

    private let limits: HTTPLimits
    private let origin: String
    private let watch: SocketWatch
    private let owner: SocketWatch.Owner
    private var listeners: [Int32] = []
    private var places: [Place?] = []
    /// Connections that may have something to send or another request to read.
    private var touched: [Client] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    private var serial: UInt64 = 0
    private var sweptAt: Int64 = 0
    private var acceptsFrom: Int64 = 0
    private var isEnding = false
    /// Rises with everything that other ends of connections may notice.
    public private(set) var actions: UInt64 = 0
    /// Called for a client that has gone before its response; the request is still under way.
    public var clientLeft: (Client) -> Void = { _ in }
    /// Called where more has come of the body of a request that was handed over before it was
    /// whole.
    public var bodyCame: (Client) -> Void = { _ in }
    /// Called where all that was given of a response in pieces is sent.
    public var wantsBody: (Client) -> Void = { _ in }
    /// Called for each connection that has ended; `isUnread` where its client had left unread what
    /// it was sent.
    public var connectionEnded: (_ connection: UInt64, _ isUnread: Bool) -> Void = { _, _ in }
    /// Connections that are open, and requests that are under way.
    public private(set) var (open, pending) = (0, 0)
    /// Connections and requests that were turned away, and clients that were too slow.
    public private(set) var turnedAway = 0
    private(set) var tooSlow = 0
    /// The number of bytes that are kept for all connections.
    private(set) var heldBytes = 0

    private static let sweepNanoseconds: Int64 = 250_000_000
    private static let sends = 64

    /// A server that listens nowhere yet; requests are for `origin`, whatever name clients use.
    ///
    /// A `watch` is given by a program that waits for other sockets as well.
    ///
    /// - Throws: ``Problem``.
    public init(
        _ limits: HTTPLimits, origin: String, watch: SocketWatch? = nil
    ) throws(Problem) {
        (self.limits, self.origin) = (limits, origin)
        self.watch = if let watch { watch } else { try SocketWatch() }
        owner = self.watch.addOwner()
    }

    deinit {
        for file in clients.map(\.file) + listeners {
            watch.remove(file)
            squall_close(file, 0)
        }
        buffer.deallocate()
    }

    /// Listens on a numeric address; returns the port, which is chosen where 0 is given.
    ///
    /// - Throws: ``Problem``.
    public func listen(on address: String, port: UInt16) throws(Problem) -> UInt16 {
        var bound: UInt16 = 0
        let listener = squall_listen(address, port, &bound)
        guard listener >= 0 else {
            throw Problem(action: "listen on \(address) port \(port)", number: -listener)
        }
        listeners.append(listener)
        watch.add(listener, for: squall_readable, of: owner)
        return bound
    }

    /// Comes back when a socket is ready, or after this long.
    public func wait(nanoseconds: Int64) {
        watch.wait(nanoseconds: touched.isEmpty ? nanoseconds : 0)
    }

    /// Looks for sockets that are ready; true if there are any, or anything else to do at once.
    public func poll() -> Bool {
        watch.wait(nanoseconds: 0)
        return !touched.isEmpty || watch.hasReady
    }

    /// The time at which a client will be too slow, unless something happens; `nil` for never.
    public var slowAt: Int64? {
        let slow = clients.compactMap { connection(of: $0)?.slowAt }.min()
        let next = acceptsFrom > 0 ? min(slow ?? .max, acceptsFrom) : slow
        return next.map { max($0, sweptAt + Self.sweepNanoseconds) + 1 }
    }

    /// Reads what is ready, and hands over each request that is complete.
    public func enter(at now: Int64, _ take: (IncomingRequest, Client) -> Void) {
        let clients = touched
        touched.removeAll(keepingCapacity: true)
        for client in clients { readNext(client, at: now, take) }
        watch.takeReady(of: owner) { file, events in
            guard !listeners.contains(file) else { return accept(file, at: now) }
            guard let client = client(of: file) else { return }
            if events & squall_readable != 0 {
                receive(client, at: now)
            } else if events & squall_broken != 0 {
                leave(client, isBroken: true)
            }
            if events & squall_writable != 0 { flush(client, at: now) }
            readNext(client, at: now, take)
        }
        if now - sweptAt > (isEnding ? Self.sweepNanoseconds / 5 : Self.sweepNanoseconds) {
            sweep(at: now)
        }
    }

    /// True while a client waits for a response.
    public func isWaiting(_ client: Client) -> Bool { connection(of: client)?.isBusy ?? false }

    /// Answers the request that a client waits for, with the next ``send(at:)``.
    public func respond(to client: Client, status: Int, headers: HTTPHeaders, body: Body) {
        guard let connection = connection(of: client), connection.isBusy else { return }
        pending -= 1
        connection.respond(status: status, headers: headers, body: body, isLast: isEnding)
        touched.append(client)
    }

    /// Begins a response in pieces to the request that a client waits for.
    public func begin(_ start: ResponseStart, to client: Client) {
        connection(of: client)?.begin(start, isLast: isEnding)
        touched.append(client)
    }

    /// Sends the next piece of a response's body; good only until the call returns.
    public func append(_ piece: UnsafeRawBufferPointer, to client: Client) {
        connection(of: client)?.append(piece)
        touched.append(client)
    }

    /// Ends the response in pieces.
    public func endResponse(to client: Client) {
        guard let connection = connection(of: client), connection.isAnswering else { return }
        pending -= 1
        connection.endResponse()
        touched.append(client)
    }

    /// The time at which the first bytes came of the request that a client waits for.
    public func requestBegan(of client: Client) -> Int64? { connection(of: client)?.requestBegan }

    /// The number of bytes of responses that wait until a client takes them.
    public func backlog(of client: Client) -> Int {
        connection(of: client).map { $0.output.count - $0.sent } ?? 0
    }

    /// Takes the part of the body that has come of the request that a client waits for; `isEnd` is
    /// true for its last, `nil` where nothing has come.
    ///
    /// What is not taken waits with the client once some has come.
    ///
    /// - Throws: the request's problem.
    public func takeBody(
        of client: Client
    ) throws(RequestProblem) -> (bytes: [UInt8], isEnd: Bool)? {
        guard let connection = connection(of: client) else { return nil }
        defer { update(client) }
        return try connection.takeBody()
    }

    /// Lets the client find its connection broken, without a response.
    public func breakOff(_ client: Client) {
        guard let connection = connection(of: client) else { return }
        if connection.isBusy { pending -= 1 }
        close(client, isReset: true)
    }

    /// Sends the responses that are ready.
    public func send(at now: Int64) {
        for client in touched { flush(client, at: now) }
        touched.removeAll { connection(of: $0)?.mayHaveRequest != true }
    }

    /// Takes no connection any more, and ends each as soon as nothing is under way on it: at once
    /// where it rests.
    public func endSoon() {
        guard !isEnding else { return }
        isEnding = true
        for listener in listeners {
            watch.remove(listener)
            squall_close(listener, 0)
        }
        listeners = []
        for client in clients {
            if connection(of: client)?.isResting == true {
                close(client, isReset: false)
            } else {
                connection(of: client)?.endSoon()
                touched.append(client)
            }
        }
    }
}

extension SocketServer {
    private var clients: [Client] { places.indices.compactMap { client(of: Int32($0)) } }

    private func client(of file: Int32) -> Client? {
        guard file >= 0, Int(file) < places.count, let place = places[Int(file)] else { return nil }
        return Client(file: file, serial: place.serial)
    }

    private func connection(of client: Client) -> HTTPConnection? {
        guard let place = places[Int(client.file)], place.serial == client.serial else {
            return nil
        }
        return place.connection
    }

    private func accept(_ listener: Int32, at now: Int64) {
        for _ in 0..<SocketWatch.batch {
            let file = squall_accept(listener)
            guard file >= 0 else {
                // Without this the listener would be ready again and again.
                if squall_out_of_files(Int(file)) != 0 { rest(until: now + Self.sweepNanoseconds) }
                return
            }
            actions += 1
            while places.count <= Int(file) { places.append(nil) }
            serial += 1
            let connection = HTTPConnection(limits, origin: origin, at: now)
            places[Int(file)] = Place(
                serial: serial, connection: connection, watched: UInt32(squall_readable))
            open += 1
            watch.add(file, for: squall_readable, of: owner)
            guard open > limits.connections else { continue }
            turnedAway += 1
            let text = "there are \(limits.connections) connections already"
            connection.refuse(RequestProblem(503, text))
            touched.append(Client(file: file, serial: serial))
        }
    }

    /// Accepts nothing until then.
    private func rest(until end: Int64) {
        acceptsFrom = end
        for listener in listeners { watch.change(listener, to: 0) }
    }

    private func receive(_ client: Client, at now: Int64) {
        guard let connection = connection(of: client) else { return }
        while connection.wantsInput {
            actions += 1
            let count = squall_receive(client.file, buffer.baseAddress, UInt(buffer.count))
            if count > 0 {
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                return connection.receive(bytes, at: now)
            }
            if count < 0 {
                return squall_would_block(count) != 0 ? () : leave(client, isBroken: true)
            }
            connection.endInput()
            if !connection.isUploading { connection.probe() }
            if connection.isBusy { touched.append(client) }
        }
    }

    private func readNext(
        _ client: Client, at now: Int64, _ take: (IncomingRequest, Client) -> Void
    ) {
        guard let connection = connection(of: client) else { return }
        if connection.isUploading { bodyCame(client) }
        if let incoming = connection.nextRequest(at: now) {
            if pending < limits.pendingRequests {
                pending += 1
                take(incoming, client)
            } else {
                turnedAway += 1
                let text = "there are \(limits.pendingRequests) requests under way already"
                connection.refuse(RequestProblem(503, text))
            }
        }
        count(client)
        if heldBytes > max(limits.heldBytes, limits.bodyBytes), connection.isCollecting {
            turnedAway += 1
            let text = "all unfinished requests have \(limits.heldBytes >> 20) MB already"
            connection.refuse(RequestProblem(503, text))
        }
        if connection.hasOutput || connection.isOver || connection.isOutputOver {
            touched.append(client)
        }
        update(client)
    }

    /// Counts what is kept for a connection.
    private func count(_ client: Client) {
        guard let place = places[Int(client.file)], place.serial == client.serial else { return }
        let held = place.connection.heldBytes
        heldBytes += held - place.heldBytes
        places[Int(client.file)]?.heldBytes = held
    }

    private func flush(_ client: Client, at now: Int64) {
        guard let connection = connection(of: client) else { return }
        let hadOutput = connection.hasOutput
        for _ in 0..<Self.sends where connection.hasOutput {
            actions += 1
            let count = connection.output.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[connection.sent...])
                return squall_send(client.file, rest.baseAddress, UInt(rest.count))
            }
            guard count >= 0 else {
                guard squall_would_block(count) == 0 else { break }
                return leave(client, isBroken: true)
            }
            connection.advance(by: count, at: now)
        }
        if hadOutput, !connection.hasOutput, connection.isAnswering { wantsBody(client) }
        if connection.isOutputOver {
            // A client that still sends would lose the response if its connection were closed.
            actions += 1
            squall_end_output(client.file)
            connection.linger(at: now, isEnding: isEnding)
        }
        guard !connection.isOver else { return close(client, isReset: false) }
        count(client)
        update(client)
    }

    /// Watches for what the connection now waits for.
    private func update(_ client: Client) {
        guard let connection = connection(of: client), let place = places[Int(client.file)] else {
            return
        }
        let wanted =
            (connection.wantsInput ? UInt32(squall_readable) : 0)
            | (connection.hasOutput ? UInt32(squall_writable) : 0)
        guard wanted != place.watched else { return }
        places[Int(client.file)]?.watched = wanted
        watch.change(client.file, to: wanted)
    }

    /// The client has gone; its system breaks the connection where it left bytes unread.
    private func leave(_ client: Client, isBroken: Bool = false) {
        guard let connection = connection(of: client) else { return }
        let wasWaiting = connection.isBusy
        if wasWaiting { pending -= 1 }
        close(client, isReset: false, isUnread: isBroken)
        if wasWaiting { clientLeft(client) }
    }

    private func close(_ client: Client, isReset: Bool, isUnread: Bool = false) {
        actions += 1
        watch.remove(client.file)
        squall_close(client.file, isReset ? 1 : 0)
        heldBytes -= places[Int(client.file)]?.heldBytes ?? 0
        places[Int(client.file)] = nil
        open -= 1
        connectionEnded(client.connection, isUnread)
    }

    /// Looks for clients that are too slow.
    private func sweep(at now: Int64) {
        sweptAt = now
        if acceptsFrom > 0, now >= acceptsFrom {
            acceptsFrom = 0
            for listener in listeners { watch.change(listener, to: UInt32(squall_readable)) }
        }
        for client in clients {
            guard let connection = connection(of: client) else { continue }
            switch connection.slowness(at: now) {
            case .none: continue
            case .close: leave(client)
            case .refuse:
                tooSlow += 1
                connection.refuse(RequestProblem(408, "the request took too long to arrive"))
                touched.append(client)
            }
        }
    }
}
