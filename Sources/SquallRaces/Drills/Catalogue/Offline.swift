extension Drill {
    /// A user signs out in a tunnel.
    public static let signOutOffline = Drill(
        "signOutOffline", "sign-out while offline",
        promise: "Sign-out while offline takes effect on the device and stays in effect.",
        source: "OWASP ASVS 5.0 7.4.1; RFC 7009 §2",
        fix: """
            Delete the tokens first, whether or not the call to the server succeeds. Tell the \
            server later or not at all.
            """,
        needs: [.signOut],
        setting: { $0.goOffline(from: .seconds(60), for: .seconds(120)) }
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        await world.wait(until: .seconds(60))
        world.say("the device is offline")
        try await world.signOut()
        try await world.expectSignedIn(false, "no user is signed in after sign-out")
        await world.wait(until: .seconds(200))
        world.say("the device is online again")
        try await world.expectSignedIn(false, "no user is signed in when back online")
        // A client that has kept a session shows it now.
        try await world.call()
    }.inOneOrder.curing("left")

    /// The app is started without a network, with a token that has expired.
    public static let startOffline = Drill(
        "startOffline", "launch while offline",
        promise: "A launch while offline signs no user out.",
        source: "RFC 6749 §5.2; google/ground-android #1985, aws-sdk-android #496",
        fix: """
            A refresh without a response says nothing about the session: keep the tokens, show \
            stored content and try again with the next call.
            """,
        needs: [.restart],
        setting: { $0.goOffline(from: $0.stale, for: .seconds(60)) }
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        world.kill()
        await world.wait(until: world.setting.stale)
        world.say("the device is offline")
        try world.restart()
        try await world.finish(world.beginCalls(2))
        try await world.expectSignedIn(true, "the user is still signed in while offline")
        await world.wait(until: world.setting.stale + .seconds(70))
        world.say("the device is online again")
        try await world.succeed("calls succeed when the device is online again", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder
}
