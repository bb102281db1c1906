import SquallBackend

extension Drill {
    /// The next user signs in while answers to the first user's calls still arrive.
    public static let nextPerson = Drill(
        "nextPerson", "sign-in by another user",
        promise: """
            Responses to the previous user's calls do not affect the user who is signed in now.
            """,
        source: "OWASP ASVS 5.0 7.4.1; supabase-swift #1371",
        fix: """
            Tie each call and each refresh to the sign-in it was started under. If its response \
            arrives under another sign-in, discard it and do not retry the call.
            """,
        needs: [.signOut, .stopping],
        setting: { setting in
            let stale = setting.stale
            let late = Fault.answerLate(by: .milliseconds(900))
                .between(stale, and: stale + .seconds(20))
            setting.strike(setting.refreshes, late)
            setting.strike(setting.calls, late.onlyTurns(3...3))
        }
    ) { world in
        try await world.signIn(world.ada)
        await world.wait(until: world.setting.stale)
        let calls = world.beginCalls(3)
        await world.sleep(.milliseconds(300))
        try await world.signOut()
        try await world.signIn(world.ben)
        let before = world.sends(by: world.ben)
        try await world.finish(calls)
        await world.sleep(.seconds(3))
        world.need(world.far.refreshes > 0, "no refresh was under way")
        world.expect(
            world.sends(by: world.ben) == before, "Ada's calls are not sent with Ben's token")
        try await world.expectSignedIn(true, "Ben is still signed in")
        try await world.succeed("Ben's calls succeed")
    }.curing("other user")
}
