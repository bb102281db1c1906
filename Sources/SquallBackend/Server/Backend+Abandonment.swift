import SquallHTTP
import SquallKernel

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
        after(sample(plan.network.up, latency.up, exchange), handlers?.abandoned, number)
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
        case .waitingForConnection, .returning, .lost, .breaking: break
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
