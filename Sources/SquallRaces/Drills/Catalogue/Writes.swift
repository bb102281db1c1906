import SquallBackend

extension Drill {
    /// A change on the server is asked for with an expired token.
    public static let writeOnExpired = Drill(
        "writeOnExpired", "a write on an expired token",
        promise: "A write that was refused for its token is repeated, and made once.",
        source: "RFC 9110 §9.2.2; RFC 6750 §3.1",
        cure: """
            Send a write again when it was refused before anything was done (401), with the same \
            body. Once is enough.
            """,
        needs: [.write]
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        let writes = [world.beginWrite(), world.beginWrite()]
        try await world.finish(writes)
        world.expectSuccess(writes, "both writes succeed")
        world.expect(
            world.writesDone <= 2, "two writes are made twice on the server, not more often")
    }

    /// A change is made, and the answer that says so is lost.
    public static let writeAnswerLost = Drill(
        "writeAnswerLost", "a write whose answer is lost",
        promise: "A write that may have been made is not sent again by itself.",
        source: "RFC 9110 §9.2.2: no automatic retry of non-idempotent methods",
        cure: """
            Do not repeat a POST after a timeout or a broken connection: say that the outcome is \
            not known. Repeat it only under an idempotency key that the server knows.
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
        world.expect(world.writesDone <= 1, "one write is made once on the server")
    }
}
