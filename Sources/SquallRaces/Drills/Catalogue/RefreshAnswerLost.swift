import SquallBackend

extension Drill {
    /// The server exchanges the refresh token, and its answer is lost.
    public static let refreshAnswerLost = Drill(
        "refreshAnswerLost", "a refresh with a lost response",
        promise: """
            If the server still accepts the old refresh token, a lost response does not sign out; \
            otherwise every call ends and the user can sign in again.
            """,
        source: "RFC 9700 §4.14.2; FAPI 2.0 Security Profile; forgerock-ios-sdk #362",
        fix: """
            Treat a refresh without a response as one that did not happen: keep the tokens and use \
            the old refresh token again soon. Sign out only when the server rejects it.
            """,
        setting: { setting in
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.answerDropped(.connectionLost).onlyTurns(1...1)
                    .between(stale, and: stale + .seconds(20)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        try await world.finish(world.beginCalls(2))
        world.need(world.far.refreshes > 0, "the client did not refresh")
        let isForgiving = ["lenient", "leeway"].contains(world.setting.server.name)
        await world.sleep(.seconds(2))
        let call = try await world.call()
        if isForgiving {
            world.expectSuccess([call], "the next call refreshes again and succeeds")
            try await world.expectSignedIn(true, "the user is still signed in")
        } else {
            try await world.signIn()
            try await world.succeed("a call succeeds after the user signs in again")
        }
    }.curing("again", "session")
}
