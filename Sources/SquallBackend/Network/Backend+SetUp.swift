import SquallFormat
import SquallHTTP
import SquallKernel

/// The events of connections.
extension Backend {
    /// Their numbers in the simulation.
    struct LinkHandlers {
        let early, connected, handshake, handshaken, failed, closing, noticed: EventHandler
    }

    /// Registers their events, behind all others, so that a run without them has the same numbers.
    func prepareConnections() {
        guard let links else { return }
        let owner = { (number: UInt64) -> ReadyEvent.Subject in
            links.place(number).map {
                .init(number: number, user: links.user(of: $0))
            } ?? .init()
        }
        linkHandlers = LinkHandlers(
            early: simulation.register(.message("early data can go", onDevice: true, of: owner)) {
                [unowned self] in open($0, .early, links)
            },
            connected: simulation.register(
                .message("connection is set up", onDevice: true, of: owner)
            ) {
                [unowned self] in connect($0, links)
            },
            handshake: simulation.register(.message("handshake arrives", of: owner)) {
                [unowned self] in shakeHands($0, links)
            },
            handshaken: simulation.register(.timer("handshake is worked out", of: owner)) {
                [unowned self] in finishHandshake($0, links)
            },
            failed: simulation.register(
                .message("connection is refused", onDevice: true, of: owner)
            ) {
                [unowned self] in failSetUp($0, links)
            },
            closing: simulation.register(
                .timer("server closes a resting connection", of: owner)
            ) {
                [unowned self] in closeResting($0, links)
            },
            noticed: simulation.register(
                .message("word of a closed connection", onDevice: true, of: owner)
            ) {
                [unowned self] in noticeClosing($0, links)
            })
    }
}

/// Setting connections up.
extension Backend {
    /// Has a connection set up for an exchange.
    func setUp(_ place: Int32, for exchange: Exchange, _ links: ConnectionTable) {
        let plan = links.plan
        let draws = draws(of: exchange, links.hosts[Int(exchange.host)])
        let isResumed = plan.tls != .none && draws.chance(plan.resumption, at: 0)
        var setUp = ConnectionTable.SetUp(began: simulation.now)
        setUp.radio = wake(exchange, links)
        setUp.name = links.nameWait(
            exchange.host, at: setUp.began.advanced(byNanoseconds: setUp.radio), draws)
        let connect = plan.connectTrips * 2
        let legs = (0..<connect + plan.handshakeTrips(isResumed: isResumed) * 2).map {
            leg($0, exchange, draws)
        }
        setUp.certificateBytes = isResumed || plan.tls == .none ? 0 : plan.certificateBytes
        setUp.connect = total(legs.prefix(connect))
        setUp.secure = total(legs.dropFirst(connect))
        setUp.rest = total(legs.dropFirst(connect + 1))
        if case .breaks(let code)? = legs.first?.end {
            setUp.failure = (code, after: legs[0].delay)
        }
        links.settingUp[place] = setUp
        tell(.begun(settingUp: links.settingUp.count), exchange)
        // Neither side learns of first bytes that vanish.
        if legs.first?.end != .vanishes { begin(setUp, isResumed, links.number(place), plan) }
    }

    /// Sends the first bytes of a connection.
    private func begin(
        _ setUp: ConnectionTable.SetUp, _ isResumed: Bool, _ number: UInt64, _ plan: ConnectionPlan
    ) {
        let named = setUp.radio.clampedSum(setUp.name)
        if let (code, span) = setUp.failure {
            let delay = code == .notConnectedToInternet ? 0 : named.clampedSum(span)
            return after(delay, linkHandlers?.failed, number)
        }
        let early = named.clampedSum(setUp.connect)
        if plan.hasEarlyData, isResumed { after(early, linkHandlers?.early, number) }
        if plan.tls != .none, plan.handshakeTime != .constant(nanoseconds: 0) {
            after(early.clampedSum(setUp.secure - setUp.rest), linkHandlers?.handshake, number)
        } else {
            after(early.clampedSum(setUp.secure), linkHandlers?.connected, number)
        }
    }

    private func total(_ legs: ArraySlice<Transmission>) -> Int64 {
        legs.reduce(Int64(0)) { $0.clampedSum($1.delay) }
    }

    /// The random numbers of a host's newest connection.
    private func draws(of exchange: Exchange, _ host: ConnectionTable.Host) -> RandomStream {
        latency.connection.stream(number: exchange.streamKey)
            .stream(number: UInt64(host.key) << 32 | UInt64(host.setUps))
    }

