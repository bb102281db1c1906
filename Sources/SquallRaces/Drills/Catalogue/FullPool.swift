extension Drill {
    /// More calls meet an expired token than a large pool of connections or threads has places;
    /// ``expiredToken`` finds pools of up to eleven, in many orders.
    public static let fullPool = Drill(
        "fullPool", "thirty calls with an expired token",
        promise: "A refresh gets a connection and a thread, however many calls wait for it.",
        source: "square/retrofit #3935; OkHttp, five requests a host; URLSession, six",
        fix: """
            Run the refresh on a queue, session or dispatcher of its own that waiting calls cannot \
            fill. A call that waits should not hold a slot.
            """
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        try await world.succeed("each of the calls succeeds", times: 30)
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }.inOneOrder.curing("hang")
}
