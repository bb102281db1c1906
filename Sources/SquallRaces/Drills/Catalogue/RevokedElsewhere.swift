extension Drill {
    /// The user has ended the session on another device, long before the token expires.
    public static let revokedElsewhere = Drill(
        "revokedElsewhere", "a session ended on another device",
        promise: "A session that was ended on another device ends here with the next call.",
        source: "RFC 7009 §2.1; OWASP ASVS 5.0 7.4.3",
        fix: """
            Trust the server's rejection whatever the local expiry time says: refresh, and if that \
            is rejected, delete the session and show the sign-in screen.
            """
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        await world.sleep(world.setting.lifetime / 4)
        world.revokeAccessTokens()
        world.revokeRefreshTokens()
        world.say("the session is ended on another device")
        let before = world.refusals
        try await world.finish(world.beginCalls(3))
        world.need(world.refusals > before, "no call was rejected")
        try await world.expectSignedIn(false, "the user is shown as signed out")
        let requests = world.far.requestCount
        try await world.finish(world.beginCall())
        world.expect(
            world.far.requestCount - requests <= 2, "the next call causes at most two requests")
        try await world.signIn()
        try await world.succeed("a call succeeds after the user signs in again")
    }
}
