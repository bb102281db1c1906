import SquallBackend

extension Drill {
    /// A user signs out while a refresh is under way.
    public static let signOutDuringRefresh = Drill(
        "signOutDuringRefresh", "sign-out during a refresh",
        promise: "After sign-out, no request uses the old tokens and no user is signed in.",
        source: "OWASP ASVS 5.0 7.4.1; supabase-swift #1371, logto-io/kotlin #253",
        fix: """
            Number each sign-in and discard the response of a refresh that belongs to an earlier \
            one. Fail the calls that wait for it instead of retrying them.
            """,
        needs: [.signOut],
        setting: { setting in
            // Long enough for the sign-out to begin and to end meanwhile.
            setting.answerRefreshLate(by: .milliseconds(500), for: .seconds(20))
        }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        let calls = world.beginCalls(2)
        await world.sleep(.milliseconds(300))
        try await world.signOut()
        try await world.finish(calls)
        world.needRefresh("no refresh was under way")
        await world.sleep(.seconds(3))
        try await world.expectSignedIn(false, "no user is signed in after sign-out")
        // A client that has kept a session shows it now.
        try await world.call()
    }.fixing(.noZombie)

    /// A user signs out without a network.
    public static let signOutOffline = Drill(
        "signOutOffline", "sign-out while offline",
        promise: "Sign-out while offline takes effect on the device and stays in effect.",
        source: "OWASP ASVS 5.0 7.4.1; RFC 7009 §2",
        fix: """
            Delete the tokens first, whether or not the call to the server succeeds. Tell the \
            server later or not at all.
            """,
        needs: [.signOut],
        setting: { $0.goOffline(from: .seconds(60), for: .seconds(120)) }
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        await world.wait(until: .seconds(60))
        world.say("the device is offline")
        try await world.signOut()
        try await world.expectSignedIn(false, "no user is signed in after sign-out")
        await world.wait(until: .seconds(200))
        world.say("the device is online again")
        try await world.expectSignedIn(false, "no user is signed in when back online")
        // A client that has kept a session shows it now.
        try await world.call()
    }.inOneOrder.fixing(.noZombie)

