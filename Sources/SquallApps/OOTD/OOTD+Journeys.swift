/// What people do with OOTD.
extension OOTD {
    static let journeys: [Journey<OOTD>] = [
        Journey(
            "scroll", about: "Scrolls the feed, which is synthetic: the app's was not published.",
            steps: [feedStep] + Array(repeating: scrollStep, count: 5)),
        Journey(
            "publish", about: "Posts an outfit.", steps: [postStep]),
        Journey(
            "refresh", about: "Presses the main screen's only button.",
            steps: [Step("refresh") { await $0.refresh() }]),
        Journey(
            "join", about: "Checks an e-mail address and signs up with it.",
            steps: [Step("join") { await $0.joinAnew() }]),
    ]

    private static let feedStep = Step<OOTD>("feed") { await $0.openFeed() }
    private static let scrollStep = Step<OOTD>("scroll", probability: 0.8) {
        await $0.scrollFeed()
    }
    private static let postStep = Step<OOTD>("post") { app in
        // One person in ten tries to post several pictures.
        let pictures = app.choices.below(10) == 0 ? 2 : 1
        return await app.post("오늘의 코디 #ootd", pictures: pictures)
    }
}
