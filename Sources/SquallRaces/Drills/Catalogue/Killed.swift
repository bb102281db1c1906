import SquallBackend

extension Drill {
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
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        _ = world.beginCalls(2)
        await world.sleep(.milliseconds(350))
        world.need(world.far.refreshes > 0, "no refresh was under way")
        world.kill()
        await world.sleep(.seconds(2))
        try world.restart()
        let isForgiving = ["lenient", "leeway"].contains(world.setting.server.name)
        let call = try await world.call()
        if isForgiving {
            world.expectSuccess([call], "a call after launch succeeds")
        } else {
            try await world.signIn()
            try await world.succeed("a call succeeds after the user signs in again")
        }
    }.curing("again", "endless")

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
        try await world.signIn()
        await world.tokenExpires()
        let calls = world.beginCalls(2)
        try await world.finish(calls)
        world.need(world.far.refreshes > 0, "the client never refreshed")
        world.kill()
        try world.restart()
        try await world.succeed("a call after launch succeeds")
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
    }.curing("again")

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
        world.kill()
        try world.restart()
        try await world.expectSignedIn(false, "no user is signed in after launch")
        // A client that has kept a session shows it now.
        try await world.call()
    }.curing("left")
}
