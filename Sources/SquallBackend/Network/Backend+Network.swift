import SquallFormat
import SquallHTTP
import SquallKernel

/// Where an exchange begins and ends: with a connection, and with what its client is told.
extension Backend {
    /// Takes an exchange from a client; its continuation gets the outcome.
    ///
    /// `stackEnd` is where the stack of the task that waits ends in memory; 0 where it is unknown.
    func begin(_ exchange: Exchange, stackEnd: UInt = 0) {
        simulation.checkThread()
        TrapReport.note(user: Int(exchange.cause.user))
        counters.handedOver += 1
        observer.attemptTaken(exchange.cause, exchange.endpoint)
        let number = exchanges.insert(exchange, stackEnd: stackEnd)
        exchange.number = number
        exchange.streamKey = plan.identity.key(of: exchange.cause.user)
        exchange.draw = draws.ordinal(of: exchange.cause, to: exchange.endpoint)
        if observer.followsTokens {
            observer.tokensShown(
                exchange.cause, exchange.endpoint, exchange.request, shows: exchange.shownTokens)
        }
        if let links { return connect(number, exchange, links) }
        let limit = UInt16(clamping: plan.network.connectionsPerHost)
        let isFree = withConnections(of: exchange) { connections in
            guard connections.inUse < limit else {
                connections.waiting.append(exchange, in: exchanges)
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
        if user >= connections[pool].count { addConnections(to: pool, upTo: user) }
        return body(&connections[pool][user])
    }

    /// Users of a live backend come as they sign in.
    private func addConnections(to pool: Int, upTo user: Int) {
        let count = connections[pool].count
        connections[pool] += repeatElement(
            Connections(), count: max(user + 1 - count, count / 2))
    }

    /// The client no longer wants the response.
    func cancel(_ exchange: Exchange) {
        simulation.checkThread()
        guard let number = exchange.number else { return }
        end(number, .failure(TransportError(.cancelled)))
    }

    func timeOut(_ number: UInt64) {
        exchanges[number]?.timeout = nil
        if let exchange = exchanges[number] { giveUpConnection(of: exchange) }
        end(number, .failure(TransportError(.timedOut)))
    }

    /// Gives the client the outcome, unless it has gone, and lets the exchange go on without it.
    func end(_ number: UInt64, _ result: consuming Exchange.Result) {
        if let exchange = exchanges[number] { end(number, exchange, result) }
    }

    private func end(
        _ number: UInt64, _ exchange: Exchange, _ result: consuming Exchange.Result
    ) {
        guard exchange.hasClient else { return }
        if let timeout = exchange.timeout { simulation.cancel(timeout) }
        observer.exchangeEnded(record(of: exchange, result))
        if case .success = result, observer.followsTokens, let tokens = exchange.brings {
            observer.tokensReceived(tokens, by: exchange.cause)
        }
        exchange.hasClient = false
        count(result, in: exchange.stage)
        var isWhole = false
        if case .success = result { isWhole = true }
        forget(exchange, number, isWhole: isWhole)
        TrapReport.note(user: Int(exchange.cause.user))
        exchange.resume(result)
    }

    /// Lets an exchange tell its outcome where the job of a waiting task would stand now, or later.
    func giveTurn(to exchange: Exchange, afterNanoseconds delay: Int64? = nil) {
        guard let handlers else { return }
        let held = UInt64(UInt(bitPattern: Unmanaged.passRetained(exchange).toOpaque()))
        guard let delay else { return simulation.makeReady(handlers.told, argument: held) }
        after(delay, handlers.told, held)
    }

    /// Calls a function where the job of a task that starts now would stand.
    func giveTurn(to begin: @escaping () -> Void) {
        guard let handlers else { return }
        let turn = Unmanaged.passRetained(ClientTurn(begin: begin))
        simulation.makeReady(handlers.begun, argument: UInt64(UInt(bitPattern: turn.toOpaque())))
    }

    /// Frees what a client that has gone no longer needs.
    func forget(_ exchange: Exchange, _ number: UInt64, isWhole: Bool) {
        switch exchange.stage {
        case .waitingForConnection:
            exchanges.remove(number)
            if links == nil {
                return withConnections(of: exchange) {
                    $0.waiting.remove(exchange, in: exchanges)
                }
            }
        case .connecting: exchanges.remove(number)
        case .returning:
            takeOff(.down, number, exchange)
            exchanges.remove(number)
        case .lost, .breaking: exchanges.remove(number)
        case .travelling where takeOff(.up, number, exchange).wasThere:
            // The server never got all of it.
            counters.lostRequests += 1
            exchanges.remove(number)
        case .travelling, .queued, .served: tellServer(exchange, number)
        }
        if let links { return leaveConnection(number, exchange, isWhole: isWhole, links) }
        let next = withConnections(of: exchange) { connections in
            let next = connections.waiting.next(in: exchanges)
            if let next {
                connections.waiting.remove(next, in: exchanges)
            } else {
                connections.inUse -= 1
            }
            return next
        }
        if let next, let number = next.number { send(number) }
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

/// A function of a client that has its turn soon.
final class ClientTurn {
    private let begin: () -> Void

    init(begin: @escaping () -> Void) { self.begin = begin }

    /// Calls the function that an event's argument names, and drops the event's reference to it.
    static func take(_ argument: UInt64) {
        guard let pointer = UnsafeRawPointer(bitPattern: UInt(argument)) else { return }
        Unmanaged<ClientTurn>.fromOpaque(pointer).takeRetainedValue().begin()
    }
}

/// The ways to the server and back.
extension Backend {
    /// Puts an exchange that has a connection on the wire.
    func send(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        exchange.sent = simulation.now
        goUp(number, exchange)
    }

    /// Sends an exchange up its connection, which is there, when the radio is awake.
    func goUp(_ number: UInt64, _ exchange: Exchange, after wake: Int64 = 0) {
        counters.sent += 1
        exchange.stage = .travelling
        let delay = travelTime(.up, exchange).clampedSum(wake)
        let isUploaded = lines.isLimited(.up) && exchange.request.body.count > 0
        guard faults.touchesWire || isUploaded else {
            return travel(number, exchange, delay, handlers?.arrived)
        }
        let transmission = faults.up(
            exchange, delay: delay, at: simulation.now, opens: exchange.connection < 0)
        guard isUploaded, transmission.end != .breaks(.cannotConnectToHost) else {
            return depart(number, exchange, transmission)
        }
        upload(number, exchange, then: transmission)
    }

    /// Lets a request go the way that its faults have left.
    func depart(_ number: UInt64, _ exchange: Exchange, _ transmission: Transmission) {
        if transmission.end != .arrives { counters.lostRequests += 1 }
        if transmission.isDoubled, transmission.end == .arrives {
            sendAgain(exchange, after: transmission.delay * 2)
        }
        take(transmission, number, exchange, handlers?.arrived)
    }

    /// Puts the response on its way, or drops it when its client has gone.
    func sendBack(_ number: UInt64, _ exchange: Exchange) {
        guard exchange.hasClient else {
            counters.dropped += 1
            return exchanges.remove(number)
        }
        if exchange.isOnConnection, !leavesServer(number, exchange) { return }
        exchange.stage = .returning
        let delay = travelTime(.down, exchange)
        guard faults.touchesWire, let answer = exchange.answer else {
            return sendBack(after: delay, number, exchange)
        }
        var remaining = answer
        let transmission = faults.down(exchange, &remaining, delay: delay, at: simulation.now)
        exchange.take(remaining)
        // Whatever a spoiled body was to tell has not come.
        if remaining.body != answer.body { exchange.brings = nil }
        guard transmission.end != .arrives else {
            return sendBack(after: transmission.delay, number, exchange)
        }
        counters.dropped += 1
        take(transmission, number, exchange, nil)
    }

    private func sendBack(after delay: Int64, _ number: UInt64, _ exchange: Exchange) {
        guard lines.isLimited(.down), let count = exchange.response?.body.count, count > 0 else {
            return travel(number, exchange, delay, handlers?.returned)
        }
        watch(number, exchange, until: .max)
        after(delay, handlers?.downloading, number)
    }

    func deliver(_ number: UInt64) {
        guard let exchange = exchanges[number], let response = exchange.response else {
            return openBehindCertificate(number)
        }
        if exchange.isOnConnection, !reachesClient(number, exchange) { return }
        end(number, exchange, .success(response))
    }

    /// Tells the client that its connection broke.
    func breakConnection(_ number: UInt64) {
        guard let exchange = exchanges[number], case .breaking(let code) = exchange.stage else {
            return
        }
        guard exchange.connection < 0 || code != .networkConnectionLost else {
            return loseConnection(number, exchange)
        }
        end(number, .failure(TransportError(code)))
    }

    /// Sends the same bytes again, for the server only.
    private func sendAgain(_ exchange: Exchange, after delay: Int64) {
        counters.duplicated += 1
        let number = exchanges.insert(Exchange(duplicating: exchange))
        after(delay, handlers?.arrived, number)
    }

    private func take(
        _ transmission: Transmission, _ number: UInt64, _ exchange: Exchange,
        _ arrival: EventHandler?
    ) {
        switch transmission.end {
        case .arrives: travel(number, exchange, transmission.delay, arrival)
        case .breaks(let code):
            exchange.stage = .breaking(code)
            travel(number, exchange, transmission.delay, handlers?.broke)
        case .vanishes:
            exchange.stage = .lost
            watch(number, exchange, until: .max)
        }
    }

    private func travel(
        _ number: UInt64, _ exchange: Exchange, _ delay: Int64, _ arrival: EventHandler?
    ) {
        watch(number, exchange, until: delay)
        after(delay, arrival, number)
    }

    /// Schedules the attempt's time-out, if the next stage lasts longer than that.
    func watch(_ number: UInt64, _ exchange: Exchange, until span: Int64) {
        guard exchange.timeout == nil, exchange.hasClient, let handlers else { return }
        let timeout =
            exchange.request.timeoutNanoseconds ?? plan.network.timeoutNanoseconds
        let end = exchange.sent.advanced(byNanoseconds: timeout)
        guard span > end.nanoseconds - simulation.now.nanoseconds else { return }
        exchange.timeout = simulation.schedule(handlers.timedOut, argument: number, at: end)
    }

    /// How long an attempt travels one way.
    func travelTime(_ way: UserLines.Way, _ exchange: Exchange) -> Int64 {
        let stream = way == .up ? latency.up : latency.down
        // Not by the law as a value: each call would count references to it.
        guard plan.network.classes.isEmpty else {
            return sample(law(of: way, for: exchange.streamKey), stream, exchange)
        }
        switch way {
        case .up: return sample(plan.network.up, stream, exchange)
        case .down: return sample(plan.network.down, stream, exchange)
        }
    }

    /// The law of a way in the network that a user is in, who stays in it.
    func law(of way: UserLines.Way, for streamKey: UInt64) -> Distribution {
        var place = latency.connection.stream("class").stream(number: streamKey).unit(at: 0)
        for found in plan.network.classes {
            place -= found.share
            if place < 0 { return way == .up ? found.up : found.down }
        }
        return way == .up ? plan.network.up : plan.network.down
    }

    /// The span that a law and an attempt's own draw give.
    func sample(_ law: Distribution, _ stream: RandomStream, _ exchange: Exchange) -> Int64 {
        law.sample(stream.stream(number: exchange.streamKey), at: exchange.draw)
    }

    /// Schedules the end of a stage.
    func after(_ delay: Int64, _ handler: EventHandler?, _ number: UInt64) {
        guard let handler else { return }
        simulation.schedule(
            handler, argument: number, at: simulation.now.advanced(byNanoseconds: delay))
    }
}

/// The time that bytes take on their user's line, which all of the user's connections share.
extension Backend {
    /// Sends a request's bytes from the device before the rest of its trip.
    func upload(_ number: UInt64, _ exchange: Exchange, then transmission: Transmission) {
        watch(number, exchange, until: .max)
        changeLine(.up, of: exchange.cause.user) {
            $0.begin(number, bytes: exchange.request.body.count, then: transmission)
        }
    }

    /// The last byte of a request has left the device.
    func finishUpload(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        if let transmission = takeOff(.up, number, exchange).transmission {
            depart(number, exchange, transmission)
        }
    }

    /// A response has come to its user's line.
    func download(_ number: UInt64) {
        guard let exchange = exchanges[number], let count = exchange.response?.body.count else {
            return
        }
        exchange.firstByte = simulation.now
        changeLine(.down, of: exchange.cause.user) { $0.begin(number, bytes: count, then: nil) }
    }

    /// Gives back an exchange's share of a line; `wasThere` is false when it had none.
    @discardableResult
    func takeOff(
        _ way: UserLines.Way, _ number: UInt64, _ exchange: Exchange
    ) -> (wasThere: Bool, transmission: Transmission?) {
        guard lines.isLimited(way) else { return (false, nil) }
        var taken: (wasThere: Bool, transmission: Transmission?) = (false, nil)
        changeLine(way, of: exchange.cause.user) { taken = $0.end(number) }
        return taken
    }

    func changeLine(
        _ way: UserLines.Way, of user: UInt64, _ change: (inout SharedLine) -> Void
    ) {
        guard let handlers, var line = lines.take(way, of: user) else { return }
        if let timer = line.timer { simulation.cancel(timer) }
        line.advance(to: simulation.now)
        change(&line)
        line.timer = line.next.map { next in
            simulation.schedule(
                way == .up ? handlers.uploaded : handlers.returned, argument: next.number,
                at: simulation.now.advanced(byNanoseconds: next.after))
        }
        lines.putBack(line, way, of: user)
    }
}
