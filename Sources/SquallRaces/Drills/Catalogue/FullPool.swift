extension Drill {
    /// More calls meet an expired token than a pool of connections or threads has places.
    public static let fullPool = Drill(
        "fullPool", "twelve calls on an expired token",
        promise: "However many calls wait for a refresh, it finds a place.",
        source: "square/retrofit #3935; OkHttp, five requests a host; URLSession, six",
        cure: """
            Give the refresh a place that no waiting call can hold: a queue, a session or a \
            dispatcher of its own. Calls that wait should hold none.
            """
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        try await world.succeed("each of the calls succeeds", times: 12)
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }.inOneOrder.curing("hang")
}
