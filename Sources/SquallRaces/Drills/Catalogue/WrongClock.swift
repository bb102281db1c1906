extension Drill {
    /// The device's clock is an hour ahead.
    public static let clockAhead = Drill(
        "clockAhead", "a clock that is an hour ahead",
        promise: "A clock that is ahead costs one refresh at most, not one for each call.",
        source: "RFC 6749 §5.1 expires_in; matrix-authentication-service #4224",
        cure: clockCure
    ) { world in
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        world.setClock(aheadBy: .seconds(3_600))
        world.say("the clock is an hour ahead")
        try await world.fewCalls("on a good token")
        world.expect(
            world.far.refreshes <= 1, "five calls on a good token cost one refresh at most")
    }.inOneOrder.curing("again", "late")

    /// The device's clock is an hour behind.
    public static let clockBehind = Drill(
        "clockBehind", "a clock that is an hour behind",
        promise: "A clock that is behind hides no expiry: what the server says counts.",
        source: "RFC 6750 §3.1 invalid_token; gotrue-swift #55",
        cure: clockCure
    ) { world in
        world.setClock(aheadBy: .seconds(-3_600))
        world.say("the clock is an hour behind")
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        await world.tokenExpires()
        try await world.fewCalls("on an expired token")
        world.expect(world.far.refreshes <= 1, "one expiry costs one refresh")
    }.inOneOrder.curing("again", "late")

    /// The clock is set back by a day while a token lives.
    public static let clockSetBack = Drill(
        "clockSetBack", "a clock that is set back",
        promise: "After the clock was set back a day, an expired token is still found out.",
        source: "RFC 6750 §3.1 invalid_token; RFC 6749 §5.1 expires_in",
        cure: clockCure
    ) { world in
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        world.setClock(aheadBy: .seconds(-86_400))
        world.say("the clock is set back by a day")
        await world.tokenExpires()
        try await world.fewCalls("on an expired token")
        world.expect(world.far.refreshes <= 1, "one expiry costs one refresh")
    }.inOneOrder.curing("again", "late")

    private static let clockCure = """
        Work out the end of a token's life from expires_in and a clock that nobody can set. Take a \
        refusal by the server as an expiry whatever your clock says.
        """
}

extension DrillWorld {
    /// Whether a good token costs no refreshes before its clock can have anything to do with it;
    /// where it does, the clock is not what is wrong.
    fileprivate func isQuiet() async throws -> Bool {
        try await fewCalls("on a good token", 2)
        let isQuiet = far.refreshes == 0
        need(isQuiet, "the client refreshes a good token whatever the clock says")
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