    /// One way of a set-up, with the faults that strike the request for which it is made.
    private func leg(
        _ number: Int, _ exchange: Exchange, _ draws: RandomStream
    ) -> Transmission {
        let isUp = number.isMultiple(of: 2)
        let law = law(of: isUp ? .up : .down, for: exchange.streamKey)
        let delay = law.sample(draws, at: UInt64(number) + 2)
        guard faults.touchesWire else { return Transmission(delay: delay) }
        if isUp { return faults.up(exchange, delay: delay, at: simulation.now) }
        return Transmission(delay: faults.wayDown(exchange, delay: delay, at: simulation.now))
    }

    /// A handshake has come to the server, whose processors take as many as they can.
    private func shakeHands(_ number: UInt64, _ links: ConnectionTable) {
        if links.handshakes.admit(number) == .starts { workOut(number, links) }
    }

    private func workOut(_ number: UInt64, _ links: ConnectionTable) {
        links.handshakesBegun += 1
        let span = links.plan.handshakeTime
            .sample(latency.connection.stream("handshake"), at: links.handshakesBegun)
        after(span, linkHandlers?.handshaken, number)
    }

    /// A processor is done with a handshake, also with one whose client has gone.
    private func finishHandshake(_ number: UInt64, _ links: ConnectionTable) {
        if let next = links.handshakes.finishOne() { workOut(next, links) }
        guard let place = links.place(number), let setUp = links.settingUp[place] else { return }
        after(setUp.rest, linkHandlers?.connected, number)
    }

    /// Everything of a set-up has come but the certificates, which share their user's line.
    private func connect(_ number: UInt64, _ links: ConnectionTable) {
        guard let place = links.place(number), lines.isLimited(.down),
            let bytes = links.settingUp[place]?.certificateBytes, bytes > 0
        else { return open(number, .open, links) }
        let user = links.user(of: place)
        links.certificates[number | Self.certificateBit] = user
        changeLine(.down, of: user) {
            $0.begin(number | Self.certificateBit, bytes: bytes, then: nil)
        }
    }

    /// Tells the numbers of certificates on a line from those of exchanges.
    private static let certificateBit: UInt64 = 1 << 63

    /// The last byte of a connection's certificates has come.
    func openBehindCertificate(_ number: UInt64) {
        guard let links, let user = links.certificates.removeValue(forKey: number) else { return }
        changeLine(.down, of: user) { _ = $0.end(number) }
        open(number & ~Self.certificateBit, .open, links)
    }

    /// A connection carries from now on what waited for it, or the safe part of that.
    private func open(
        _ number: UInt64, _ state: ConnectionTable.State, _ links: ConnectionTable
    ) {
        guard let place = links.place(number), let setUp = links.settingUp[place],
            [.settingUp, .early].contains(links.connections[Int(place)].state)
        else { return }
        let now = simulation.now.nanoseconds
        if links.connections[Int(place)].state == .settingUp,
            let first = setUp.pending.first.flatMap({ exchanges[$0] })
        {
            tell(.opened(settingUp: links.settingUp.count - 1), first)
        }
        links.connections[Int(place)].state = state
        links.noteEnding(place) { ($0.opened, $0.quietSince) = (now, now) }
        var waiting = setUp.pending
        if state == .early {
            waiting.removeAll { exchanges[$0]?.request.method.isSafe != true }
            links.settingUp[place]?.pending.removeAll { [waiting] in waiting.contains($0) }
        } else {
            links.settingUp[place] = nil
        }
        for number in waiting {
            guard let exchange = exchanges[number] else { continue }
            passSetUp(setUp, exchange)
            ride(number, exchange, links)
        }
    }

    /// Tells of the parts of a set-up that a request waited for; it may have come later.
    private func passSetUp(_ setUp: ConnectionTable.SetUp, _ exchange: Exchange) {
        var start = setUp.began.nanoseconds
        let spans: [(RequestPart, Int64)] = [
            (.radio, setUp.radio), (.name, setUp.name), (.connect, setUp.connect), (.secure, .max),
        ]
        for (part, span) in spans {
            let end = min(start.clampedSum(span), simulation.now.nanoseconds)
            let waited = end - max(start, exchange.sent.nanoseconds)
            if waited > 0 { tell(.passed(part, nanoseconds: waited), exchange) }
            start = end
        }
    }

    /// No connection came about: everything that waited for it learns so.
    private func failSetUp(_ number: UInt64, _ links: ConnectionTable) {
        guard let place = links.place(number), let setUp = links.settingUp[place],
            let (code, _) = setUp.failure
        else { return }
        links.connections[Int(place)].state = .closing
        links.settingUp[place] = nil
        for (index, number) in setUp.pending.enumerated() {
            guard let exchange = exchanges[number] else { continue }
            if index == 0 { tell(.failed(settingUp: links.settingUp.count), exchange) }
            exchange.stage = .breaking(code)
            end(number, .failure(TransportError(code)))
        }
    }
}
