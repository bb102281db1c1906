import SquallBackend

extension Drill {
    /// The next person signs in while answers of the first one's come.
    public static let nextPerson = Drill(
        "nextPerson", "the next person's sign-in",
        promise: "Answers of the person before change nothing for whoever has signed in since.",
        source: "OWASP ASVS 5.0 7.4.1; supabase-swift #1371",
        cure: """
            Tie each call and each refresh to the sign-in it was begun under. When its answer \
            comes under another one, drop what it brought, and do not send the call again.
            """,
        needs: [.signOut],
        setting: { setting in
            let stale = setting.stale
            let late = Fault.answerLate(by: .milliseconds(900))
                .between(stale, and: stale + .seconds(20))
            setting.strike(setting.refreshes, late)
            setting.strike(setting.calls, late.onlyTurns(3...3))
        }
    ) { room in
        try await room.signIn(room.ada)
        await room.wait(until: room.setting.stale)
        let calls = room.beginCalls(3)
        await room.sleep(.milliseconds(300))
        try await room.signOut()
        try await room.signIn(room.ben)
        let before = room.sends(by: room.ben)
        try await room.finish(calls)
        await room.sleep(.seconds(3))
        room.need(room.far.refreshes > 0, "no refresh was under way")
        room.expect(
            room.sends(by: room.ben) == before, "no call of Ada's is sent with Ben's token")
        try await room.expectSignedIn(true, "Ben is still signed in")
        let call = try await room.call()
        room.expectSuccess([call], "Ben's calls succeed")
    }
}
