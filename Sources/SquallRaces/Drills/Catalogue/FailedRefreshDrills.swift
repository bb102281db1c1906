import SquallBackend

extension Drill {
    /// Calls wait for a refresh that fails.
    public static let waitersOfFailure = Drill(
        "waitersOfFailure", "calls waiting for a refresh that fails",
        promise: "After a refresh fails, no waiting call is sent with the expired token.",
        source: "RFC 6750 §3.1; newsiberian/apollo-link-token-refresh #63",
        fix: """
            Pass the refresh error to every call that waits for it. Do not send a call without a \
            valid token.
            """,
        setting: { setting in
            setting.failRefreshes(status: 503, for: .seconds(10))
            setting.answerRefreshLate(by: .seconds(2), for: .seconds(10))
        }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        let early = world.beginCalls(3)
        await world.sleep(.seconds(1))
        let calls = early + [world.beginCall(3)]
        world.need(world.refreshesSent > 0, "no refresh was under way")
        try await world.finish(calls)
        if let failed = world.lastRefreshEnded {
            world.expect(
                world.deadTokensSent(since: failed) == 0,
                "no call is sent with the expired token after the refresh failed")
        }
        try await world.expectSignedIn(true, "the user is still signed in")
        await world.wait(until: world.setting.stale + .seconds(60))
        try await world.succeed("calls succeed when refreshes work again", times: 2)
    }

