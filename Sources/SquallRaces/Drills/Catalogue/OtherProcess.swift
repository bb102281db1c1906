import SquallBackend

extension Drill {
    /// An extension of the app has refreshed while the app was not used.
    public static let otherProcess = Drill(
        "otherProcess", "another process has refreshed",
        promise: "What another process on the same storage has refreshed is used, not refreshed.",
        source: "RFC 9700 §4.14.2; matrix-rust-sdk #6794, HQBase #41",
        cure: """
            Read the stored tokens again before each refresh: where they are not those you have, \
            another process has refreshed, and they are the ones to use.
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
        try await world.expectSignedIn(true, "the person is still signed in")
        await world.tokenExpires()
        try await world.succeed("so does one on the next expired token")
    }.inOneOrder.curing("again", "late")

    /// The app is frozen in its refresh, and an extension refreshes meanwhile.
    public static let frozenInRefresh = Drill(
        "frozenInRefresh", "frozen in a refresh beside another process",
        promise: "A refresh that another process has overtaken signs nobody out.",
        source: "Apple, background execution; matrix-rust-sdk #6794",
        cure: """
            When a refresh is refused, read the stored tokens once more before signing out: where \
            they are newer, use them. A lock that both processes take is better still.
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
        world.say("the app is frozen")
        let other = world.beginOtherProcess()
        try await world.finish(other, call)
        world.expectSuccess([other], "the other process's call succeeds")
        try await world.expectSignedIn(true, "the person is still signed in")
        try await world.succeed("the app's next call succeeds")
        world.kill()
        try world.restart()
        try await world.succeed("a call after the next start succeeds")
    }.curing("session")
}
