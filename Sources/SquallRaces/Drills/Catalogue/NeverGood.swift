import SquallBackend

extension Drill {
    /// Tokens live shorter than a request takes to the server.
    public static let shortToken = Drill(
        "shortToken", "a token shorter than a round trip",
        promise:
            "A call that is refused with a fresh token too ends: nothing goes round in circles.",
        source: "RFC 6750 §3.1; Alamofire #2690, supertokens-ios #66",
        cure: replayCure, setting: { $0.tokens.accessLifetimeNanoseconds = 20_000_000 }
    ) { room in
        try await room.signIn()
        let before = room.far.requestCount
        try await room.finish(room.beginCalls(2))
        room.expect(
            room.far.requestCount - before <= 16, "two calls cost sixteen requests at the most")
    }

    /// The server says "expired" whatever it is shown.
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
    ) { room in
        try await room.signIn()
        await room.wait(until: .seconds(60))
        let before = room.far.requestCount
        let calls = room.beginCalls(2)
        try await room.finish(calls)
        room.expect(
            room.far.requestCount - before <= 16, "two calls cost sixteen requests at the most")
        room.expect(
            calls.allSatisfy { $0.error != nil }, "a call that was refused is not told as a success"
        )
    }

    private static let replayCure = """
        Send a call again once, with the token that the refresh has brought. Refused again, it \
        fails with what the server said.
        """
}
