import SquallBackend

extension Drill {
    /// The phone leaves Wi-Fi while the response to a refresh is under way, and has no network for
    /// three seconds.
    public static let handoverInRefresh = Drill(
        "handoverInRefresh", "a handover during a refresh",
        promise: """
            A refresh that a change of networks interrupts signs no user out while the server \
            accepts the old refresh token; otherwise the user can sign in again.
            """,
        source: "RFC 9700 §4.14.2; Apple, NSURLErrorNetworkConnectionLost",
        fix: """
            Treat networkConnectionLost and notConnectedToInternet of a refresh as one that did \
            not happen: keep the tokens and use the old refresh token again with the next call.
            """,
        needs: [.connections], setting: { $0.connect(.http2) }
    ) { world in
        try await world.signInUntilExpiry()
        let calls = world.beginCalls(2)
        guard await world.refreshComes({ $0.refreshesReceived }) else { return }
        world.changeNetworks(withoutFor: .seconds(3))
        try await world.finish(calls)
        try await world.finish(world.beginCalls(1))
        await world.sleep(.seconds(4))
        try await world.expectRecovery()
    }.fixing(.singleFlight, .noFalseSignOut)

    /// The phone changes networks while the response to a write is under way.
    public static let handoverInWrite = Drill(
        "handoverInWrite", "a handover during a write",
        promise: "A write that a change of networks interrupts is not retried automatically.",
        source: "RFC 9110 §9.2.2: no automatic retry of non-idempotent methods",
        fix: """
            Do not retry a POST after networkConnectionLost: report that the outcome is unknown. \
            Retry it only with an idempotency key that the server supports.
            """,
        needs: [.write, .connections],
        // A PUT would be repeated by the phone's network, which is right.
        setting: { $0.connect(.http2, repeats: .goAway) }
    ) { world in
        try await world.signIn(until: .seconds(60))
        let write = world.beginWrite()
        await world.wait(upTo: 100) { world.writesDone > 0 }
        world.need(write.ended == nil, "the write had ended before the handover")
        world.changeNetworks()
        try await world.finish(write)
        world.need(world.writesDone > 0, "the write never reached the server")
        world.expect(world.writesDone <= 1, "one write takes effect once on the server")
    }

    /// A connection of HTTP/1.1 dies while it carries the response to a refresh.
    public static let refreshOnDeadConnection = dying(
        "refreshOnDeadConnection", "a connection that dies under a refresh", .http1)

    /// A connection of HTTP/2 dies with the response to a refresh and another call on it, which the
    /// phone's network sends again with the old token.
    public static let refreshOnDeadStreams = dying(
        "refreshOnDeadStreams", "streams that die under a refresh", .http2)

    private static func dying(
        _ id: String, _ name: String, _ carrier: ConnectionPlan.Carrier
    ) -> Drill {
        Drill(
            id, name,
            promise: """
                If the server still accepts the old refresh token, a connection that dies with the \
                response signs no user out; otherwise the user can sign in again.
                """,
            source: "RFC 9113 §6.8; RFC 9110 §9.2.2; RFC 9700 §4.14.2",
            fix: """
                Fail or retry the calls of a dead connection one by one, and refresh again once \
                with the old token. Sign out only when the server rejects it.
                """,
            needs: [.connections],
            setting: { setting in
                setting.connect(carrier)
                setting.strike(
                    setting.refreshes,
                    Fault.answerDropped(.connectionLost).onlyTurns(1...1)
                        .between(.seconds(60), and: setting.stale + .seconds(20)))
                // One that is under way beside the refresh.
                setting.strike(
                    setting.calls, Fault.answerLate(by: .seconds(2)).onlyTurns(1...1))
            }
        ) { world in
            try await world.signIn()
            await world.wait(until: world.setting.lifetime - .seconds(1))
            let early = world.beginCall()
            await world.sleep(.seconds(2))
            let calls = world.beginCalls(2)
            try await world.finish([early] + calls)
            world.needRefresh("the client did not refresh")
            await world.sleep(.seconds(2))
            try await world.expectRecovery()
        }.fixing(.singleFlight, .noFalseSignOut)
    }

    /// The server says GOAWAY while a refresh is on its way to it, which it has not processed.
    public static let goAwayInRefresh = Drill(
        "goAwayInRefresh", "GOAWAY before a refresh arrives",
        promise: "A refresh that a GOAWAY leaves unprocessed is repeated, and signs no user out.",
        source: "RFC 9113 §6.8",
        fix: """
            Keep the tokens when a refresh fails without a response, and refresh again with the \
            next call: the server has not seen the first one.
            """,
        needs: [.connections],
        setting: { $0.connect(.http2, repeats: .never) }
    ) { world in
        try await world.signInUntilExpiry()
        let before = world.history.refreshesReceived
        let calls = world.beginCalls(3)
        guard await world.refreshComes({ _ in world.refreshesSent }) else { return }
        world.need(world.history.refreshesReceived == before, "the refresh came before the GOAWAY")
        world.say("the server reloads")
        world.clientWorld.backend.beginFault(.restart(isReload: true))
        try await world.finish(calls)
        await world.sleep(.seconds(2))
        try await world.succeed("the next calls succeed", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in")
    }.fixing(.noFalseSignOut)
}

extension ServerConfiguration {
    /// Lets connections be set up that never end by themselves.
    fileprivate mutating func connect(
        _ carrier: ConnectionPlan.Carrier, repeats: ConnectionPlan.Repeats = .idempotent
    ) {
        var plan = ConnectionPlan.standard
        (plan.carrier, plan.repeats) = (carrier, repeats)
        connections = plan
    }
}

extension DrillWorld {
    /// Moves the phone to another network, on which there is nothing for a while; what is open is
    /// lost, where the setting has connections.
    public func changeNetworks(withoutFor gap: Duration = .zero) {
        say("the phone changes networks")
        clientWorld.backend.beginFault(.handover())
        if gap > .zero {
            clientWorld.backend.beginFault(.offline().between(.zero, and: gap))
        }
    }

    /// Waits until something is true, for this many hundredths of a second at most.
    fileprivate func wait(upTo count: Int, until isTrue: () -> Bool) async {
        for _ in 0..<count where !isTrue() { await sleep(.milliseconds(10)) }
    }

    /// Waits until the count of refreshes grows; `false` where none comes.
    fileprivate func refreshComes(_ count: (History) -> Int) async -> Bool {
        let before = count(history)
        await wait(upTo: 100) { count(history) > before }
        need(count(history) > before, "the client did not refresh")
        return count(history) > before
    }

    /// Checks that calls succeed where the server still accepts the old refresh token, and that the
    /// user can sign in again where it does not.
    func expectRecovery() async throws {
        guard setting.server.takesTokenAgain else {
            try await call()
            return try await signInAgain()
        }
        try await succeed("the next call refreshes again and succeeds")
        try await expectSignedIn(true, "the user is still signed in")
    }
}
