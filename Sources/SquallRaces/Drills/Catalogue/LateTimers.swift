extension Drill {
    /// A renewal by a timer is due after the sign-out.
    public static let timerAfterSignOut = Drill(
        "timerAfterSignOut", "a timer that fires after the sign-out",
        promise: "Nothing that was planned before a sign-out happens after it.",
        source: "OWASP ASVS 5.0 7.4.1; Alfresco/alfresco-ios-app #1154",
        cure: """
            Cancel the timer that renews the token when somebody signs out, and have it look, when \
            it fires, whether its sign-in is still the one of now.
            """,
        needs: [.signOut]
    ) { world in
        try await world.signIn()
        try await world.succeed("a call succeeds")
        try await world.signOut()
        for _ in 1...2 { await world.tokenExpires() }
        try await world.expectSignedIn(false, "nobody is signed in two lifetimes later")
        // A client that has kept a session shows it now.
        try await world.call()
    }.inOneOrder.curing("left")

    /// A renewal by a timer of the person before is due after the next person's sign-in.
    public static let timerOfBefore = Drill(
        "timerOfBefore", "a timer of the person before",
        promise: "A timer of the person before changes nothing for whoever has signed in since.",
        source: "OWASP ASVS 5.0 7.4.1; Alfresco/alfresco-ios-app #1154",
        cure: """
            Cancel the timer that renews the token when somebody signs out. Have what it brings \
            dropped when another sign-in has come meanwhile.
            """,
        needs: [.signOut]
    ) { world in
        try await world.signIn(world.ada)
        try await world.succeed("Ada's call succeeds")
        await world.sleep(world.setting.lifetime / 2)
        try await world.signOut()
        try await world.signIn(world.ben)
        try await world.succeed("Ben's call succeeds")
        for number in 1...2 {
            await world.tokenExpires()
            try await world.succeed("Ben's calls succeed on expired token number \(number)")
        }
        try await world.expectSignedIn(true, "Ben is still signed in")
    }.inOneOrder.curing("somebody else")
}
