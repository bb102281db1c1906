import SquallBackend

extension Drill {
    /// The user switches to another account while a refresh of the first one is under way.
    public static let switchAccounts = Drill(
        "switchAccounts", "account switch during a refresh",
        promise: """
            Each account keeps its own tokens, whichever account is shown when a refresh ends.
            """,
        source: "RFC 9700 §4.14.2; realiti4/claude-swap #95",
        fix: """
            Store the tokens and the refresh in flight for each account. Save new tokens to the \
            account that the refresh was started for, not to the one that is shown when it ends.
            """,
        needs: [.switchTo],
        setting: { setting in
            setting.answerRefreshLate(by: .milliseconds(600), for: .seconds(20))
        }
    ) { world in
        try await world.signIn(world.ada)
        try await world.switchTo(world.ben)
        await world.wait(until: world.setting.stale)
        let first = world.beginCall()
        await world.sleep(.milliseconds(300))
        world.need(world.refreshesSent > 0, "no refresh was under way")
        try await world.switchTo(world.ada)
        try await world.finish(first)
        await world.sleep(.seconds(1))
        for (person, other) in [(world.ada, world.ben), (world.ben, world.ada)] {
            if person.account == world.ben.account { try await world.switchTo(person) }
            let (own, foreign) = (world.sends(by: person), world.sends(by: other))
            try await world.succeed("\(person.name)'s call succeeds")
            world.expect(
                world.sends(by: person) > own && world.sends(by: other) == foreign,
                "\(person.name)'s call uses \(person.name)'s token")
        }
        try await world.expectSignedIn(true, "both are still signed in")
    }
}
