import SquallBackend

extension Drill {
    /// A change on the server is asked for with an expired token.
    public static let writeOnExpired = Drill(
        "writeOnExpired", "a write with an expired token",
        promise: "A write that is rejected for its token is retried and takes effect once.",
        source: "RFC 9110 §9.2.2; RFC 6750 §3.1",
        fix: """
            Retry a write that was rejected before it took effect (401), once and with the same \
            body.
            """,
        needs: [.write]
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        let writes = [world.beginWrite(), world.beginWrite()]
        try await world.finish(writes)
        world.expectSuccess(writes, "both writes succeed")
        world.expect(
            world.writesDone <= 2, "two writes take effect twice on the server")
    }

    /// A change is made, and the answer that says so is lost.
    public static let writeAnswerLost = Drill(
        "writeAnswerLost", "a write with a lost response",
        promise: "A write that may have taken effect is not retried automatically.",
        source: "RFC 9110 §9.2.2: no automatic retry of non-idempotent methods",
        fix: """
            Do not retry a POST after a timeout or a broken connection: report that the outcome is \
            unknown. Retry it only with an idempotency key that the server supports.
            """,
        needs: [.write],
        setting: { setting in
            setting.strike(
                setting.calls,
                Fault.answerDropped(.connectionLost).onlyTurns(1...1)
                    .between(.seconds(60), and: .seconds(70)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: .seconds(60))
        try await world.finish(world.beginWrite())
        world.need(world.writesDone > 0, "the write never reached the server")
        world.expect(world.writesDone <= 1, "one write takes effect once on the server")
    }
}
