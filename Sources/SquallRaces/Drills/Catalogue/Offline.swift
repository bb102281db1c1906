extension Drill {
    /// A person signs out in a tunnel.
    public static let signOutOffline = Drill(
        "signOutOffline", "a sign-out without a network",
        promise: "A sign-out without a network signs out here, and stays one.",
        source: "OWASP ASVS 5.0 7.4.1; RFC 7009 §2",
        cure: """
            Forget and erase the tokens first, whatever becomes of the call that tells the server. \
            Tell it again later, or never.
            """,
        needs: [.signOut],
        setting: { $0.goOffline(from: .seconds(60), for: .seconds(120)) }
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        await world.wait(until: .seconds(60))
        world.say("the network is gone")
        try await world.signOut()
        try await world.expectSignedIn(false, "nobody is signed in after the sign-out")
        await world.wait(until: .seconds(200))
        world.say("the network is back")
        try await world.expectSignedIn(false, "nobody is signed in when the network is back")
        // A client that has kept a session shows it now.
        try await world.call()
    }.inOneOrder.curing("left")

    /// The app is started without a network, with a token that has expired.
    public static let startOffline = Drill(
        "startOffline", "a start without a network",
        promise: "A start without a network signs nobody out.",
        source: "RFC 6749 §5.2; google/ground-android #1985, aws-sdk-android #496",
        cure: """
            A refresh without an answer says nothing about the session: keep the tokens, show what \
            is stored, and try again with the next call.
            """,
        needs: [.restart],
        setting: { $0.goOffline(from: $0.stale, for: .seconds(60)) }
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        world.kill()
        await world.wait(until: world.setting.stale)
        world.say("the network is gone")
        try world.restart()
        try await world.finish(world.beginCalls(2))
        try await world.expectSignedIn(true, "the person is still signed in without a network")
        await world.wait(until: world.setting.stale + .seconds(70))
        world.say("the network is back")
        try await world.succeed("calls succeed when the network is back", times: 2)
        try await world.expectSignedIn(true, "the person is still signed in")
    }.inOneOrder
}
