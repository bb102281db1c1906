import SquallFormat
import SquallHTTP
import SquallKernel

/// Requests on connections.
extension Backend {
    func tell(_ event: ConnectionEvent, _ exchange: Exchange) {
        observer.connectionChanged(event, exchange.cause, exchange.endpoint)
    }

    /// Gives an exchange a connection, or has it wait for its turn.
    func connect(_ number: UInt64, _ exchange: Exchange, _ links: ConnectionTable) {
        exchange.host = links.host(of: exchange)
        if !take(number, exchange, links) {
            links.wait(exchange, in: exchanges)
        }
    }

    /// Gives an exchange a connection; `false` when its phone may have no more of them.
    private func take(_ number: UInt64, _ exchange: Exchange, _ links: ConnectionTable) -> Bool {
        let (found, isFull) = links.usable(exchange.host, at: simulation.now.nanoseconds) {
            noticeOfClosing($0, exchange, links)
        }
        guard let place = found ?? (isFull ? nil : links.add(to: exchange.host)) else {
            return false
        }
        exchange.connection = place
        // For its client a request that is sent again is one that takes longer.
        if !exchange.isRepetition {
            exchange.sent = simulation.now
            pass(.place, from: exchange.handedOver, exchange)
        }
        links.connections[Int(place)].carried += 1
        if found == nil { setUp(place, for: exchange, links) }
        switch links.connections[Int(place)].state {
        case .open, .stalled:
            tell(.reused, exchange)
            ride(number, exchange, links)
        case .early where exchange.request.method.isSafe: ride(number, exchange, links)
        default:
            exchange.stage = .connecting
            links.settingUp[place]?.pending.append(number)
            watch(number, exchange, until: .max)
        }
        return true
    }

    /// Sends an exchange on a connection that is there, as far as its client knows.
    func ride(_ number: UInt64, _ exchange: Exchange, _ links: ConnectionTable) {
        let wake = wake(exchange, links)
        if wake > 0 { tell(.passed(.radio, nanoseconds: wake), exchange) }
        exchange.wired = simulation.now.advanced(byNanoseconds: wake)
        let connection = links.connections[Int(exchange.connection)]
        exchange.isCutOff = connection.state == .stalled
        let closes = links.ending(exchange.connection).closes
        guard closes <= simulation.now.nanoseconds, !exchange.isCutOff else {
            return goUp(number, exchange, after: wake)
        }
        // Word of the closing is on the way.
        counters.sent += 1
        refuse(number, exchange, links)
    }

    /// The server has closed the connection of a request, whose client learns so.
    private func refuse(_ number: UInt64, _ exchange: Exchange, _ links: ConnectionTable) {
        counters.lostRequests += 1
        exchange.stage = .breaking(.networkConnectionLost)
        let place = exchange.connection
        exchange.isUnprocessed = links.connections[Int(place)].isLeaving
        if links.ending(place).notice == .max {
            let notice = noticeOfClosing(place, exchange, links)
            links.changeEnding(place) { $0.notice = notice }
        }
        let delay = links.ending(place).notice - simulation.now.nanoseconds
        after(max(0, delay), handlers?.broke, number)
    }

    func wake(_ exchange: Exchange, _ links: ConnectionTable) -> Int64 {
        let draws = latency.connection.stream("radio").stream(number: exchange.streamKey)
        return links.wake(exchange.cause.user, at: simulation.now.nanoseconds, draws)
    }

    private func pass(_ part: RequestPart, from start: Instant, _ exchange: Exchange) {
        let span = simulation.now.nanoseconds - start.nanoseconds
        if span > 0 { tell(.passed(part, nanoseconds: span), exchange) }
    }
}

extension HTTPMethod {
    /// True if it only reads, so that it may go before a handshake is over (RFC 8470 §4).
    var isSafe: Bool { [.get, .head, .options].contains(self) }

    /// True if a client may send it again without knowing its fate (RFC 9110 §9.2.2).
    var isIdempotent: Bool { isSafe || [.put, .delete, .trace].contains(self) }
}

/// The load of connections, as client and server count it.
extension Backend {
    /// True if the server takes a request that has come to it; if not, its client will learn so, or
    /// nothing.
    func reachesServer(_ number: UInt64, _ exchange: Exchange) -> Bool {
        guard !exchange.isCutOff else {
            counters.lostRequests += 1
            lose(number, exchange)
            return false
        }
        guard let links, exchange.connection >= 0 else { return true }
        let now = simulation.now.nanoseconds
        let ending = links.ending(exchange.connection)
        guard now < ending.closes else {
            refuse(number, exchange, links)
            return false
        }
        links.noteEnding(exchange.connection) {
            ($0.closes, $0.notice, $0.quietSince) = (.max, .max, .max)
            $0.taken += 1
        }
        links.connections[Int(exchange.connection)].isLeaving = false
        let limit = links.plan
        if ending.taken + 1 >= limit.requestsMax ?? .max
            || now - ending.opened >= limit.ageNanoseconds ?? .max
        {
            endSoon(exchange.connection, exchange, links)
        }
        return true
    }

    /// The server takes nothing more from a connection, and says so with this response or GOAWAY.
    private func endSoon(_ place: Int32, _ exchange: Exchange, _ links: ConnectionTable) {
        guard links.plan.carrier != .http1 else {
            return links.connections[Int(place)].state = .closing
        }
        links.connections[Int(place)].isLeaving = true
        links.changeEnding(place) { $0.closes = simulation.now.nanoseconds }
        let notice = noticeOfClosing(place, exchange, links)
        links.changeEnding(place) { $0.notice = notice }
    }