    /// The token endpoint fails for a while, and the user waits for a screen.
    public static let refreshRetried = Drill(
        "refreshRetried", "a token endpoint that is down",
        promise: "A call ends within a minute although its refresh keeps failing.",
        source: "RFC 9110 §15.6.4; rinafcode/teachLink_mobile #926",
        fix: """
            Limit the total time of a refresh including its retries, because every call waits for \
            it. Exclude refreshes from the retry policy of calls.
            """,
        setting: { $0.failRefreshes(status: 503, for: .seconds(3_600)) }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        let begin = world.now
        let before = world.refreshesSent
        try await world.finish(world.beginCalls(2))
        world.need(world.refreshesSent > before, "the client did not refresh")
        world.expect(world.now - begin <= .seconds(60), "two calls end within a minute")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder

    /// The token endpoint fails once, with a status that may pass.
    public static let refreshFailsOnce = Drill(
        "refreshFailsOnce", "a refresh that fails once",
        promise: """
            A temporary refresh failure signs no user out, and the next call refreshes again.
            """,
        source: "RFC 9110 §15.6.4; tidal-sdk-ios #259, TimeTac/js-client-library #285",
        fix: """
            Clear the refresh in flight when it ends, whatever its result. Sign out only when the \
            server says so (invalid_grant), never on a 5xx, a timeout or a cancellation.
            """,
        setting: { $0.failRefreshes(status: 503, for: .seconds(20)) }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        try await world.finish(world.beginCalls(3))
        let failed = world.history.replies { $0.role == .refresh && $0.meaning == .failure } > 0
        world.need(failed, "the client did not refresh while refreshes failed")
        try await world.expectSignedIn(true, "the user is still signed in while refreshes fail")
        await world.wait(until: world.setting.stale + .seconds(60))
        try await world.succeed("calls succeed when refreshes work again", times: 3)
    }.fixing(.noFalseSignOut)

    /// The token endpoint tells of its error with a 200 in which there is no token.
    public static let refreshWithoutToken = Drill(
        "refreshWithoutToken", "a refresh answered 200 without a token",
        promise: """
            A 200 without a token is a failed refresh: no call is sent with a token that was never \
            issued, and no user is signed out.
            """,
        source:
            "RFC 6749 §5.1 access_token; GitHub's token endpoint, which answers errors with 200",
        fix: """
            Look for the access token in the response to a refresh before you store anything. \
            Without one, keep the old tokens and fail the calls that wait.
            """,
        setting: { setting in
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.withoutToken().between(stale, and: stale + .seconds(20)))
        }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        try await world.finish(world.beginCalls(3))
        world.needRefresh("the client did not refresh")
        world.expect(
            world.forgedTokensSent == 0,
            "no call is sent with a token that was never issued (Bearer undefined)")
        try await world.expectSignedIn(true, "the user is still signed in")
        await world.wait(until: world.setting.stale + .seconds(60))
        try await world.succeed("calls succeed when refreshes bring tokens again", times: 3)
    }.fixing(.noFalseSignOut)

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
        try await world.signInUntilExpiry()
        world.clientWorld.revokeRefreshTokens()
        // A client that has renewed its token before the expiry meets the refusal, too.
        world.revokeAccessTokens()
        try await world.finish(world.beginCalls(3))
        let refused = world.history.refusedRefreshes
        world.need(refused > 0, "the client did not refresh")
        try await world.expectSignedIn(false, "the user is shown as signed out")
        try await world.finish(world.beginCalls(2))
        world.expect(
            world.history.refusedRefreshes <= refused + 1,
            "a rejected refresh token is not sent again")
        try await world.signInAgain()
    }

    /// The server exchanges the refresh token, and its response is lost.
    public static let refreshAnswerLost = Drill(
        "refreshAnswerLost", "a refresh with a lost response",
        promise: """
            If the server still accepts the old refresh token, a lost response does not sign out; \
            otherwise every call ends and the user can sign in again.
            """,
        source: "RFC 9700 §4.14.2; FAPI 2.0 Security Profile; forgerock-ios-sdk #362",
        fix: """
            Treat a refresh without a response as one that did not happen: keep the tokens and use \
            the old refresh token again soon. Sign out only when the server rejects it.
            """,
        setting: { setting in
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.answerDropped(.connectionLost).onlyTurns(1...1)
                    .between(stale, and: stale + .seconds(20)))
        }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        try await world.finish(world.beginCalls(2))
        world.needRefresh("the client did not refresh")
        await world.sleep(.seconds(2))
        try await world.expectRecovery()
    }.fixing(.singleFlight, .noFalseSignOut)

    /// Nothing works for an hour, and then everything does again.
    public static let outage = Drill(
        "outage", "a one-hour outage, then recovery",
        promise: """
            Calls end during an outage, the user stays signed in, and calls succeed after it.
            """,
        source: "RFC 9110 §15.6.4; forgerock-ios-sdk #362, amplify-ui-swift-authenticator #103",
        fix: """
            If a refresh fails with a 5xx or without a response, fail only the calls that wait for \
            it. Clear the refresh in flight so that the next call tries again.
            """,
        setting: { setting in
            let stale = setting.stale
            setting.strike(
                setting.refreshes.union(setting.calls),
                Fault.outage(from: stale, for: .seconds(3_600)))
        }
    ) { world in
        try await world.signIn()
        let stale = world.setting.stale
        await world.wait(until: stale)
        try await world.finish(world.beginCalls(2))
        await world.wait(until: stale + .seconds(1_800))
        try await world.finish(world.beginCalls(2))
        try await world.expectSignedIn(true, "the user is still signed in during the outage")
        await world.wait(until: stale + .seconds(3_660))
        try await world.succeed("calls succeed when the outage is over", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in after the outage")
    }.fixing(.noFalseSignOut)

    /// Only the token endpoint fails for an hour; it names a moment to come back.
    public static let retryAfter = Drill(
        "retryAfter", "a refresh answered with Retry-After",
        promise: "After a 429 with Retry-After, no refresh is sent before that time.",
        source: "RFC 6585 §4; RFC 9110 §10.2.3",
        fix: """
            Read Retry-After from a 429 or 503 response to a refresh and store the time with the \
            tokens. Until then, fail calls that need a refresh.
            """,
        needs: [.failureHeaders],
        setting: { setting in
            setting.failureHeaders["Retry-After"] = "30"
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.outage(status: 429, from: stale, for: .seconds(29)))
        }
    ) { world in
        try await world.signIn()
        let stale = world.setting.stale
        await world.wait(until: stale)
        try await world.finish(world.beginCalls(2))
        let told = world.refreshesSent(from: stale, until: stale + .seconds(1))
        world.need(told > 0, "the client did not refresh")
        await world.wait(until: stale + .seconds(10))
        try await world.finish(world.beginCalls(2))
        await world.wait(until: stale + .seconds(28))
        world.expect(
            world.refreshesSent(from: stale + .seconds(1), until: stale + .seconds(28)) == 0,
            "no refresh is sent before the time in Retry-After")
        await world.wait(until: stale + .seconds(60))
        try await world.succeed("a call after that time succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }

    /// The user lacks a permission, and the token is good.
    public static let forbidden = Drill(
        "forbidden", "a 403 with a valid token",
        promise: "A 403 fails the call: it starts no refresh and signs no user out.",
        source: "RFC 9110 §15.5.4; RFC 6750 §3.1 insufficient_scope; relayhistory #112",
        fix: "Refresh only on the status that means an expired token. Return a 403 to the caller.",
        setting: { $0.failCalls(status: 403, for: .seconds(10)) }
    ) { world in
        let isExpiry = world.setting.client.expiredStatus == 403
        world.need(!isExpiry, "this service uses 403 for an expired token")
        if isExpiry { return }
        try await world.signIn(until: .seconds(60))
        try await world.finish(world.beginCalls(2))
        // A client that looks at its clock may refresh before it sends the calls.
        world.expect(world.refreshesSent(after: 403) == 0, "a 403 causes no refresh")
        try await world.expectSignedIn(true, "the user is still signed in")
        await world.wait(until: .seconds(75))
        try await world.succeed("the next call succeeds")
    }.inOneOrder.fixing(.singleFlight, .staleRefusal)

    /// A 401 that has another reason than the token.
    public static let otherRefusal = Drill(
        "otherRefusal", "a 401 that is not about the token",
        promise: "A 401 for another reason ends the call after one retry and signs no user out.",
        source: "RFC 9470 §3 insufficient_user_authentication; bucketeer #2455",
        fix: """
            Read the error in WWW-Authenticate: only invalid_token is about the token. If a call \
            is rejected again after one refresh, fail it with the server's error.
            """,
        needs: [.failureHeaders],
        setting: { setting in
            setting.failureHeaders["WWW-Authenticate"] =
                #"Bearer error="insufficient_user_authentication", acr_values="urn:mfa""#
            setting.failCalls(status: 401, for: .seconds(10))
        }
    ) { world in
        try await world.expectRejectionEndsCalls(401)
        await world.wait(until: .seconds(75))
        try await world.succeed("the next call succeeds")
    }.inOneOrder.fixing(.noRefreshLoop)

    /// A cache responds with a refusal that it has kept, whatever the token.
    public static let cachedRefusal = Drill(
        "cachedRefusal", "a 401 from a cache",
        promise: "A 401 that a cache repeats ends the call and signs no user out.",
        source: "RFC 9111 §3.5, §5.1 Age",
        fix: """
            Retry a rejected call past caches (reloadIgnoringLocalCacheData, Cache-Control: \
            no-cache). If it is rejected again after one refresh, fail it with the server's error.
            """,
        needs: [.failureHeaders],
        setting: { setting in
            setting.failureHeaders["Age"] = "30"
            setting.failureHeaders["Cache-Control"] = "public, max-age=60"
            setting.failCalls(status: setting.client.expiredStatus, for: .seconds(30))
        }
    ) { world in
        try await world.expectRejectionEndsCalls(world.setting.client.expiredStatus)
        await world.wait(until: .seconds(95))
        try await world.succeed("the next calls succeed", times: 2)
    }.inOneOrder.fixing(.noRefreshLoop, .noFalseSignOut)

    /// The token endpoint refuses with the status that makes calls refresh.
    public static let refreshUnauthorized = Drill(
        "refreshUnauthorized", "a 401 from the token endpoint",
        promise: "A 401 to a refresh does not start another refresh, and every call ends.",
        source: "RFC 6749 §5.2 invalid_client; vaadin-connect #335",
        fix: """
            Keep refreshes out of the code that handles expired calls: use a separate session, \
            client or interceptor chain.
            """,
        setting: { $0.failRefreshes(status: $0.client.expiredStatus, for: .seconds(60)) }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        let before = world.refreshesSent
        let calls = world.beginCalls(3)
        try await world.finish(calls)
        world.need(world.refreshesSent > before, "the client did not refresh")
        world.expect(world.refreshesSent - before <= 6, "three calls cause at most six refreshes")
        world.expectRejection(of: calls)
        await world.wait(until: world.setting.stale + .seconds(70))
        try await world.signInAgain()
    }.inOneOrder.fixing(.noRefreshLoop, .everythingEnds)
}

extension DrillWorld {
    /// Two calls are rejected for a minute, whatever is refreshed: each has to end with an error.
    fileprivate func expectRejectionEndsCalls(_ status: Int) async throws {
        try await signIn(until: .seconds(60))
        let calls = beginCalls(2)
        try await finish(calls)
        expect(refreshesAsked(by: status) <= 2, "two such calls cause at most two refreshes")
        expectRejection(of: calls)
        try await expectSignedIn(true, "the user is still signed in")
    }
}
