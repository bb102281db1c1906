import SquallBackend

extension Drill {
    /// The call that caused a refresh is cancelled, while others wait for that refresh.
    public static let callerCancels = Drill(
        "callerCancels", "a cancelled caller",
        promise: "Cancelling one call does not cancel the refresh that other calls wait for.",
        source: "supabase-swift #707",
        fix: """
            Run the refresh in a task of its own, not in the task of the first caller. Cancel each \
            waiting call on its own.
            """,
        needs: [.cancellation], setting: lateRefresh
    ) { world in
        try await world.signIn(until: world.setting.stale)
        let calls = world.beginCalls(3)
        await world.sleep(.milliseconds(300))
        world.needRefresh("no refresh was under way")
        calls[0].cancel()
        world.say("call 1 is cancelled")
        try await world.finish(calls)
        world.expectSuccess(Array(calls.dropFirst()), "calls that were not cancelled succeed")
        try await world.succeed("the next call succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.fixing(.noFalseSignOut)

    /// A screen makes two calls with `async let`, and one of them throws.
    public static let screenGivesUp = Drill(
        "screenGivesUp", "an async let that throws",
        promise: """
            If one part of a screen fails and the others are cancelled, the user stays signed in.
            """,
        source: "SE-0317 async let; supabase-swift #707",
        fix: """
            Do not let the cancellation of a call reach the refresh request, and do not treat a \
            cancellation as a rejection.
            """,
        needs: [.cancellation], setting: lateRefresh
    ) { world in
        try await world.signIn(until: world.setting.stale)
        let screen = world.begin("a screen of two calls") { [client = world.client] in
            async let part: Void = client.calls[0]()
            async let other: Void = world.failing(after: .milliseconds(300))
            _ = try await (other, part)
        }
        screen.isCancelled = true
        try await world.finish(screen)
        world.needRefresh("no refresh was under way")
        try await world.succeed("the next call succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.fixing(.noFalseSignOut)

    private static let lateRefresh: @Sendable (inout ServerConfiguration) -> Void = { setting in
        setting.answerRefreshLate(by: .milliseconds(400), for: .seconds(1))
    }
}

extension DrillWorld {
    /// A part of a screen that fails.
    fileprivate func failing(after span: Duration) async throws {
        await sleep(span)
        throw PartFailed()
    }

    private struct PartFailed: Error {}
}

extension Drill {
    /// The app is in the background for a day.
    public static let dayAway = Drill(
        "dayAway", "a day in the background",
        promise: """
            After a day in the background, the first screen refreshes once and every call \
            succeeds.
            """,
        source: "RFC 9700 §4.14.2; tuist #10276, firebase-ios-sdk #15474",
        fix: """
            Let everything that starts with the app get its token from one place, which refreshes \
            once, whichever caller comes first.
            """
    ) { world in
        try await world.signIn()
        await world.away(for: .seconds(86_400))
        try await world.succeed("each of the calls succeeds", times: DrillWorld.manyCalls)
        world.needRefresh()
        try await world.expectSignedIn(true, "the user is still signed in")
    }

    /// The app is in the background until the refresh token has expired, too.
    public static let monthAway = Drill(
        "monthAway", "away until the refresh token expires",
        promise: """
            When the refresh token has expired, every call ends and the user can sign in again.
            """,
        source: "RFC 6749 §5.2 invalid_grant; RFC 9700 §4.14.2",
        fix: """
            Treat a rejected refresh as the end of the session and delete its tokens. Show the \
            sign-in screen once, not once for each call.
            """,
        setting: { $0.tokens.refreshLifetimeNanoseconds = 14 * 86_400_000_000_000 }
    ) { world in
        try await world.signIn()
        await world.away(for: .seconds(15 * 86_400))
        try await world.finish(world.beginCalls(3))
        world.needRefresh()
        try await world.expectSignedIn(false, "the user is shown as signed out")
        try await world.signInAgain()
    }

    /// The app is killed while a refresh is under way, and started again.
    public static let killedDuringRefresh = Drill(
        "killedDuringRefresh", "killed during a refresh",
        promise: """
            After a kill, the app continues with the stored tokens or, if the server has ended the \
            session, lets the user sign in again.
            """,
        source: "RFC 9700 §4.14.2; Auth0.swift #490",
        fix: """
            Store new tokens before you use them and read them at launch. If the server rejects \
            the refresh token at launch, end the session; do not retry.
            """,
        needs: [.restart],
        setting: { setting in
            setting.answerRefreshLate(by: .milliseconds(500), for: .seconds(1))
        }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        _ = world.beginCalls(2)
        await world.sleep(.milliseconds(350))
        world.needRefresh("no refresh was under way")
        world.kill()
        await world.sleep(.seconds(2))
        try world.restart()
        let call = try await world.call()
        if world.setting.server.takesTokenAgain {
            world.expectSuccess([call], "a call after launch succeeds")
        } else {
            try await world.signInAgain()
        }
    }.fixing(.singleFlight, .noRefreshLoop)

    /// The app is killed right after a refresh, and started again.
    public static let killedAfterRefresh = Drill(
        "killedAfterRefresh", "killed after a refresh",
        promise: "New tokens survive a kill: the next launch needs no sign-in.",
        source: "RFC 9700 §4.14.2; TeslaSwift #185, p2/OAuth2 #75",
        fix: """
            Store the access and refresh token together, in one write, before you retry the \
            waiting calls. Anything stored later is lost with the app.
            """,
        needs: [.restart]
    ) { world in
        try await world.signInUntilExpiry()
        let calls = world.beginCalls(2)
        try await world.finish(calls)
        world.needRefresh()
        try world.relaunch()
        try await world.succeed("a call after launch succeeds")
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
    }.fixing(.singleFlight)

    /// A user signs out, and the app is started again.
    public static let startAfterSignOut = Drill(
        "startAfterSignOut", "launch after sign-out",
        promise: "A user who signed out is still signed out after the next launch.",
        source: "OWASP ASVS 5.0 7.4.1; logto-io/kotlin #253",
        fix: """
            Delete the stored tokens on sign-out, whatever the server responds, before the \
            sign-out returns.
            """,
        needs: [.restart, .signOut]
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        try await world.signOut()
        try world.relaunch()
        try await world.expectSignedIn(false, "no user is signed in after launch")
        // A client that has kept a session shows it now.
        try await world.call()
    }.fixing(.noZombie)

    /// The app is suspended while a refresh is under way, and resumed before any timeout.
    public static let suspendedInRefresh = Drill(
        "suspendedInRefresh", "suspended during a refresh, then resumed",
        promise: "A refresh that is interrupted by suspension completes after the app is resumed.",
        source: "Apple, background execution; forcedotcom/SalesforceMobileSDK-iOS #4087",
        fix: """
            Keep a refresh that was sent until its response or error arrives. Do not count the \
            time in suspension towards a timeout.
            """,
        needs: [.stopping],
        setting: { $0.answerRefreshLate(by: .seconds(25), for: .seconds(1)) }
    ) { world in
        try await world.signIn(until: world.setting.stale)
        let calls = world.beginCalls(2)
        await world.sleep(.milliseconds(300))
        world.need(world.refreshesSent > 0, "no refresh was under way")
        world.suspend()
        await world.sleep(.seconds(20))
        world.resume()
        try await world.finish(calls)
        try await world.succeed("calls succeed after the app is resumed", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in")
    }.fixing(.noFalseSignOut)

    /// The app is woken for a few seconds, refreshes, is suspended again, and is killed.
    public static let wokenInBackground = Drill(
        "wokenInBackground", "woken in the background, then killed",
        promise: "Tokens from a refresh in the background are stored before the app is suspended.",
        source: "Apple, background execution; TeslaSwift #185",
        fix: """
            Store new tokens in the same step that receives them. A write that waits for a timer \
            or for the foreground is lost when the suspended app is killed.
            """,
        needs: [.restart, .stopping]
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        await world.away(for: world.setting.lifetime + .seconds(60))
        let before = world.refreshesSent
        try await world.succeed("a call in the background succeeds")
        world.need(world.refreshesSent > before, "the client did not refresh in the background")
        world.suspend()
        await world.sleep(.seconds(60))
        try world.relaunch()
        try await world.succeed("a call after the next launch succeeds")
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder.fixing(.singleFlight)

    /// The app is updated, and finds tokens in the form in which its earlier version stored them.
    public static let updated = Drill(
        "updated", "an app update",
        promise: "A signed-in user stays signed in when the app is updated.",
        source: "okta-mobile-swift #138, p2/OAuth2 #407",
        fix: """
            Read what earlier versions stored, under their names and in their format. Write the \
            new format before you delete the old one.
            """,
        needs: [.earlierVersion, .storage]
    ) { world in
        try await world.signInWithEarlierVersion()
        world.kill()
        world.say("the app is updated")
        try world.restart()
        try await world.succeed("a call after the update succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
        for _ in 1...2 {
            await world.tokenExpires()
            try await world.succeed("a call with an expired token succeeds")
            try world.relaunch()
            try await world.succeed("a call after the next launch succeeds")
        }
        world.needRefresh()
    }.inOneOrder

    /// The app is removed and installed again: its keychain is kept, everything else is gone.
    public static let reinstalled = Drill(
        "reinstalled", "a reinstallation",
        promise: "After a reinstallation, no call uses stored tokens of a user who is signed out.",
        source: "Apple, keychain items outlive an app; anitab-org/mentorship-ios #80",
        fix: """
            Decide once at the first launch after an installation: sign in with the stored tokens \
            or delete them. A new sign-in replaces whatever the keychain contains.
            """,
        needs: [.restart]
    ) { world in
        try await world.signIn(world.ada)
        try await world.succeed("Ada's call succeeds")
        try world.reinstall()
        if let isSignedIn = try await world.isSignedIn() {
            let sent = world.sends(by: world.ada)
            let call = try await world.call()
            if isSignedIn {
                world.expectSuccess([call], "a call with the stored session succeeds")
            } else {
                world.expect(
                    world.sends(by: world.ada) == sent,
                    "no request uses Ada's token while no user is signed in")
            }
        }
        try await world.signIn(world.ben)
        try await world.succeed("Ben's call succeeds")
        try world.relaunch()
        let sent = world.sends(by: world.ada)
        try await world.succeed("Ben's call after the next launch succeeds")
        await world.tokenExpires()
        try await world.succeed("Ben's call with an expired token succeeds")
        world.expect(world.sends(by: world.ada) == sent, "Ben's calls do not use Ada's token")
    }.inOneOrder.fixing(.isolation)

    /// An extension of the app has refreshed while the app was in the background.
    public static let otherProcess = Drill(
        "otherProcess", "a refresh by another process",
        promise: """
            Tokens that another process has refreshed in the same storage are used, not refreshed \
            again.
            """,
        source: "RFC 9700 §4.14.2; matrix-rust-sdk #6794, HQBase #41",
        fix: """
            Read the stored tokens again before each refresh. If they differ from yours, another \
            process has refreshed: use them.
            """,
        needs: [.otherProcess, .storage]
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        await world.tokenExpires()
        let other = world.beginOtherProcess()
        try await world.finish(other)
        world.expectSuccess([other], "the other process's call succeeds")
        world.needRefresh("the other process did not refresh")
        try await world.succeed("the app's calls succeed after that", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in")
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
    }.inOneOrder.fixing(.singleFlight, .staleRefusal)

    /// The app is frozen in its refresh, and an extension refreshes meanwhile.
    public static let frozenInRefresh = Drill(
        "frozenInRefresh", "suspended while another process refreshes",
        promise: "A refresh that another process overtakes signs no user out.",
        source: "Apple, background execution; matrix-rust-sdk #6794",
        fix: """
            When a refresh is rejected, read the stored tokens again before you sign out; if they \
            are newer, use them. A lock that both processes take is better.
            """,
        needs: [.otherProcess, .storage],
        // With the others a client needs a lock, because showing the token twice ends the session.
        servers: [.lenient, .leeway, .oneShot],
        setting: { setting in
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.requestLate(by: .seconds(8)).onlyTurns(1...1)
                    .between(stale, and: stale + .seconds(20)))
        }
    ) { world in
        world.permitReuse()
        try await world.signIn(until: world.setting.stale)
        let call = world.beginCall()
        await world.sleep(.seconds(1))
        let sent = world.refreshesSent
        world.need(sent > 0, "no refresh was under way")
        world.say("the app is suspended in its refresh")
        let other = world.beginOtherProcess()
        try await world.finish(other, call)
        world.expectSuccess([other], "the other process's call succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
        try await world.succeed("the app's next call succeeds")
        try world.relaunch()
        try await world.succeed("a call after the next launch succeeds")
    }.fixing(.noFalseSignOut)
}
