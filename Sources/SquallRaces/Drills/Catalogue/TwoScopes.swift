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
    ) { room in
        try await room.signIn()
        await room.tokenExpires()
        let calls = [room.beginCall(), room.beginOtherScope()]
        try await room.finish(calls)
        room.need(room.far.refreshes > 0, "the client never refreshed")
        room.expectSuccess(calls, "calls of both scopes succeed")
    }

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
    ) { room in
        try await room.signIn()
        let early = [try await room.call()] + [room.beginOtherScope()]
        try await room.finish(early)
        await room.wait(until: room.setting.stale)
        let before = room.far.refreshes
        let first = room.beginCall()
        await room.sleep(.milliseconds(300))
        let second = room.beginOtherScope()
        try await room.finish(first, second)
        room.need(room.far.refreshes > before, "the client never refreshed")
        room.expectSuccess([first, second], "calls of both scopes succeed")
        try await room.expectSignedIn(true, "the person is still signed in")
    }
}
