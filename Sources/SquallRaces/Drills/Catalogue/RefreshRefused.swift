import SquallBackend

extension Drill {
    /// The server has ended the session.
    public static let refreshRefused = Drill(
        "refreshRefused", "a refresh that is rejected",
        promise: "When the session has ended, every call ends and the user can sign in again.",
        source: "RFC 6749 §5.2 invalid_grant; SalesforceMobileSDK-iOS #63",
        fix: """
            Pass the rejection to every call that waits for the refresh and delete the tokens \
            once. Do not refresh again with a rejected token.
            """
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        world.stage.revokeRefreshTokens()
        // A client that has renewed its token before the expiry meets the refusal, too.
        world.revokeAccessTokens()
        try await world.finish(world.beginCalls(3))
        let refused = world.far.refusedRefreshes
        world.need(refused > 0, "the client did not refresh")
        try await world.expectSignedIn(false, "the user is shown as signed out")
        try await world.finish(world.beginCalls(2))
        world.expect(
            world.far.refusedRefreshes <= refused + 1,
            "a rejected refresh token is not sent again")
        try await world.signIn()
        try await world.succeed("a call succeeds after the user signs in again")
    }
}
