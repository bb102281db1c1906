extension Drill {
    /// What the app keeps open is opened again after its token has expired.
    public static let reconnect = Drill(
        "reconnect", "a connection that is opened again",
        promise: "A connection that is opened again shows the token of now.",
        source: "RFC 6750 §3.1; get-convex/convex-swift #16, wireapp/wire-ios-transport #185",
        cure: """
            Ask for the token each time a connection is opened, at the place that all calls ask. \
            Do not keep the one that the first connection was opened with.
            """,
        needs: [.reconnect]
    ) { world in
        try await world.signIn()
        try await world.succeed("a connection is opened") { world.beginReconnect() }
        await world.tokenExpires()
        try await world.succeed("a call on the expired token succeeds")
        world.need(world.far.refreshes > 0, "the client never refreshed")
        try await world.succeed("the connection is opened again") { world.beginReconnect() }
        await world.tokenExpires()
        try await world.succeed("so it is when nothing else has refreshed") {
            world.beginReconnect()
        }
        try await world.expectSignedIn(true, "the person is still signed in")
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
