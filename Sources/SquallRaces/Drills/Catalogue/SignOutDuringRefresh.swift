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
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        let calls = world.beginCalls(2)
        await world.sleep(.milliseconds(300))
        try await world.signOut()
        try await world.finish(calls)
        world.need(world.far.refreshes > 0, "no refresh was under way")
        await world.sleep(.seconds(3))
        try await world.expectSignedIn(false, "no user is signed in after sign-out")
        // A client that has kept a session shows it now.
        try await world.call()
    }.curing("left")
}
