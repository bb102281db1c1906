import SquallBackend

extension Drill {
    /// An extension of the app has refreshed while the app was not used.
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
        world.need(world.far.refreshes > 0, "the other process did not refresh")
        try await world.succeed("the app's calls succeed after that", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in")
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
    }.inOneOrder.curing("again", "late")

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
        try await world.signIn()
        await world.wait(until: world.setting.stale)
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
        world.kill()
        try world.restart()
        try await world.succeed("a call after the next launch succeeds")
    }.curing("session")
}
