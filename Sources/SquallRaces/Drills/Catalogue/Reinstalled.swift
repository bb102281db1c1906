extension Drill {
    /// The app is removed and installed again: its keychain is kept, everything else is gone.
    public static let reinstalled = Drill(
        "reinstalled", "a reinstallation",
        promise: "After a reinstallation, no call uses stored tokens of a user who is signed out.",
        source: "Apple, keychain items outlive an app; anitab-org/mentorship-ios #80",
        fix: """
            Decide once at the first launch after an installation: sign in with the stored tokens \
            or delete them. A new sign-in replaces whatever the keychain contains.
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
                world.expectSuccess([call], "a call with the stored session succeeds")
            } else {
                world.expect(
                    world.sends(by: world.ada) == sent,
                    "no request uses Ada's token while no user is signed in")
            }
        }
        try await world.signIn(world.ben)
        try await world.succeed("Ben's call succeeds")
        world.kill()
        try world.restart()
        let sent = world.sends(by: world.ada)
        try await world.succeed("Ben's call after the next launch succeeds")
        await world.tokenExpires()
        try await world.succeed("Ben's call with an expired token succeeds")
        world.expect(world.sends(by: world.ada) == sent, "Ben's calls do not use Ada's token")
    }.inOneOrder.curing("other user")
}
