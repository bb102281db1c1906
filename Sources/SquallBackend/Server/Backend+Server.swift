import SquallFormat
import SquallHTTP
import SquallKernel

/// The server: limits, line, workers, and its log.
extension Backend {
    /// A request has come to the server.
    func arrive(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        if exchange.isOnConnection, !reachesServer(number, exchange) { return }
        counters.received += 1
        counters.server.received += 1
        counters.occupancy.enter(at: simulation.now)
        exchange.arrived = simulation.now
        switch exchange.service.workplace {
        case .server: break
        case .own(let law): return workElsewhere(number, exchange, law)
        case .outside(let take): return handOut(number, exchange, take)
        case .remote(let server): return sendOut(number, exchange, to: server)
        }
        exchange.stage = .queued
        if exchange.isAbandoned { return abandon(number, exchange) }
        if limits != nil, let refusal = refusalByRate(exchange) {
            return reply(refusal, to: number, exchange)
        }
        let place = directory.place(of: exchange.endpoint)
        exchange.pool = place.pool
        switch pools[Int(place.pool)].queue.admit(number, level: Int(place.level)) {
        case .starts: start(number, exchange, by: pools[Int(place.pool)].workers.take())
        case .refused: turnAway(number, exchange)
        case .waits: wait(number, exchange)
        case .replaces(let last):
            if let exchange = leaveLine(last) { turnAwayFromLine(last, exchange) }
            wait(number, exchange)
        }
        noteServer()
    }

    private func wait(_ number: UInt64, _ exchange: Exchange) {
        counters.server.changeLine(of: exchange.endpoint) { $0.joined() }
        watch(number, exchange, until: .max)
        guard plan.server.serving.lateness == .leaves, let handlers,
            let limit = plan.server.waitLimitNanoseconds
        else { return }
        exchange.ending = simulation.schedule(
            handlers.late, argument: number,
            at: simulation.now.advanced(byNanoseconds: limit))
    }

    /// A worker has done the work itself: now it asks the database, or makes the response.
    func finishService(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        if !exchange.isRefused, database?.isAsked(by: exchange.endpoint) == true {
            return ask(number, exchange)
        }
        makeAnswer(exchange)
        write(number, exchange)
    }

    /// The state changes and the answer is made now.
    func makeAnswer(_ exchange: Exchange) { exchange.take(answer(exchange)) }

    /// Adds the time that the response's size costs; only the response tells its size.
    func write(_ number: UInt64, _ exchange: Exchange) {
        guard let page = exchange.page else { return finishWriting(number, exchange) }
        let span = Int64(page.items.count).clampedProduct(plan.server.perItemNanoseconds)
            .clampedSum(
                Int64(page.rowsScanned).clampedProduct(plan.server.perScannedRowNanoseconds))
        guard span > 0 else { return finishWriting(number, exchange) }
        work(span, number, exchange, handlers?.written)
    }

    /// A worker is done with a request, and takes the next.
    func finishWriting(_ number: UInt64) {
        if let exchange = exchanges[number], exchange.isAnswered { finishWriting(number, exchange) }
    }

    private func finishWriting(_ number: UInt64, _ exchange: Exchange) {
        reply(to: number, exchange)
        takeNext(exchange.worker, Int(exchange.pool))
        noteServer()
    }

    /// Sets the number of workers to what plan and faults leave now.
    func changeCapacity() {
        for pool in pools.indices {
            let planned = pools[pool].planned(at: simulation.now)
            pools[pool].queue.workers =
                pool == 0 ? faults.workers(of: planned, at: simulation.now) : planned
            while let number = pools[pool].queue.startOneWaiting() {
                guard let exchange = leaveLine(number) else { continue }
                let worker = pools[pool].workers.take()
                if hasWaitedTooLong(exchange) {
                    turnAwayFromLine(number, exchange)
                    takeNext(worker, pool)
                } else {
                    start(number, exchange, by: worker)
                }
            }
        }
        noteServer()
    }

