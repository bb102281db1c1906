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
    }.inOneOrder.curing("session")

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
        try await world.signIn()
        await world.tokenExpires()
        world.lockStorage()
        let before = world.far.refreshes
        try await world.finish(world.beginCall())
        world.need(world.far.refreshes > before, "the client never refreshed")
        await world.sleep(.seconds(10))
        world.unlockStorage()
        try await world.succeed("a call succeeds when the keychain is unlocked")
        await world.sleep(.seconds(5))
        world.kill()
        try world.restart()
        try await world.succeed("a call after launch succeeds")
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder
}
