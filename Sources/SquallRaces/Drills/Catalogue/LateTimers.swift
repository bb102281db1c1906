extension Drill {
    /// A renewal by a timer is due after the sign-out.
    public static let timerAfterSignOut = Drill(
        "timerAfterSignOut", "a timer that fires after sign-out",
        promise: "No work scheduled before sign-out runs after it.",
        source: "OWASP ASVS 5.0 7.4.1; Alfresco/alfresco-ios-app #1154",
        fix: """
            Cancel the refresh timer on sign-out. When a timer fires, check that its sign-in is \
            still the current one.
            """,
        needs: [.signOut, .timers]
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        try await world.signOut()
        for _ in 1...2 { await world.tokenExpires() }
        try await world.expectSignedIn(false, "no user is signed in two token lifetimes later")
        // A client that has kept a session shows it now.
        try await world.call()
    }.inOneOrder.curing("left")

    /// A renewal by a timer of the user before is due after the next user's sign-in.
    public static let timerOfBefore = Drill(
        "timerOfBefore", "a timer of the previous user",
        promise: "A timer of the previous user does not affect the user who is signed in now.",
        source: "OWASP ASVS 5.0 7.4.1; Alfresco/alfresco-ios-app #1154",
        fix: """
            Cancel the refresh timer on sign-out. Discard its result if another user has signed in \
            since.
            """,
        needs: [.signOut, .timers]
    ) { world in
        try await world.signIn(world.ada)
        try await world.succeed("Ada's call succeeds")
        await world.sleep(world.setting.lifetime / 2)
        try await world.signOut()
        try await world.signIn(world.ben)
        try await world.succeed("Ben's call succeeds")
        for number in 1...2 {
            await world.tokenExpires()
            try await world.succeed("Ben's calls succeed with expired token \(number)")
        }
        try await world.expectSignedIn(true, "Ben is still signed in")
    }.inOneOrder.curing("other user")
}
