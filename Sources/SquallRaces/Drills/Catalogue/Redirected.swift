extension Drill {
    /// The API redirects a call to another host of its own, and the header is lost on the way.
    public static let redirectDropsToken = Drill(
        "redirectDropsToken", "a redirect that drops the token",
        promise: "A 401 after a redirect that dropped the token signs no user out.",
        source: "WHATWG Fetch, redirect step 13; mrwuss/p21-api-documentation #142",
        fix: """
            Set the Authorization header again when a redirect stays on the API's hosts. A 401 to \
            a request without a token says nothing about the session.
            """,
        needs: [.failureHeaders, .hosts],
        setting: { $0.redirect(to: ServerConfiguration.otherHost, from: .seconds(60)) }
    ) { world in
        world.permitAnonymous()
        try await world.signIn()
        await world.wait(until: .seconds(60))
        let before = world.refreshesSent
        try await world.finish(world.beginCall())
        world.need(world.anonymousCalls > 0, "no call followed the redirect without its token")
        world.expect(
            world.refreshesSent - before <= 1, "a redirected call causes at most one refresh")
        try await world.expectSignedIn(true, "the user is still signed in")
        try await world.succeed("the next calls succeed", times: 2)
    }.inOneOrder.curing("session", "again", "late")

    /// The API redirects a call to a host of another company.
    public static let redirectLeaksToken = Drill(
        "redirectLeaksToken", "a redirect to a foreign host",
        promise: "A redirect to a foreign host carries no token.",
        source: "WHATWG Fetch, redirect step 13; golang/oauth2 #805, adobe/fetch #447",
        fix: """
            Add the token only to requests to the API's own hosts. When you follow a redirect, \
            compare scheme, host and port with those the token was issued for.
            """,
        needs: [.failureHeaders, .hosts],
        setting: { $0.redirect(to: ServerConfiguration.foreignHost, from: .seconds(60)) }
    ) { world in
        world.permitAnonymous()
        try await world.signIn()
        await world.wait(until: .seconds(60))
        try await world.finish(world.beginCall())
        world.need(world.stage.foreignRequests.all > 0, "no call followed the redirect")
        world.expect(
            world.stage.foreignRequests.withToken == 0, "no token is sent to the foreign host")
        try await world.expectSignedIn(true, "the user is still signed in")
        try await world.succeed("the next calls succeed", times: 2)
    }.inOneOrder
}
