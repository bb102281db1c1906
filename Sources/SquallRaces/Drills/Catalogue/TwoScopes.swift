import SquallBackend

extension Drill {
    /// Two access tokens that one refresh token buys expire together.
    public static let twoScopes = Drill(
        "twoScopes", "two scopes, one refresh token",
        promise: "Tokens of two scopes that expire together are refreshed one after the other.",
        source: "RFC 6749 §6; RFC 8707; logto-io/swift #118",
        fix: """
            Allow one refresh at a time to use the refresh token, whatever its scope. The next one \
            uses the token from the previous response.
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
        "scopeMeanwhile", "a second scope during a refresh of the first",
        promise: "A refresh for a second scope waits until the refresh token is free.",
        source: "RFC 6749 §6; RFC 9700 §4.14.2; logto-io/swift #118",
        fix: """
            Read the refresh token when the exchange starts, not when the call does. Allow only \
            one exchange in flight, whatever started it.
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
        try await world.expectSignedIn(true, "the user is still signed in")
    }.curing("again", "late")
}
