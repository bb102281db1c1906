import SquallBackend

extension Drill {
    /// Some calls at once, all with an access token that has expired.
    public static let expiredToken = Drill(
        "expiredToken", "calls with an expired token",
        promise: """
            An expired token is refreshed once, however many calls use it, and every call \
            succeeds.
            """,
        source: "RFC 6749 §6; RFC 9700 §4.14.2; logto-io/swift #60, firebase-ios-sdk #15474",
        fix: """
            Keep the refresh that is in flight and let every call that needs one wait for it. \
            Before a refresh starts, check that the rejected token is still the current one.
            """
    ) { world in
        try await world.signInUntilExpiry()
        try await world.succeed("each of the calls succeeds", times: DrillWorld.manyCalls)
        try await world.expectSignedIn(true, "the user is still signed in")
        world.needRefresh()
    }.fixing(.singleFlight, .staleRefusal)

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
        try await world.signInUntilExpiry()
        try await world.succeed("each of the calls succeeds", times: 30)
        world.needRefresh()
    }.inOneOrder.fixing(.everythingEnds)

    /// The token that a refresh has brought expires too, and the next one.
    public static let nextExpiries = Drill(
        "nextExpiries", "the second and third expiry",
        promise: """
            Every expiry is refreshed once, with the refresh token from the previous refresh.
            """,
        source: "RFC 6749 §6; RFC 9700 §4.14.2; p2/OAuth2 #75",
        fix: """
            Replace the refresh token with the one in the response. Clear every trace of a \
            completed refresh, such as a flag.
            """
    ) { world in
        try await world.signIn()
        for number in 1...3 {
            await world.tokenExpires()
            try await world.succeed("calls with expired token \(number) succeed", times: 2)
            world.needRefresh()
        }
        try await world.expectSignedIn(true, "the user is still signed in")
    }.fixing(.singleFlight)

    /// The response to a refresh has no refresh token: the old one is still good.
    public static let noNewRefreshToken = Drill(
        "noNewRefreshToken", "refresh responses without a refresh token",
        promise: "A refresh response without a refresh token leaves the current one in place.",
        source: "RFC 6749 §6; forgerock-ios-sdk #59, okta-mobile-swift #49",
        fix: """
            Decode the refresh token as optional and keep the current one when it is missing. \
            Never store an empty token.
            """,
        needs: [.omission], servers: [.lenient]
    ) { world in
        try await world.signIn()
        for _ in 1...2 {
            await world.tokenExpires()
            try await world.succeed("a call with an expired token succeeds")
        }
        world.needRefresh()
    }

    /// Tokens live a minute, which is less than many clients refresh ahead of time.
    public static let shortLived = Drill(
        "shortLived", "a token that lives one minute",
        promise: "Calls with a valid token cause at most one refresh, however short its lifetime.",
        source: "RFC 6749 §5.1 expires_in; one-covenant/basilica #554, nuclia/frontend #2771",
        fix: """
            Refresh ahead of expiry by a share of the lifetime in the response, not by a fixed \
            time: if that time exceeds the lifetime, every token is due at once.
            """,
        setting: { $0.tokens.accessLifetimeNanoseconds = 60_000_000_000 }
    ) { world in
        try await world.signIn()
        for _ in 1...5 {
            world.expectSuccess([try await world.call()], "a call on a good token succeeds")
            await world.sleep(.seconds(1))
        }
        world.expect(
            world.refreshesSent <= 1, "five calls with a valid token cause at most one refresh")
    }.inOneOrder.fixing(.staleRefusal, .singleFlight)

    /// Tokens live shorter than a request takes to the server.
    public static let shortToken = Drill(
        "shortToken", "a token that expires within a round trip",
        promise: "A call that is rejected again with a new token ends: there is no refresh loop.",
        source: "RFC 6750 §3.1; Alamofire #2690, supertokens-ios #66",
        fix: replayFix, setting: { $0.tokens.accessLifetimeNanoseconds = 20_000_000 }
    ) { world in
        try await world.signIn()
        let before = world.history.requestsSent
        try await world.finish(world.beginCalls(2))
        world.expect(
            world.history.requestsSent - before <= 16, "two calls cause at most 16 requests")
    }

    /// The server responds to every token that it has expired, fresh ones included.
    public static let alwaysExpired = Drill(
        "alwaysExpired", "a server that rejects every token",
        promise: "A call that is rejected again with a new token ends: there is no refresh loop.",
        source: "RFC 6750 §3.1; Alamofire #2690, supertokens-ios #66",
        fix: replayFix,
        setting: { setting in
            setting.strike(
                setting.calls,
                Fault.outage(
                    status: setting.client.expiredStatus, from: .seconds(60),
                    for: .seconds(86_400)))
        }
    ) { world in
        try await world.signIn(until: .seconds(60))
        let before = world.history.requestsSent
        let calls = world.beginCalls(2)
        try await world.finish(calls)
        world.expect(
            world.history.requestsSent - before <= 16, "two calls cause at most 16 requests")
        world.expectRejection(of: calls)
    }

    private static let replayFix = """
        Retry a call once, with the token from the refresh. If it is rejected again, fail it with \
        the server's error.
        """

    /// Two calls are refused, and the refusal of one arrives long after the other has refreshed.
    public static let lateRefusal = Drill(
        "lateRefusal", "a rejection that arrives late",
        promise: """
            A late rejection of a token that was already replaced causes a retry, not a refresh.
            """,
        source: "RFC 6750 §3.1; RFC 9700 §4.14.2; home-assistant/iOS #1300",
        fix: """
            Remember which token each call was sent with. If the call is rejected and the current \
            token is a different one, retry with it; refresh only if it is the same.
            """,
        setting: { setting in
            let late = Fault.answerLate(by: .milliseconds(600)).onlyTurns(2...2)
                .between(.seconds(60), and: .seconds(62))
            setting.strike(setting.calls, late)
        }
    ) { world in
        try await world.signIn(until: .seconds(60))
        world.revokeAccessTokens()
        try await world.finish(world.beginCalls(2))
        try await world.expectSignedIn(true, "the user is still signed in after a rejection")
        world.need(world.refusals > 1, "no call was rejected after another call had refreshed")
        world.needRefresh("the client does not refresh when a call is rejected")
    }.fixing(.singleFlight, .staleRefusal)

    /// A refresh ends the token that a call under way carries.
    public static let revokedUnderWay = Drill(
        "revokedUnderWay", "a call in flight while its token is replaced",
        promise: "A call is retried with the new token if its token is replaced in flight.",
        source: "RFC 6749 §6; RFC 6750 §3.1",
        fix: """
            Compare the token of the rejected call with the current one. If they differ, retry \
            without another refresh.
            """,
        needs: [.refresh],
        setting: { setting in
            setting.tokens.refreshRevokesAccessTokens = true
            setting.strike(
                setting.calls,
                Fault.requestLate(by: .milliseconds(600)).onlyTurns(1...1)
                    .between(.seconds(60), and: .seconds(62)))
        }
    ) { world in
        try await world.signIn(until: .seconds(60))
        let call = world.beginCall()
        await world.sleep(.milliseconds(10))
        try await world.finish(world.beginRefresh(), call)
        world.needRefresh("the client did not refresh when asked to")
        world.need(world.refusals > 0, "the call was not rejected")
        world.expectSuccess([call], "the call succeeds")
    }.fixing(.singleFlight, .staleRefusal, .waitersGoOn)
}
