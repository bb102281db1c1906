import SquallBackend

extension Drill {
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
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        let calls = world.beginCalls(2)
        await world.sleep(.milliseconds(300))
        world.need(world.refreshesSent > 0, "no refresh was under way")
        world.suspend()
        await world.sleep(.seconds(20))
        world.resume()
        try await world.finish(calls)
        try await world.succeed("calls succeed after the app is resumed", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in")
    }.curing("session")

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
        world.kill()
        try world.restart()
        try await world.succeed("a call after the next launch succeeds")
        await world.tokenExpires()
        try await world.succeed("a call with the next expired token succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder.curing("again")
}
