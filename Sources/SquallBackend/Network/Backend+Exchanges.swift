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
        let limit = UInt16(clamping: plan.network.connectionsPerHost)
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

    /// The client no longer wants the answer.
    func cancel(_ exchange: Exchange) {
        simulation.checkThread()
        guard let number = exchange.number else { return }
        end(number, .failure(TransportError(.cancelled)))
    }

    func timeOut(_ number: UInt64) {
        exchanges[number]?.timeout = nil
        end(number, .failure(TransportError(.timedOut)))
    }

    /// Gives the client the outcome, unless it has gone, and lets the exchange go on without it.
    func end(_ number: UInt64, _ result: Exchange.Result) {
        guard let exchange = exchanges[number], exchange.hasClient else { return }
        if let timeout = exchange.timeout { simulation.cancel(timeout) }
        observer.exchangeEnded(record(of: exchange, result))
        if case .success = result, observer.followsTokens, let tokens = exchange.brings {
            observer.tokensReceived(tokens, by: exchange.cause)
        }
        exchange.hasClient = false
        count(result, in: exchange.stage)
        forget(exchange, number)
        TrapReport.note(user: Int(exchange.cause.user))
        exchange.resume(result)
    }

    /// Frees what a client that has gone no longer needs.
    private func forget(_ exchange: Exchange, _ number: UInt64) {
        switch exchange.stage {
        case .waitingForConnection:
            withConnections(of: exchange) { $0.waiting.removeAll { $0 == number } }
            return exchanges.remove(number)
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
