import SquallBackend

extension Drill {
    /// The token expires between two pages of a list.
    public static let pages = Drill(
        "pages", "a list across a refresh",
        promise: "A list shows each item once although its token expires between two pages.",
        source: "RFC 9110 §9.2.1; box-office #13, mastodon-android #435",
        fix: """
            Continue after the page that was requested last, not after the response that arrived \
            last. Retry the page that was rejected and no other.
            """,
        needs: [.list]
    ) { world in
        try await world.signIn()
        let whole = try await world.list()
        for delay in [60, 120, 200] {
            // An expiry that the list before did not meet would be a second one for a call of this.
            try await world.call()
            let shown = try await world.list {
                await world.sleep(.milliseconds(delay))
                world.revokeAccessTokens()
            }
            world.expect(shown == whole, "the list shows each item once, in order")
        }
        world.needRefresh()
        await world.tokenExpires()
        let again = try await world.list()
        world.expect(again == whole, "a list with an expired token shows each item once, in order")
    }

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
        try await world.signIn(until: .seconds(60))
        let before = world.refreshesSent
        try await world.finish(world.beginCall())
        world.need(world.anonymousCalls > 0, "no call followed the redirect without its token")
        let told = world.refreshesSent(after: 401)
        // Who refreshed before the call does so before its retry, too.
        let isAhead = world.refreshesSent - before > told
        world.expect(
            told <= (isAhead ? 2 : 1), "a redirected call causes at most one refresh")
        try await world.expectSignedIn(true, "the user is still signed in")
        try await world.succeed("the next calls succeed", times: 2)
    }.inOneOrder.fixing(.noFalseSignOut, .singleFlight, .staleRefusal)

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
        try await world.signIn(until: .seconds(60))
        try await world.finish(world.beginCall())
        world.need(world.clientWorld.foreignRequests.all > 0, "no call followed the redirect")
        world.expect(
            world.clientWorld.foreignRequests.withToken == 0, "no token is sent to the foreign host"
        )
        try await world.expectSignedIn(true, "the user is still signed in")
        try await world.succeed("the next calls succeed", times: 2)
    }.inOneOrder

    /// A call that changes something is refused because its token has expired.
    public static let writeOnExpired = Drill(
        "writeOnExpired", "a write with an expired token",
        promise: "A write that is rejected for its token is retried and takes effect once.",
        source: "RFC 9110 §9.2.2; RFC 6750 §3.1",
        fix: """
            Retry a write that was rejected before it took effect (401), once and with the same \
            body.
            """,
        needs: [.write]
    ) { world in
        try await world.signInUntilExpiry()
        let writes = [world.beginWrite(), world.beginWrite()]
        try await world.finish(writes)
        world.expectSuccess(writes, "both writes succeed")
        world.expect(
            world.writesDone <= 2, "two writes take effect twice on the server")
    }

    /// The server makes a change, and the response that says so is lost.
    public static let writeAnswerLost = Drill(
        "writeAnswerLost", "a write with a lost response",
        promise: "A write that may have taken effect is not retried automatically.",
        source: "RFC 9110 §9.2.2: no automatic retry of non-idempotent methods",
        fix: """
            Do not retry a POST after a timeout or a broken connection: report that the outcome is \
            unknown. Retry it only with an idempotency key that the server supports.
            """,
        needs: [.write],
        setting: { setting in
            setting.strike(
                setting.calls,
                Fault.answerDropped(.connectionLost).onlyTurns(1...1)
                    .between(.seconds(60), and: .seconds(70)))
        }
    ) { world in
        try await world.signIn(until: .seconds(60))
        try await world.finish(world.beginWrite())
        world.need(world.writesDone > 0, "the write never reached the server")
        world.expect(world.writesDone <= 1, "one write takes effect once on the server")
    }
}
