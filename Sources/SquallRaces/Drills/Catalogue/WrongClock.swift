extension Drill {
    /// The device's clock is an hour ahead.
    public static let clockAhead = Drill(
        "clockAhead", "a clock one hour ahead",
        promise: "A clock that is ahead causes at most one refresh, not one for each call.",
        source: "RFC 6749 §5.1 expires_in; matrix-authentication-service #4224",
        fix: clockCure, needs: [.clock]
    ) { world in
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        world.setClock(aheadBy: .seconds(3_600))
        world.say("the clock is an hour ahead")
        try await world.fewCalls("with a valid token")
        world.expect(
            world.far.refreshes <= 1, "five calls with a valid token cause at most one refresh")
    }.inOneOrder.curing("again", "late")

    /// The device's clock is an hour behind.
    public static let clockBehind = Drill(
        "clockBehind", "a clock one hour behind",
        promise: "A clock that is behind hides no expiry: the server's rejection counts.",
        source: "RFC 6750 §3.1 invalid_token; gotrue-swift #55",
        fix: clockCure, needs: [.clock]
    ) { world in
        world.setClock(aheadBy: .seconds(-3_600))
        world.say("the clock is an hour behind")
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        await world.tokenExpires()
        try await world.fewCalls("with an expired token")
        world.expect(world.far.refreshes <= 1, "one expiry causes one refresh")
    }.inOneOrder.curing("again", "late")

    /// The clock is set back by a day while a token lives.
    public static let clockSetBack = Drill(
        "clockSetBack", "a clock set back by a day",
        promise: "After the clock is set back by a day, an expired token is still detected.",
        source: "RFC 6750 §3.1 invalid_token; RFC 6749 §5.1 expires_in",
        fix: clockCure, needs: [.clock]
    ) { world in
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        world.setClock(aheadBy: .seconds(-86_400))
        world.say("the clock is set back by a day")
        await world.tokenExpires()
        try await world.fewCalls("with an expired token")
        world.expect(world.far.refreshes <= 1, "one expiry causes one refresh")
    }.inOneOrder.curing("again", "late")

    private static let clockCure = """
        Compute the expiry from expires_in with a monotonic clock. Treat a rejection by the server \
        as an expiry, whatever the local clock says.
        """
}

extension DrillWorld {
    /// Whether a good token costs no refreshes before its clock can have anything to do with it;
    /// where it does, the clock is not what is wrong.
    fileprivate func isQuiet() async throws -> Bool {
        try await fewCalls("with a valid token", 2)
        let isQuiet = far.refreshes == 0
        need(isQuiet, "the client refreshes a valid token whatever the clock says")
        return isQuiet
    }

    /// Calls, one after the other.
    fileprivate func fewCalls(_ word: String, _ count: Int = 5) async throws {
        for _ in 1...count {
            expectSuccess([try await call()], "a call \(word) succeeds")
            await sleep(.seconds(1))
        }
    }
}
