import SquallApps

extension OOTD {
    static let journeys: [Journey<OOTD>] = [
        Journey(
            "scroll",
            about: "Starts the app, signs in, and scrolls the feed, which is synthetic.",
            goal: Goal("scroll"), steps: [signInStep, feedStep] + scrolling),
        Journey(
            "resume", about: "Comes back to an app that was never closed, and scrolls on.",
            goal: Goal("scroll"), steps: [feedStep] + scrolling),
        Journey(
            "publish", about: "Starts the app, signs in, and posts an outfit.",
            goal: Goal("post"), steps: [signInStep, postStep]),
        Journey(
            "refresh", about: "Comes back and presses the main screen's only button.",
            steps: [Step("refresh", renews: true) { await $0.refresh() }, feedStep]),
        Journey(
            "insist", about: "Comes back, posts an outfit, and taps again where that failed.",
            goal: Goal("post"),
            steps: [
                Step("post") { await $0.openEditor(pictures: 1) }, postAgainStep, postAgainStep,
            ]),
        Journey(
            "join", about: "Checks an e-mail address and signs up with it.", goal: Goal("join"),
            steps: [Step("join") { await $0.joinAnew() }]),
    ]

    /// Every start of the app shows the sign-in screen; the screen behind it sends no request.
    private static let signInStep = Step<OOTD>("signIn", when: .coldStart) { await $0.signIn() }
    private static let feedStep = Step<OOTD>("feed") { await $0.openFeed() }
    private static let scrolling = Array(
        repeating: Step<OOTD>("scroll", probability: 0.8) { await $0.scrollFeed() }, count: 5)
    private static let postStep = Step<OOTD>("post") { app in
        // One user in ten tries to post several pictures.
        await app.openEditor(pictures: app.choices.below(10) == 0 ? 2 : 1)
    }
    private static let postAgainStep = Step<OOTD>("postAgain") { await $0.postAgain() }
}
