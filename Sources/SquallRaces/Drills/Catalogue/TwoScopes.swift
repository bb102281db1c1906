import SquallBackend

extension Drill {
    /// Two access tokens that one refresh token buys expire together.
    public static let twoScopes = Drill(
        "twoScopes", "two scopes, one refresh token",
        promise: "Tokens of two scopes that expire together are refreshed one after the other.",
        source: "RFC 6749 §6; RFC 8707; logto-io/swift #118",
        cure: """
            Let one refresh at a time have the refresh token, whatever scope it is for. The next \
            one shows what the one before has brought.
            """,
        needs: [.otherScope],
        servers: [.strict, .leeway, .oneShot]
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        let calls = [world.beginCall(), world.beginOtherScope()]
        try await world.finish(calls)
        world.need(world.far.refreshes > 0, "the client never refreshed")
        world.expectSuccess(calls, "calls of both scopes succeed")
    }.curing("again", "late")

    /// A call of another scope is made while the first scope's refresh is under way.
    public static let scopeMeanwhile = Drill(
        "scopeMeanwhile", "a second scope while the first is refreshed",
        promise: "A refresh for another scope waits for the one that has the refresh token.",
        source: "RFC 6749 §6; RFC 9700 §4.14.2; logto-io/swift #118",
        cure: """
            Read the refresh token when the exchange begins, not when the call does. Let only one \
            exchange be under way, whatever asked for it.
            """,
        needs: [.otherScope],
        servers: [.strict, .leeway, .oneShot],
        setting: { setting in
            setting.answerRefreshLate(by: .milliseconds(500), for: .seconds(20))
        }
    ) { world in
        try await world.signIn()
        let early = [try await world.call()] + [world.beginOtherScope()]
        try await world.finish(early)
        await world.wait(until: world.setting.stale)
        let before = world.far.refreshes
        let first = world.beginCall()
        await world.sleep(.milliseconds(300))
        let second = world.beginOtherScope()
        try await world.finish(first, second)
        world.need(world.far.refreshes > before, "the client never refreshed")
        world.expectSuccess([first, second], "calls of both scopes succeed")
        try await world.expectSignedIn(true, "the person is still signed in")
    }.curing("again", "late")
}
