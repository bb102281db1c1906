import SquallBackend

extension Drill {
    /// Tokens live shorter than a request takes to the server.
    public static let shortToken = Drill(
        "shortToken", "a token that expires within a round trip",
        promise: "A call that is rejected again with a new token ends: there is no refresh loop.",
        source: "RFC 6750 §3.1; Alamofire #2690, supertokens-ios #66",
        fix: replayCure, setting: { $0.tokens.accessLifetimeNanoseconds = 20_000_000 }
    ) { world in
        try await world.signIn()
        let before = world.far.requestCount
        try await world.finish(world.beginCalls(2))
        world.expect(
            world.far.requestCount - before <= 16, "two calls cause at most 16 requests")
    }

    /// The server expired responses to every token.
    public static let alwaysExpired = Drill(
        "alwaysExpired", "a server that rejects every token",
        promise: "A call that is rejected again with a new token ends: there is no refresh loop.",
        source: "RFC 6750 §3.1; Alamofire #2690, supertokens-ios #66",
        fix: replayCure,
        setting: { setting in
            setting.strike(
                setting.calls,
                Fault.outage(
                    status: setting.client.expiredStatus, from: .seconds(60),
                    for: .seconds(86_400)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: .seconds(60))
        let before = world.far.requestCount
        let calls = world.beginCalls(2)
        try await world.finish(calls)
        world.expect(
            world.far.requestCount - before <= 16, "two calls cause at most 16 requests")
        world.expect(
            calls.allSatisfy { $0.error != nil }, "a rejected call does not report success"
        )
    }

    private static let replayCure = """
        Retry a call once, with the token from the refresh. If it is rejected again, fail it with \
        the server's error.
        """
}
