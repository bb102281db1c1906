extension Drill {
    /// More calls meet an expired token than a pool of connections or threads has places.
    public static let fullPool = Drill(
        "fullPool", "twelve calls with an expired token",
        promise: "A refresh gets a connection and a thread, however many calls wait for it.",
        source: "square/retrofit #3935; OkHttp, five requests a host; URLSession, six",
        cure: """
            Run the refresh on a queue, session or dispatcher of its own that waiting calls cannot \
            fill. A call that waits should not hold a slot.
            """
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        try await world.succeed("each of the calls succeeds", times: 12)
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }.inOneOrder.curing("hang")
}
