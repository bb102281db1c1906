extension Drill {
    /// What the app keeps open is opened again after its token has expired.
    public static let reconnect = Drill(
        "reconnect", "a reconnection",
        promise: "A connection that is reopened uses the current token.",
        source: "RFC 6750 §3.1; get-convex/convex-swift #16, wireapp/wire-ios-transport #185",
        fix: """
            Ask for the token each time a connection opens, in the same place as all calls. Do not \
            keep the token of the first connection.
            """,
        needs: [.reconnect]
    ) { world in
        try await world.signIn()
        try await world.succeed("a connection opens") { world.beginReconnect() }
        await world.tokenExpires()
        try await world.succeed("a call with the expired token succeeds")
        world.need(world.far.refreshes > 0, "the client never refreshed")
        try await world.succeed("the connection reopens") { world.beginReconnect() }
        await world.tokenExpires()
        try await world.succeed("the connection reopens with an expired token") {
            world.beginReconnect()
        }
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder
}

extension DrillWorld {
    /// Does something, and checks that it succeeds.
    fileprivate func succeed(_ sentence: String, _ begin: () -> DrillAct) async throws {
        let act = begin()
        try await finish(act)
        expectSuccess([act], sentence)
    }
}