    /// When a client learns that the server has closed a connection; behind the last response.
    private func noticeOfClosing(
        _ place: Int32, _ exchange: Exchange, _ links: ConnectionTable
    ) -> Int64 {
        let connection = links.connections[Int(place)]
        guard links.plan.serverIdleNanoseconds != 0 || connection.isLeaving else {
            return connection.restsSince
        }
        let draws = latency.connection.stream(number: exchange.streamKey)
            .stream(number: UInt64(connection.tenancy) << 32 | UInt64(place))
        let law = law(of: .down, for: exchange.streamKey)
        let delay = law.sample(draws, at: UInt64(links.ending(place).taken) + 1_024)
        return max(connection.restsSince, links.ending(place).closes.clampedSum(delay))
    }

    /// Notes that the server has sent a response; `false` where its client never gets it.
    func leavesServer(_ number: UInt64, _ exchange: Exchange) -> Bool {
        guard !exchange.isCutOff else {
            counters.dropped += 1
            lose(number, exchange)
            return false
        }
        links?.noteEnding(exchange.connection) { $0.quietSince = simulation.now.nanoseconds }
        exchange.firstByte = .start
        return true
    }

    /// Tells of the parts of a response's time; `false` where it never comes.
    func reachesClient(_ number: UInt64, _ exchange: Exchange) -> Bool {
        guard !exchange.isCutOff else {
            counters.dropped += 1
            takeOff(.down, number, exchange)
            lose(number, exchange)
            return false
        }
        links?.carried(exchange.cause.user, at: simulation.now.nanoseconds)
        let first = exchange.firstByte == .start ? simulation.now : exchange.firstByte
        let wait = first.nanoseconds - exchange.wired.nanoseconds
        tell(.passed(.wait, nanoseconds: wait), exchange)
        pass(.transfer, from: first, exchange)
        return true
    }

    /// Nothing more comes: the client will time out.
    private func lose(_ number: UInt64, _ exchange: Exchange) {
        guard exchange.hasClient else { return exchanges.remove(number) }
        exchange.stage = .lost
        watch(number, exchange, until: .max)
    }

    /// A call has timed out: its connection, if nothing comes on it, is given up.
    func giveUpConnection(of exchange: Exchange) {
        guard let links, exchange.connection >= 0 else { return }
        let state = links.connections[Int(exchange.connection)].state
        if [.stalled, .settingUp].contains(state) { endUnderWay(exchange) }
    }

    /// Takes an ended exchange off its connection, which rests, ends or carries the next one.
    func leaveConnection(
        _ number: UInt64, _ exchange: Exchange, isWhole: Bool, _ links: ConnectionTable
    ) {
        let place = exchange.connection
        guard place >= 0 else { return links.endWait(of: exchange, in: exchanges) }
        exchange.connection = -1
        let (index, now) = (Int(place), simulation.now.nanoseconds)
        if case .connecting = exchange.stage {
            links.settingUp[place]?.pending.removeAll { $0 == number }
        }
        links.connections[index].carried -= 1
        links.connections[index].restsSince = now
        if !isWhole {
            links.noteEnding(place) { $0.quietSince = now }
            if links.plan.carrier == .http1 { links.connections[index].state = .closing }
        }
        if links.connections[index].carried == 0 {
            if [.closing, .settingUp].contains(links.connections[index].state) {
                links.remove(place)
            } else if links.ending(place).closes == .max {
                rest(place, links)
            }
        }
        while let waiting = links.nextWaiting(for: exchange.host, in: exchanges),
            let next = waiting.number, take(next, waiting, links)
        {
            links.endWait(of: waiting, in: exchanges)
        }
    }
}

/// The end of connections that rest, which servers of HTTP/2 and HTTP/3 announce (RFC 9113 §9.1).
extension Backend {
    /// Lets the server close a connection that carries nothing any more, after its limit.
    private func rest(_ place: Int32, _ links: ConnectionTable) {
        guard let idle = links.plan.serverIdleNanoseconds else { return links.rest(place) }
        let closes = links.ending(place).quietSince.clampedSum(idle)
        guard links.endsByEvents else {
            links.connections[Int(place)].isLeaving = links.plan.announcesClosing
            return links.changeEnding(place) { $0.closes = closes }
        }
        let rest = max(0, closes - simulation.now.nanoseconds)
        after(rest, linkHandlers?.closing, links.number(place))
    }

    /// The server closes a connection, unless something has come on it meanwhile.
    func closeResting(_ number: UInt64, _ links: ConnectionTable) {
        guard let place = links.place(number), let idle = links.plan.serverIdleNanoseconds else {
            return
        }
        let now = simulation.now.nanoseconds
        let ending = links.ending(place)
        guard links.connections[Int(place)].state == .open, ending.closes == .max,
            now - ending.quietSince >= idle
        else { return }
        links.changeEnding(place) { $0.closes = now }
        links.connections[Int(place)].isLeaving = links.plan.announcesClosing
        let key = plan.identity.key(of: links.user(of: place))
        let delay = law(of: .down, for: key)
            .sample(latency.connection.stream("closing"), at: number)
        after(idle == 0 ? 0 : delay, linkHandlers?.noticed, number)
    }

    /// A client learns that the server has closed a connection.
    func noticeClosing(_ number: UInt64, _ links: ConnectionTable) {
        guard let place = links.place(number), links.connections[Int(place)].state == .open else {
            return
        }
        guard links.connections[Int(place)].carried == 0 else {
            return links.changeEnding(place) { $0.notice = simulation.now.nanoseconds }
        }
        links.remove(place)
    }
}
