import SquallApps

extension Scrolly {
    static let journeys: [Journey<Scrolly>] = [
        Journey(
            "read", about: "Starts the app, looks around, reads an episode and may comment on it.",
            goal: Goal("episode"),
            steps: [
                launchStep, mainStep, tab(0.6), tab(0.3), novelStep, episode(0.9), finish(0.7),
                comment(0.03),
            ]
        ),
        Journey(
            "browse", about: "Starts the app and looks through the category tabs and two novels.",
            goal: Goal("novel"),
            steps: [launchStep, mainStep, tab(0.9), novelStep, tab(0.7), novelStep, tab(0.5)]),
        Journey(
            "resume", about: "Comes back to the main screen as it was left, and reads something.",
            goal: Goal("episode"), launch: .open,
            steps: [
                launchStep, newMainStep, tab(0.5), novelStep, episode(0.9), finish(0.5),
                episode(0.5), comment(0.03),
            ]),
        Journey(
            "readOn", about: "Comes back to the novel as it was left, and reads on.",
            goal: Goal("episode"), launch: .open,
            steps: [
                launchStep, newMainStep, newNovelStep, episode(0.9), finish(0.5), episode(0.5),
                comment(0.03),
            ]),
        Journey(
            "reopen", about: "Comes back to an app that the system has closed, and reads on.",
            goal: Goal("episode"),
            steps: [
                launchStep, mainStep, recentStep, episode(0.9), finish(0.5), episode(0.5),
                comment(0.03),
            ]),
        Journey(
            "buy", about: "Starts the app, opens a novel and buys a locked episode.",
            goal: Goal("purchase", booking: "validatePayment"),
            steps: [launchStep, mainStep, novelStep, purchaseStep, episode(0.5), buyAgainStep]),
        Journey(
            "comment", about: "Starts the app, comments on an episode and takes the comment back.",
            goal: Goal("comment"),
            steps: [
                launchStep, mainStep, novelStep, episode(1), finish(1), comment(1),
                deleteCommentStep,
            ]),
        Journey(
            "catchUp", about: "Opens the novel of an episode last read and scrolls its episodes.",
            launch: .open,
            steps: [
                launchStep, newMainStep, recentStep, scrollStep, scrollStep, episode(0.9),
                finish(0.9),
            ]),
        Journey(
            "join", about: "Checks an e-mail address and signs up with it.", steps: [joinStep]),
    ]

    private static let launchStep = Step<Scrolly>(
        "launch", leadsOn: true, when: .coldStart, scriptedNanoseconds: splashNanoseconds
    ) {
        await $0.launch()
    }
    private static let mainStep = Step<Scrolly>("main") { await $0.loadMain() }
    private static let newMainStep = Step<Scrolly>("main", when: .newScreen) {
        await $0.loadMain()
    }
    private static let newNovelStep = Step<Scrolly>("novel", when: .newScreen) {
        await $0.openNovel()
    }
    private static let novelStep = Step<Scrolly>("novel") { await $0.openNovel() }
    private static let purchaseStep = Step<Scrolly>("purchase") { await $0.buyEpisode() }
    private static let buyAgainStep = Step<Scrolly>("purchaseAgain", probability: 0.5) {
        await $0.buyAgain()
    }
    private static let recentStep = Step<Scrolly>("recent") { await $0.openRecent() }
    private static let scrollStep = Step<Scrolly>("scroll") { await $0.scrollEpisodes() }
    private static let joinStep = Step<Scrolly>("join") { await $0.joinAnew() }
    private static let deleteCommentStep = Step<Scrolly>("deleteComment") {
        await $0.deleteComment()
    }

    private static func tab(_ probability: Double) -> Step<Scrolly> {
        Step("tab", probability: probability) { await $0.openTab() }
    }

    private static func episode(_ probability: Double) -> Step<Scrolly> {
        Step("episode", probability: probability) { await $0.openFreeEpisode() }
    }

    private static func finish(_ probability: Double) -> Step<Scrolly> {
        Step("finish", probability: probability) { await $0.finishEpisode() }
    }

    private static func comment(_ probability: Double) -> Step<Scrolly> {
        Step("comment", probability: probability) { await $0.comment() }
    }
}
