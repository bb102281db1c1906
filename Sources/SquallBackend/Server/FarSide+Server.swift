import SquallHTTP
import SquallKernel

/// The server: limits, line, workers, and its log.
extension FarSide {
    /// A request has come to the server.
    func arrive(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        counters.received += 1
        counters.occupancy.enter(at: simulation.now)
        exchange.arrived = simulation.now
        if exchange.isSearch { return search(number, exchange) }
        exchange.stage = .queued
        if limits != nil, let refusal = refusalByRate(exchange) {
            return reply(refusal, to: number, exchange)
        }
        switch queue.admit(number) {
        case .starts: start(number, exchange, by: workers.take())
        case .refused: turnAway(number, exchange)
        case .waits:
            counters.lines[exchange.route.endpoint, default: EndpointLine()].joined()
            watch(number, exchange, until: .max)
        }
        counters.longestQueue = max(counters.longestQueue, queue.waiting)
    }

    /// A worker is done with the work itself: the state changes and the answer is made now.
    ///
    /// What the answer's size costs comes after, because only the answer tells it.
    func finishService(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        let answer = answer(exchange)
        exchange.answer = answer
        let plan = configuration.server
        let span =
            Int64(answer.items ?? 0) * plan.perItemNanoseconds
            + Int64(answer.rowsScanned) * plan.perScannedRowNanoseconds
        guard span > 0 else { return finishWriting(number) }
        work(span, number, exchange, handlers?.written)
    }

    /// A worker is done with a request, and takes the next.
    func finishWriting(_ number: UInt64) {
        guard let exchange = exchanges[number], let answer = exchange.answer else { return }
        reply(answer, to: number, exchange)
        takeNext(exchange.worker)
    }

    /// Lets there be so many workers from now on as the faults under way leave.
    func changeCapacity() {
        queue.workers = faults.workers(of: configuration.server.workers, at: simulation.now)
        while let number = queue.startOneWaiting() {
            guard let exchange = leaveLine(number) else { continue }
            let worker = workers.take()
            if hasWaitedTooLong(exchange) {
                turnAway(number, exchange)
                takeNext(worker)
            } else {
                start(number, exchange, by: worker)
            }
        }
    }

    private func start(_ number: UInt64, _ exchange: Exchange, by worker: Int32) {
        exchange.stage = .served
        exchange.started = simulation.now
        exchange.worker = worker
        let wait = exchange.started.nanoseconds - exchange.arrived.nanoseconds
        counters.lines[exchange.route.endpoint, default: EndpointLine()]
            .served(afterNanoseconds: wait)
        let plan = configuration.server
        let law =
            plan.serviceTimes.isEmpty
            ? plan.serviceTime : plan.serviceTimes[exchange.route.endpoint] ?? plan.serviceTime
        work(sample(law, latency.service, exchange), number, exchange, handlers?.served)
    }

    private func work(
        _ span: Int64, _ number: UInt64, _ exchange: Exchange, _ end: EventHandler?
    ) {
        counters.busyNanoseconds += span
        watch(number, exchange, until: span)
        after(span, end, number)
    }

    private func takeNext(_ worker: Int32) {
        while let number = queue.finishOne() {
            guard let exchange = leaveLine(number) else { continue }
            guard hasWaitedTooLong(exchange) else { return start(number, exchange, by: worker) }
            turnAway(number, exchange)
        }
        workers.giveBack(worker)
    }

    /// The request that was first in line, counted out of it.
    private func leaveLine(_ number: UInt64) -> Exchange? {
        guard let exchange = exchanges[number] else { return nil }
        counters.lines[exchange.route.endpoint]?.leftLine()
        return exchange
    }

    private func hasWaitedTooLong(_ exchange: Exchange) -> Bool {
        guard let limit = configuration.server.waitLimitNanoseconds else { return false }
        return simulation.now.nanoseconds - exchange.arrived.nanoseconds > limit
    }

    private func answer(_ exchange: Exchange) -> Answer {
        if faults.touchesWork, let status = faults.errorStatus(exchange, at: simulation.now) {
            return Answer(status: status, body: Refusal.serverError.answer.body)
        }
        if faults.touchesClocks {
            contract.tokens.clockOffsetNanoseconds = faults.clockOffset(
                of: exchange.worker, at: simulation.now)
        }
        let issuedBefore = contract.tokens.accessTokensIssued
        let answer = contract.answer(exchange.request, exchange.route, at: simulation.now)
        if contract.tokens.accessTokensIssued != issuedBefore {
            observer.accessTokenIssued(
                to: exchange.cause.user, expiresAt: contract.tokens.lastAccessExpiry)
        }
        return answer
    }

    /// Notes an answer in the server's log and sends it back.
    func reply(_ answer: Answer, to number: UInt64, _ exchange: Exchange) {
        counters.replied += 1
        counters.occupancy.leave(enteredAt: exchange.arrived, at: simulation.now)
        if observer.keepsServerLog { observer.requestReplied(record(of: exchange, answer)) }
        sendBack(answer, number, exchange)
    }
}

/// What the server turns away.
extension FarSide {
    /// Answers 503, with the time that the plan asks clients to stay away.
    private func turnAway(_ number: UInt64, _ exchange: Exchange) {
        counters.lines[exchange.route.endpoint, default: EndpointLine()].wasTurnedAway()
        var answer = Answer.refused(.overloaded)
        answer.retryAfterSeconds = seconds(configuration.server.retryAfterNanoseconds ?? 0)
        reply(answer, to: number, exchange)
    }

    /// 429 when somebody called too often; it counts only where key and address are right.
    private func refusalByRate(_ exchange: Exchange) -> Answer? {
        guard let key = contract.key(of: exchange.request, exchange.route) else { return nil }
        let token = exchange.request.value(forHTTPHeaderField: "Authorization") ?? ""
        let wait = limits?.admit(
            user: contract.tokens.user(of: token), key: key, at: simulation.now)
        guard let wait, wait > 0 else { return nil }
        var answer = Answer.refused(.tooManyCalls)
        if configuration.server.retryAfterNanoseconds != nil {
            answer.retryAfterSeconds = seconds(wait)
        }
        return answer
    }

    /// Whole seconds, rounded up.
    private func seconds(_ nanoseconds: Int64) -> Int {
        Int((nanoseconds + 999_999_999) / 1_000_000_000)
    }
}
