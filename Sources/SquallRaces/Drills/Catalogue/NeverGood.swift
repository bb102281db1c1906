import SquallBackend

extension Drill {
    /// Tokens live shorter than a request takes to the server.
    public static let shortToken = Drill(
        "shortToken", "a token shorter than a round trip",
        promise:
            "A call that is refused with a fresh token too ends: nothing goes round in circles.",
        source: "RFC 6750 §3.1; Alamofire #2690, supertokens-ios #66",
        cure: replayCure, setting: { $0.tokens.accessLifetimeNanoseconds = 20_000_000 }
    ) { world in
        try await world.signIn()
        let before = world.far.requestCount
        try await world.finish(world.beginCalls(2))
        world.expect(
            world.far.requestCount - before <= 16, "two calls cost sixteen requests at the most")
    }

    /// The server answers "expired" to every token.
    public static let alwaysExpired = Drill(
        "alwaysExpired", "a server that says expired for ever",
        promise:
            "A call that is refused with a fresh token too ends: nothing goes round in circles.",
        source: "RFC 6750 §3.1; Alamofire #2690, supertokens-ios #66",
        cure: replayCure,
        setting: { setting in
            setting.strike(
                setting.calls,
                Fault.outage(
                    status: setting.ground.expiredStatus, from: .seconds(60),
                    for: .seconds(86_400)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: .seconds(60))
        let before = world.far.requestCount
        let calls = world.beginCalls(2)
        try await world.finish(calls)
        world.expect(
            world.far.requestCount - before <= 16, "two calls cost sixteen requests at the most")
        world.expect(
            calls.allSatisfy { $0.error != nil }, "a call that was refused is not told as a success"
        )
    }

    private static let replayCure = """
        Send a call again once, with the token that the refresh has brought. Refused again, it \
        fails with what the server said.
        """
}