    /// The app is started without a network, with a token that has expired.
    public static let startOffline = Drill(
        "startOffline", "launch while offline",
        promise: "A launch while offline signs no user out.",
        source: "RFC 6749 §5.2; google/ground-android #1985, aws-sdk-android #496",
        fix: """
            A refresh without a response says nothing about the session: keep the tokens, show \
            stored content and try again with the next call.
            """,
        needs: [.restart],
        setting: { $0.goOffline(from: $0.stale, for: .seconds(60)) }
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        world.kill()
        await world.wait(until: world.setting.stale)
        world.say("the device is offline")
        try world.restart()
        try await world.finish(world.beginCalls(2))
        try await world.expectSignedIn(true, "the user is still signed in while offline")
        await world.wait(until: world.setting.stale + .seconds(70))
        world.say("the device is online again")
        try await world.succeed("calls succeed when the device is online again", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder

    /// A renewal by a timer is due after the sign-out.
    public static let timerAfterSignOut = Drill(
        "timerAfterSignOut", "a timer that fires after sign-out",
        promise: "No work scheduled before sign-out runs after it.",
        source: "OWASP ASVS 5.0 7.4.1; Alfresco/alfresco-ios-app #1154",
        fix: """
            Cancel the refresh timer on sign-out. When a timer fires, check that its sign-in is \
            still the current one.
            """,
        needs: [.signOut, .timers]
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        try await world.signOut()
        for _ in 1...2 { await world.tokenExpires() }
        try await world.expectSignedIn(false, "no user is signed in two token lifetimes later")
        // A client that has kept a session shows it now.
        try await world.call()
    }.inOneOrder.fixing(.noZombie)

    /// A renewal by a timer of the user before is due after the next user's sign-in.
    public static let timerOfBefore = Drill(
        "timerOfBefore", "a timer of the previous user",
        promise: "A timer of the previous user does not affect the user who is signed in now.",
        source: "OWASP ASVS 5.0 7.4.1; Alfresco/alfresco-ios-app #1154",
        fix: """
            Cancel the refresh timer on sign-out. Discard its result if another user has signed in \
            since.
            """,
        needs: [.signOut, .timers]
    ) { world in
        try await world.signIn(world.ada)
        try await world.succeed("Ada's call succeeds")
        await world.sleep(world.setting.lifetime / 2)
        try await world.signOut()
        try await world.signIn(world.ben)
        try await world.succeed("Ben's call succeeds")
        for number in 1...2 {
            await world.tokenExpires()
            try await world.succeed("Ben's calls succeed with expired token \(number)")
        }
        try await world.expectSignedIn(true, "Ben is still signed in")
    }.inOneOrder.fixing(.isolation)

    /// The next user signs in while responses to the first user's calls still arrive.
    public static let nextPerson = Drill(
        "nextPerson", "sign-in by another user",
        promise: """
            Responses to the previous user's calls do not affect the user who is signed in now.
            """,
        source: "OWASP ASVS 5.0 7.4.1; supabase-swift #1371",
        fix: """
            Tie each call and each refresh to the sign-in it was started under. If its response \
            arrives under another sign-in, discard it and do not retry the call.
            """,
        needs: [.signOut, .stopping],
        setting: { setting in
            let stale = setting.stale
            let late = Fault.answerLate(by: .milliseconds(900))
                .between(stale, and: stale + .seconds(20))
            setting.strike(setting.refreshes, late)
            setting.strike(setting.calls, late.onlyTurns(3...3))
        }
    ) { world in
        try await world.signIn(world.ada)
        await world.wait(until: world.setting.stale)
        let calls = world.beginCalls(3)
        await world.sleep(.milliseconds(300))
        try await world.signOut()
        try await world.signIn(world.ben)
        let before = world.sends(by: world.ben)
        try await world.finish(calls)
        await world.sleep(.seconds(3))
        world.needRefresh("no refresh was under way")
        world.expect(
            world.sends(by: world.ben) == before, "Ada's calls are not sent with Ben's token")
        try await world.expectSignedIn(true, "Ben is still signed in")
        try await world.succeed("Ben's calls succeed")
    }.fixing(.isolation)

    /// The user switches to another account while a refresh of the first one is under way.
    public static let switchAccounts = Drill(
        "switchAccounts", "account switch during a refresh",
        promise: """
            Each account keeps its own tokens, whichever account is shown when a refresh ends.
            """,
        source: "RFC 9700 §4.14.2; realiti4/claude-swap #95",
        fix: """
            Store the tokens and the refresh in flight for each account. Save new tokens to the \
            account that the refresh was started for, not to the one that is shown when it ends.
            """,
        needs: [.switchTo],
        setting: { setting in
            setting.answerRefreshLate(by: .milliseconds(600), for: .seconds(20))
        }
    ) { world in
        try await world.signIn(world.ada)
        try await world.switchTo(world.ben)
        await world.wait(until: world.setting.stale)
        let first = world.beginCall()
        await world.sleep(.milliseconds(300))
        world.need(world.refreshesSent > 0, "no refresh was under way")
        try await world.switchTo(world.ada)
        try await world.finish(first)
        await world.sleep(.seconds(1))
        for (person, other) in [(world.ada, world.ben), (world.ben, world.ada)] {
            if person.account == world.ben.account { try await world.switchTo(person) }
            let (own, foreign) = (world.sends(by: person), world.sends(by: other))
            try await world.succeed("\(person.name)'s call succeeds")
            world.expect(
                world.sends(by: person) > own && world.sends(by: other) == foreign,
                "\(person.name)'s call uses \(person.name)'s token")
        }
        try await world.expectSignedIn(true, "both are still signed in")
    }

    /// Two access tokens, got by one refresh token, expire together.
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
        try await world.signInUntilExpiry()
        let calls = [world.beginCall(), world.beginOtherScope()]
        try await world.finish(calls)
        world.needRefresh()
        world.expectSuccess(calls, "calls of both scopes succeed")
    }.fixing(.singleFlight, .staleRefusal)

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
        let before = world.history.refreshesReceived
        let first = world.beginCall()
        await world.sleep(.milliseconds(300))
        let second = world.beginOtherScope()
        try await world.finish(first, second)
        world.need(world.history.refreshesReceived > before, "the client never refreshed")
        world.expectSuccess([first, second], "calls of both scopes succeed")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.fixing(.singleFlight, .staleRefusal)

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
        let requests = world.history.requestsSent
        try await world.finish(world.beginCall())
        world.expect(
            world.history.requestsSent - requests <= 2, "the next call causes at most two requests")
        try await world.signInAgain()
    }

    /// A connection that the app keeps open breaks, and is opened again after its token has
    /// expired.
    public static let reconnect = Drill(
        "reconnect", "a reconnection",
        promise: "A connection that is reopened uses the current token.",
        source: "RFC 6750 §3.1; get-convex/convex-swift #16, wireapp/wire-ios-transport #185",
        fix: """
            Ask for the token each time a connection opens, in the same place as all calls. Do not \
            keep the token of the first connection.
            """,
        needs: [.reconnect]
    ) { world in
        try await world.signIn()
        try await world.succeed("a connection opens") { world.beginReconnect() }
        await world.tokenExpires()
        try await world.succeed("a call with the expired token succeeds")
        world.needRefresh()
        try await world.succeed("the connection reopens") { world.beginReconnect() }
        await world.tokenExpires()
        try await world.succeed("the connection reopens with an expired token") {
            world.beginReconnect()
        }
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder
}

extension DrillWorld {
    /// Performs an action, and checks that it succeeds.
    fileprivate func succeed(_ sentence: String, _ begin: () -> DrillAct) async throws {
        let act = begin()
        try await finish(act)
        expectSuccess([act], sentence)
    }
}