    /// Reports the load from now on.
    func noteServer() {
        let (busy, waiting) = noteLevels()
        observer.serverChanged(busy: busy, waiting: waiting)
    }

    /// Notes how many workers are busy and how many requests wait.
    @discardableResult
    func noteLevels() -> (busy: Int, waiting: Int) {
        var (busy, present, waiting) = (0, 0, 0)
        // By part: a pool as a whole would be copied.
        for pool in pools.indices {
            busy += pools[pool].queue.busy
            present += max(pools[pool].queue.workers, pools[pool].queue.busy)
            waiting += pools[pool].queue.waiting
        }
        let now = simulation.now.nanoseconds
        counters.server.workers.note(busy: busy, of: present, waiting: waiting, at: now)
        if pools.count > 1 { counters.server.note(pools, at: now) }
        return (busy, waiting)
    }

    private func start(_ number: UInt64, _ exchange: Exchange, by worker: Int32) {
        exchange.stage = .served
        exchange.started = simulation.now
        exchange.worker = worker
        let wait = exchange.started.nanoseconds - exchange.arrived.nanoseconds
        counters.server.changeLine(of: exchange.endpoint) { $0.taken(afterNanoseconds: wait) }
        observer.lineLeft(exchange.cause, exchange.endpoint, afterNanoseconds: wait)
        exchange.isRefused = refusesExpired && isRefused(exchange)
        var span =
            if exchange.isRefused, let law = plan.server.refusalTime {
                sample(law, latency.service, exchange)
            } else {
                sample(serviceTime(of: exchange.endpoint), latency.service, exchange)
            }
        if faults.touchesService {
            span = faults.serviceTime(span, of: exchange, at: simulation.now)
        }
        work(span, number, exchange, handlers?.served)
    }

    /// Schedules the end of the work on a request.
    func work(_ span: Int64, _ number: UInt64, _ exchange: Exchange, _ end: EventHandler?) {
        watch(number, exchange, until: span)
        guard plan.server.serving.abandonment == .freesWorker, let end else {
            return after(span, end, number)
        }
        exchange.ending = simulation.schedule(
            end, argument: number, at: simulation.now.advanced(byNanoseconds: span))
    }

    /// Lets a worker that is done with a request take the next one.
    func takeNext(_ worker: Int32, _ pool: Int) {
        while let number = pools[pool].queue.finishOne() {
            guard let exchange = leaveLine(number) else { continue }
            guard hasWaitedTooLong(exchange) else { return start(number, exchange, by: worker) }
            turnAwayFromLine(number, exchange)
        }
        pools[pool].workers.giveBack(worker)
    }

    /// Counts a request out of the line and returns it.
    func leaveLine(_ number: UInt64) -> Exchange? {
        guard let exchange = exchanges[number] else { return nil }
        counters.server.changeLine(of: exchange.endpoint) { $0.leftLine() }
        if let ending = exchange.ending {
            simulation.cancel(ending)
            exchange.ending = nil
        }
        return exchange
    }

    private func hasWaitedTooLong(_ exchange: Exchange) -> Bool {
        guard let limit = plan.server.waitLimitNanoseconds else { return false }
        return simulation.now.nanoseconds - exchange.arrived.nanoseconds > limit
    }

    /// How long the work on a call takes, without the part of its answer's size.
    private func serviceTime(of endpoint: Endpoint) -> Distribution {
        let number = Int(endpoint.number)
        guard number < serviceTimes.count, let own = serviceTimes[number] else {
            return plan.server.serviceTime
        }
        return own
    }

    private func answer(_ exchange: Exchange) -> Answer {
        if let failure = failure(of: exchange) { return failure }
        setClock(exchange)
        return ask(exchange)
    }

