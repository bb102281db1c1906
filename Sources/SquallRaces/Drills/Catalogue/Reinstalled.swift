extension Drill {
    /// The app is removed and installed again: its keychain is kept, everything else is gone.
    public static let reinstalled = Drill(
        "reinstalled", "removed and installed again",
        promise: "After a reinstallation no call uses the kept tokens of a user who is signed out.",
        source: "Apple, keychain items outlive an app; anitab-org/mentorship-ios #80",
        cure: """
            Decide once at the first start after an installation: sign in with the kept tokens or \
            erase them. A sign-in replaces whatever the keychain still has.
            """,
        needs: [.restart]
    ) { world in
        try await world.signIn(world.ada)
        try await world.succeed("Ada's call succeeds")
        try world.reinstall()
        if let isSignedIn = try await world.isSignedIn() {
            let sent = world.sends(by: world.ada)
            let call = try await world.call()
            if isSignedIn {
                world.expectSuccess([call], "a call of a kept session succeeds")
            } else {
                world.expect(
                    world.sends(by: world.ada) == sent,
                    "nothing is sent with Ada's token while nobody is signed in")
            }
        }
        try await world.signIn(world.ben)
        try await world.succeed("Ben's call succeeds")
        world.kill()
        try world.restart()
        let sent = world.sends(by: world.ada)
        try await world.succeed("Ben's call after the next start succeeds")
        await world.tokenExpires()
        try await world.succeed("Ben's call on an expired token succeeds")
        world.expect(world.sends(by: world.ada) == sent, "no call of Ben's uses Ada's token")
    }.inOneOrder.curing("somebody else")
}
