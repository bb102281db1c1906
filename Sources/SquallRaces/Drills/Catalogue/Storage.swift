extension Drill {
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
        try await world.signIn()
        await world.tokenExpires()
        world.stage.storage?.fail(times: 4)
        world.say("the storage fails")
        try await world.succeed("calls succeed although the storage fails", times: 2)
        world.stage.storage?.fail(times: 0)
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
        world.need(world.far.refreshes > 0, "the client never refreshed")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.curing("session")

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
        try await world.signIn()
        await world.tokenExpires()
        world.stage.storage?.slowDown(to: .milliseconds(500))
        world.say("the storage is slow")
        let first = world.beginCalls(2)
        await world.sleep(.milliseconds(300))
        let calls = first + world.beginCalls(2)
        try await world.finish(calls)
        world.expectSuccess(calls, "each of the calls succeeds")
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }.curing("again", "late")
}