    /// The response of a fault in the service's place; `nil` where no fault strikes.
    func failure(of exchange: Exchange) -> Answer? {
        guard faults.touchesWork, let failure = faults.failure(exchange, at: simulation.now)
        else { return nil }
        var answer = exchange.service.service.answer(to: .failure(status: failure.status))
        if let body = failure.body {
            (answer.body, answer.meaning) = (Body(body), .failure)
        }
        if let pause = failure.retryAfterNanoseconds {
            answer.headers.update(name: "Retry-After", value: "\(seconds(pause))")
        }
        for field in failureHeaders { answer.headers.update(field) }
        return answer
    }

    /// Makes the mint judge tokens by the clock of the worker who has a request.
    private func setClock(_ exchange: Exchange) {
        guard faults.touchesClocks else { return }
        tokens.clockOffsetNanoseconds = faults.clockOffset(of: exchange.worker, at: simulation.now)
    }

    /// True if a request needs a valid token and shows an expired one as the work on it begins.
    private func isRefused(_ exchange: Exchange) -> Bool {
        guard let route = exchange.route, exchange.service.service.needsToken(route),
            let shown = exchange.shownTokens?.access
        else { return false }
        setClock(exchange)
        if case .expired = tokens.judge(shown, as: .access, at: simulation.now) { return true }
        return false
    }

    /// Asks a service for the response to a request, for the phone that sent it; a service changes
    /// nothing any more when its world has ended.
    private func ask(_ exchange: Exchange) -> Answer {
        guard !isClosed else { return exchange.service.service.answer(to: .failure(status: 503)) }
        let scene = scene(of: exchange)
        tokens.phone = scene.user
        defer { tokens.phone = nil }
        guard observer.followsTokens || exchange.endpoint.role != .ordinary else {
            return exchange.service.service.answer(exchange.request, to: exchange.route, in: scene)
        }
        tokens.newest = TokenTexts()
        defer {
            exchange.brings = tokens.newest == TokenTexts() ? nil : tokens.newest
            tokens.newest = nil
        }
        return exchange.service.service.answer(exchange.request, to: exchange.route, in: scene)
    }

    func scene(of exchange: Exchange) -> ServiceScene {
        ServiceScene(
            now: simulation.now, epoch: simulation.epoch, user: exchange.cause.user,
            streamKey: exchange.streamKey, ordinal: exchange.draw, exchange: exchange.ordinal,
            tokens: tokens)
    }

    /// Replies with a response that no worker made.
    func reply(_ answer: Answer, to number: UInt64, _ exchange: Exchange) {
        exchange.take(answer)
        reply(to: number, exchange)
    }

    /// Notes the response in the server's log and sends it back.
    func reply(to number: UInt64, _ exchange: Exchange) {
        counters.replied += 1
        counters.server.replied += 1
        counters.occupancy.leave(enteredAt: exchange.arrived, at: simulation.now)
        if observer.keepsServerLog, let answer = exchange.answer {
            observer.requestReplied(record(of: exchange, answer))
        }
        if exchange.successor != nil { tell(.requestDoneTwice, exchange) }
        sendBack(number, exchange)
    }
}

/// Services with workers of their own: always enough of them, and no line.
extension Backend {
    /// The service makes its response at once; it is sent when the service's time is over.
    private func workElsewhere(
        _ number: UInt64, _ exchange: Exchange, _ law: (ServiceScene, Answer) -> Int64
    ) {
        exchange.stage = .served
        let answer = askElsewhere(exchange)
        exchange.take(answer)
        let span = law(scene(of: exchange), answer)
        watch(number, exchange, until: span)
        after(span, handlers?.found, number)
    }

    /// Asks a service with workers of its own by the right time, not by a worker's clock.
    func askElsewhere(_ exchange: Exchange) -> Answer {
        tokens.clockOffsetNanoseconds = 0
        return ask(exchange)
    }

    /// The service's time for a response is over.
    func finishElsewhere(_ number: UInt64) {
        guard let exchange = exchanges[number], exchange.isAnswered else { return }
        reply(to: number, exchange)
    }
}

