import SquallBackend

extension Drill {
    /// The call that made the client refresh is cancelled, while others wait for that refresh.
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
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        let calls = world.beginCalls(3)
        await world.sleep(.milliseconds(300))
        world.need(world.far.refreshes > 0, "no refresh was under way")
        calls[0].isCancelled = true
        calls[0].task?.cancel()
        world.say("call 1 is cancelled")
        try await world.finish(calls)
        world.expectSuccess(Array(calls.dropFirst()), "calls that were not cancelled succeed")
        try await world.succeed("the next call succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.curing("session")

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
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        let screen = world.begin("a screen of two calls") { [client = world.client] in
            async let part: Void = client.calls[0]()
            async let other: Void = world.failing(after: .milliseconds(300))
            _ = try await (other, part)
        }
        screen.isCancelled = true
        try await world.finish(screen)
        world.need(world.far.refreshes > 0, "no refresh was under way")
        try await world.succeed("the next call succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }.curing("session")

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
