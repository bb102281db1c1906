import SquallHTTP
import SquallKernel

/// The ways to the server and back.
extension Backend {
    /// Puts an exchange that has a connection on the wire.
    func send(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        counters.sent += 1
        exchange.sent = simulation.now
        exchange.stage = .travelling
        let delay = sample(plan.network.up, latency.up, exchange)
        let isUploaded = lines.isLimited(.up) && exchange.request.body.count > 0
        guard faults.touchesWire || isUploaded else {
            return travel(number, exchange, delay, handlers?.arrived)
        }
        let transmission = faults.up(exchange, delay: delay, at: simulation.now)
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

    /// Puts the answer on its way, or drops it when its client has gone.
    func sendBack(_ number: UInt64, _ exchange: Exchange) {
        guard exchange.hasClient else {
            counters.dropped += 1
            return exchanges.remove(number)
        }
        exchange.stage = .returning
        let delay = sample(plan.network.down, latency.down, exchange)
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
        guard lines.isLimited(.down), let count = exchange.answer?.body.count, count > 0 else {
            return travel(number, exchange, delay, handlers?.returned)
        }
        watch(number, exchange, until: .max)
        after(delay, handlers?.downloading, number)
    }

    /// Gives the client its answer.
    func deliver(_ number: UInt64) {
        // Part by part, because copying the whole answer costs more.
        guard let exchange = exchanges[number], let status = exchange.answer?.status,
            let headers = exchange.answer?.headers, let body = exchange.answer?.body
        else { return }
        let answer = TransportResponse(
            url: exchange.request.url, statusCode: status, headers: headers, body: body)
        end(number, .success(answer))
    }

    /// Tells the client that its connection broke.
    func breakConnection(_ number: UInt64) {
        guard let exchange = exchanges[number], case .breaking(let code) = exchange.stage else {
            return
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

    /// Schedules the attempt's time-out, if the next stage lasts longer.
    func watch(_ number: UInt64, _ exchange: Exchange, until span: Int64) {
        guard exchange.timeout == nil, exchange.hasClient, let handlers else { return }
        let timeout =
            exchange.request.timeoutNanoseconds ?? plan.network.timeoutNanoseconds
        let end = exchange.sent.advanced(byNanoseconds: timeout)
        guard span > end.nanoseconds - simulation.now.nanoseconds else { return }
        exchange.timeout = simulation.schedule(handlers.timedOut, argument: number, at: end)
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
