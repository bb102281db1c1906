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
}
