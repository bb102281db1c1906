extension Drill {
    /// The app is started while the phone is locked, as by a push or in the background.
    public static let lockedAtStart = Drill(
        "lockedAtStart", "a locked keychain at launch",
        promise: "A launch with a locked keychain signs no user out.",
        source: """
            Apple, errSecInteractionNotAllowed; react-native-keychain #558, stytch-ios #154
            """,
        fix: """
            Distinguish a keychain that cannot be read from an empty one: delete nothing, show no \
            sign-in screen, and read it again with the next call or after the unlock.
            """,
        needs: [.restart, .storage]
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        world.kill()
        world.lockStorage()
        // A client that cannot be made now is made when the user opens the app.
        let hasStarted = (try? world.restart()) != nil
        if hasStarted { try await world.finish(world.beginCall()) }
        await world.sleep(.seconds(10))
        world.unlockStorage()
        if !hasStarted { try world.restart() }
        try await world.succeed("a call succeeds when the keychain is unlocked")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder.fixing(.noFalseSignOut)

    /// A refresh in the background cannot store its tokens, and the app is killed later.
    public static let lockedThenKilled = Drill(
        "lockedThenKilled", "a locked keychain during a refresh, then killed",
        promise: "Tokens that could not be stored are stored when the keychain is unlocked.",
        source: "Apple, errSecInteractionNotAllowed; TomBursch/kitchenowl #1042",
        fix: """
            Remember that the newest tokens are not stored and retry the write with each call \
            until it succeeds. Until then, the stored refresh token is one that the server has \
            replaced.
            """,
        needs: [.restart, .storage]
    ) { world in
        try await world.signInUntilExpiry()
        world.lockStorage()
        let before = world.history.refreshesReceived
        try await world.finish(world.beginCall())
        world.need(world.history.refreshesReceived > before, "the client never refreshed")
        await world.sleep(.seconds(10))
        world.unlockStorage()
        try await world.succeed("a call succeeds when the keychain is unlocked")
        await world.sleep(.seconds(5))
        try world.relaunch()
        try await world.succeed("a call after launch succeeds")
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder

    /// The device's storage fails while a refresh ends.
    public static let storageFails = Drill(
        "storageFails", "storage that fails",
        promise: "Tokens that could not be stored are used anyway.",
        source: "Apple, errSecInteractionNotAllowed; firebase-ios-sdk #14067",
        fix: """
            Keep the new tokens in memory whether or not the write succeeds. Store them again with \
            the next refresh, and never sign out because the keychain is locked.
            """,
        needs: [.storage]
    ) { world in
        try await world.signInUntilExpiry()
        world.clientWorld.storage?.fail(times: 4)
        world.say("the storage fails")
        try await world.succeed("calls succeed although the storage fails", times: 2)
        world.clientWorld.storage?.fail(times: 0)
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
        world.needRefresh()
        try await world.expectSignedIn(true, "the user is still signed in")
    }.fixing(.noFalseSignOut)

    /// The device's storage takes half a second.
    public static let storageSlow = Drill(
        "storageSlow", "storage that is slow",
        promise: "An expired token is refreshed once, however long storing takes.",
        source: "RFC 9700 §4.14.2; logto-io/swift #60",
        fix: """
            Treat a refresh as in flight until its tokens are stored. Calls that arrive meanwhile \
            wait for it.
            """,
        needs: [.storage]
    ) { world in
        try await world.signInUntilExpiry()
        world.clientWorld.storage?.slowDown(to: .milliseconds(500))
        world.say("the storage is slow")
        let first = world.beginCalls(2)
        await world.sleep(.milliseconds(300))
        let calls = first + world.beginCalls(2)
        try await world.finish(calls)
        world.expectSuccess(calls, "each of the calls succeeds")
        world.needRefresh()
    }.fixing(.singleFlight, .staleRefusal)

    /// The device's clock is an hour ahead.
    public static let clockAhead = Drill(
        "clockAhead", "a clock one hour ahead",
        promise: "A clock that is ahead causes at most one refresh, not one for each call.",
        source: "RFC 6749 §5.1 expires_in; matrix-authentication-service #4224",
        fix: clockFix, needs: [.clock]
    ) { world in
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        world.setClock(aheadBy: .seconds(3_600))
        world.say("the clock is an hour ahead")
        try await world.fewCalls("with a valid token")
        world.expect(
            world.history.refreshesReceived <= 1,
            "five calls with a valid token cause at most one refresh")
    }.inOneOrder.fixing(.singleFlight, .staleRefusal)

    /// The device's clock is an hour behind.
    public static let clockBehind = Drill(
        "clockBehind", "a clock one hour behind",
        promise: "A clock that is behind hides no expiry: the server's rejection counts.",
        source: "RFC 6750 §3.1 invalid_token; gotrue-swift #55",
        fix: clockFix, needs: [.clock]
    ) { world in
        world.setClock(aheadBy: .seconds(-3_600))
        world.say("the clock is an hour behind")
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        await world.tokenExpires()
        try await world.fewCalls("with an expired token")
        world.expect(world.history.refreshesReceived <= 1, "one expiry causes one refresh")
    }.inOneOrder.fixing(.singleFlight, .staleRefusal)

    /// The clock is set back by a day while a token lives.
    public static let clockSetBack = Drill(
        "clockSetBack", "a clock set back by a day",
        promise: "After the clock is set back by a day, an expired token is still detected.",
        source: "RFC 6750 §3.1 invalid_token; RFC 6749 §5.1 expires_in",
        fix: clockFix, needs: [.clock]
    ) { world in
        try await world.signIn()
        guard try await world.isQuiet() else { return }
        world.setClock(aheadBy: .seconds(-86_400))
        world.say("the clock is set back by a day")
        await world.tokenExpires()
        try await world.fewCalls("with an expired token")
        world.expect(world.history.refreshesReceived <= 1, "one expiry causes one refresh")
    }.inOneOrder.fixing(.singleFlight, .staleRefusal)

    private static let clockFix = """
        Compute the expiry from expires_in with a monotonic clock. Treat a rejection by the server \
        as an expiry, whatever the local clock says.
        """
}

extension DrillWorld {
    /// False if a good token costs refreshes before the clock is changed: then the clock is not
    /// what is wrong.
    fileprivate func isQuiet() async throws -> Bool {
        try await fewCalls("with a valid token", 2)
        let isQuiet = history.refreshesReceived == 0
        need(isQuiet, "the client refreshes a valid token whatever the clock says")
        return isQuiet
    }

    fileprivate func fewCalls(_ word: String, _ count: Int = 5) async throws {
        for _ in 1...count {
            expectSuccess([try await call()], "a call \(word) succeeds")
            await sleep(.seconds(1))
        }
    }
}