extension Backend {
    /// Turns a request away for lack of room or time; the plan may ask its client to wait.
    private func turnAway(_ number: UInt64, _ exchange: Exchange) {
        counters.server.changeLine(of: exchange.endpoint) { $0.wasTurnedAway() }
        let pause = seconds(plan.server.retryAfterNanoseconds ?? 0)
        let answer = exchange.service.service.answer(to: .overloaded(retryAfterSeconds: pause))
        reply(answer, to: number, exchange)
    }

    /// Turns a request away because it has just waited too long.
    func leaveLate(_ number: UInt64) {
        guard let exchange = exchanges[number], case .queued = exchange.stage else { return }
        pools[Int(exchange.pool)].queue.remove(number)
        exchange.ending = nil
        if let exchange = leaveLine(number) { turnAwayFromLine(number, exchange) }
        noteServer()
    }

    /// Turns away a request that has waited.
    private func turnAwayFromLine(_ number: UInt64, _ exchange: Exchange) {
        let wait = simulation.now.nanoseconds - exchange.arrived.nanoseconds
        observer.lineLeft(exchange.cause, exchange.endpoint, afterNanoseconds: wait)
        turnAway(number, exchange)
    }

    /// The service's refusal of a call that comes too soon; `nil` when the call is allowed.
    func refusalByRate(_ exchange: Exchange) -> Answer? {
        let service = exchange.service.service
        guard
            let caller = service.caller(
                of: exchange.request, to: exchange.route, in: scene(of: exchange))
        else { return nil }
        let wait = limits?.admit(caller, at: simulation.now)
        guard let wait, wait > 0 else { return nil }
        let pause = plan.server.retryAfterNanoseconds == nil ? 0 : seconds(wait)
        return service.answer(to: .tooManyCalls(retryAfterSeconds: pause))
    }

    /// Whole seconds, rounded up.
    private func seconds(_ nanoseconds: Int64) -> Int {
        Int((nanoseconds + 999_999_999) / 1_000_000_000)
    }
}

/// Clients that give up, as far as the server learns of it.
extension Backend {
    /// Tells the server that the client has gone, by the connection's end, if the plan says so.
    ///
    /// It takes as long as the request did, before its size counted, and never gets lost.
    func tellServer(_ exchange: Exchange, _ number: UInt64) {
        if dropOutside(exchange, number) { return }
        guard plan.server.serving.abandonment != .ignored, exchange.service.isOnServer else {
            return
        }
        after(travelTime(.up, exchange), handlers?.abandoned, number)
    }

    /// The server learns that a request's client has given up.
    func abandon(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        switch exchange.stage {
        case .travelling: exchange.isAbandoned = true
        case .queued:
            let wait = simulation.now.nanoseconds - exchange.arrived.nanoseconds
            pools[Int(exchange.pool)].queue.remove(number)
            guard let exchange = leaveLine(number) else { return }
            observer.lineLeft(exchange.cause, exchange.endpoint, afterNanoseconds: wait)
            abandon(number, exchange)
            noteServer()
        case .served: stopWork(number, exchange)
        case .waitingForConnection, .connecting, .returning, .lost, .breaking: break
        }
    }

    /// A worker drops what it works on, unless the plan says that it finishes it.
    private func stopWork(_ number: UInt64, _ exchange: Exchange) {
        guard plan.server.serving.abandonment == .freesWorker else { return }
        if let ending = exchange.ending { simulation.cancel(ending) }
        leaveDatabase(number, exchange)
        let (worker, pool) = (exchange.worker, Int(exchange.pool))
        abandon(number, exchange)
        takeNext(worker, pool)
        noteServer()
    }

    /// The server forgets a request without a reply.
    func abandon(_ number: UInt64, _ exchange: Exchange) {
        countOut(exchange)
        exchanges.remove(number)
    }

    /// Counts a request out of the server that gets no reply.
    func countOut(_ exchange: Exchange) {
        counters.abandoned += 1
        counters.server.abandoned += 1
        counters.server.changeLine(of: exchange.endpoint) {
            $0.wasAbandoned(atWork: exchange.worker >= 0)
        }
        counters.occupancy.leave(enteredAt: exchange.arrived, at: simulation.now)
    }
}
