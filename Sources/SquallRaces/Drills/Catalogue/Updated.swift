extension Drill {
    /// The app is updated, and finds tokens as its earlier version has kept them.
    public static let updated = Drill(
        "updated", "an app update",
        promise: "A signed-in user stays signed in when the app is updated.",
        source: "okta-mobile-swift #138, p2/OAuth2 #407",
        fix: """
            Read what earlier versions stored, under their names and in their format. Write the \
            new format before you delete the old one.
            """,
        needs: [.earlierVersion, .storage]
    ) { world in
        try await world.signInWithEarlierVersion()
        world.kill()
        world.say("the app is updated")
        try world.restart()
        try await world.succeed("a call after the update succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
        for _ in 1...2 {
            await world.tokenExpires()
            try await world.succeed("a call with an expired token succeeds")
            world.kill()
            try world.restart()
            try await world.succeed("a call after the next launch succeeds")
        }
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }.inOneOrder
}
