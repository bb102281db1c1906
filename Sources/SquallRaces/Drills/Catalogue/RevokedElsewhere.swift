extension Drill {
    /// The person has ended the session on another device, long before the token expires.
    public static let revokedElsewhere = Drill(
        "revokedElsewhere", "a session that was ended elsewhere",
        promise: "A session that was ended elsewhere ends here with the next call.",
        source: "RFC 7009 §2.1; OWASP ASVS 5.0 7.4.3",
        cure: """
            Take a refusal by the server as it is, whatever the clock says of the token: refresh, \
            and when that is refused, forget the session and show the sign-in screen.
            """
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        await world.sleep(world.setting.lifetime / 4)
        world.revokeAccessTokens()
        world.revokeRefreshTokens()
        world.say("the session is ended elsewhere")
        let before = world.refusals
        try await world.finish(world.beginCalls(3))
        world.need(world.refusals > before, "no call was refused")
        try await world.expectSignedIn(false, "the person is shown as signed out")
        let requests = world.far.requestCount
        try await world.finish(world.beginCall())
        world.expect(
            world.far.requestCount - requests <= 2, "a call after that costs two requests at most")
        try await world.signIn()
        try await world.succeed("a call succeeds after the person has signed in again")
    }
}
