import SquallApps
import Synchronization

extension ThisBookThatBook {
    static let journeys: [Journey<ThisBookThatBook>] = [
        Journey(
            "browse", about: "Reads both feeds, scrolls on, and opens a post.", goal: Goal("post"),
            steps: [feed(0), scroll(0.7), post(0.6), back, feed(1), scroll(0.5)]),
        Journey(
            "scroll", about: "Scrolls a feed to its end, sometimes back and forth.",
            goal: Goal("scroll"),
            steps: [feed(0)] + Array(repeating: scroll(0.9), count: 5) + [scrollAndReturnStep]),
        Journey(
            "likeBurst", about: "Likes several posts of the feed one right after another.",
            goal: Goal("likeBurst"), steps: [feed(0), likeBurstStep, bookmark(0.5)]),
        Journey(
            "comment", about: "Opens a post, comments on it, and takes the comment back.",
            goal: Goal("comment"),
            steps: [
                feed(0), post(1), likeDetailStep, bookmarkDetailStep, commentStep,
                deleteCommentStep, back,
            ]),
        Journey(
            "publish", about: "Finds books, writes a post with pictures, and may delete it later.",
            goal: Goal("write"),
            steps: [feed(0), booksStep, scrollBooksStep, writeStep, feed(0), deletePost(0.3)]),
        Journey(
            "publishRequest", about: "Asks for a recommendation, and looks at what was asked.",
            goal: Goal("write"),
            steps: [feed(0), feed(1), writeStep, feed(1), ownPostStep, deleteDetailStep]
        ),
        Journey(
            "profile", about: "Looks at the own page and scrolls it; may change name and picture.",
            steps: [
                firstFeed, profileStep, scrollProfile(0.5), editProfileStep,
            ]),
        Journey(
            "library", about: "Looks through the liked and the bookmarked posts of the own page.",
            steps: [
                firstFeed, profileStep, page(.liked), scrollProfile(0.5), like(0.4), follow(0.2),
                page(.bookmarked), bookmark(0.4), post(0.3), back, page(.own), deletePost(0.1),
            ]),
        Journey(
            "follow", about: "Follows an author and stops following another.",
            goal: Goal("follow"),
            steps: [feed(0), follow(1), follow(1), post(0.5), followDetailStep, back]),
        Journey(
            "search", about: "Searches by a word, scrolls on, looks at a result, and comes back.",
            goal: Goal("hit"),
            steps: [
                firstFeed, openSearchStep, searchStep, scrollSearchStep, hitStep, back,
                payFromSearchStep,
            ]),
        Journey(
            "buy",
            about: "Pays for a locked post of the feed, and pays again if it still looks locked.",
            goal: Goal("pay", booking: "validatePayment"),
            steps: [feed(0), payStep, closePaymentStep, payAgainStep]),
        Journey(
            "join", about: "Checks an e-mail address and signs up with it.", goal: Goal("join"),
            steps: [joinStep]),
        Journey(
            "joinInHaste",
            about: "Signs up with invalid fields at first, and taps each button twice.",
            goal: Goal("joinInHaste"), steps: [Step("joinInHaste") { await $0.joinInHaste() }]),
        Journey(
            "logOut", about: "Looks at the own page and logs out.", goal: Goal("logOut"),
            steps: [feed(0), profileStep, logOutStep]),
        Journey(
            "withdraw", about: "Looks at the own page and deletes the account from its editor.",
            goal: Goal("withdraw"),
            steps: [feed(0), profileStep, withdrawStep]),
    ]

    private static func feed(_ tab: Int) -> Step<ThisBookThatBook> {
        Step("feed") { await $0.openFeed(tab: tab) }
    }

    /// The first step behind a sign-in, before the user opens another tab.
    private static let firstFeed = Step<ThisBookThatBook>("feed", when: .signedIn) {
        await $0.openFeed(tab: 0)
    }

    private static func scroll(_ probability: Double) -> Step<ThisBookThatBook> {
        Step("scroll", probability: probability) { await $0.scrollFeed() }
    }

    private static func post(_ probability: Double) -> Step<ThisBookThatBook> {
        onAnyRow("post", probability) { await $0.openPost(row: $1) }
    }

    private static func like(_ probability: Double) -> Step<ThisBookThatBook> {
        onAnyRow("like", probability) { await $0.like(row: $1) }
    }

    private static func bookmark(_ probability: Double) -> Step<ThisBookThatBook> {
        onAnyRow("bookmark", probability) { await $0.bookmark(row: $1) }
    }

    private static func follow(_ probability: Double) -> Step<ThisBookThatBook> {
        onAnyRow("follow", probability) { await $0.follow(row: $1) }
    }

    private static func deletePost(_ probability: Double) -> Step<ThisBookThatBook> {
        Step("deletePost", probability: probability) { await $0.deleteOwnPost() }
    }

    private static func page(_ page: ThisBookProfilePage.Kind) -> Step<ThisBookThatBook> {
        Step("profilePage") { await $0.openPage(page) }
    }

    private static func scrollProfile(_ probability: Double) -> Step<ThisBookThatBook> {
        Step("scrollProfile", probability: probability) { await $0.scrollProfile() }
    }

    private static let back = Step<ThisBookThatBook>("back") { await $0.goBack() }
    private static let hitStep = onAnyRow("hit") { await $0.openPost(row: $1) }
    private static let scrollAndReturnStep = Step<ThisBookThatBook>(
        "scrollAndReturn", probability: 0.3
    ) { await $0.scrollAndReturn() }
    private static let likeBurstStep = onAnyRow("likeBurst") { app, row in
        let rows = app.rowCount
        return await app.likeBurst(rows: rows > 1 ? [row, (row + 1) % rows] : [row])
    }
    private static let likeDetailStep = Step<ThisBookThatBook>("likePost", probability: 0.5) {
        await $0.likeDetail()
    }
    private static let bookmarkDetailStep = Step<ThisBookThatBook>(
        "bookmarkPost", probability: 0.3
    ) { await $0.bookmarkDetail() }
    private static let followDetailStep = Step<ThisBookThatBook>("followAuthor") {
        await $0.followDetail()
    }
    private static let deleteDetailStep = Step<ThisBookThatBook>(
        "deleteOpenPost", probability: 0.3
    ) { await $0.deleteDetail() }
    private static let commentStep = Step<ThisBookThatBook>("comment") {
        await $0.comment("잘 읽었어요 \($0.choices.below(100))")
    }
    private static let deleteCommentStep = Step<ThisBookThatBook>(
        "deleteComment", probability: 0.5
    ) { await $0.deleteComment() }
    private static let booksStep = Step<ThisBookThatBook>("books") { await $0.searchBooks("책") }
    private static let scrollBooksStep = Step<ThisBookThatBook>("scrollBooks", probability: 0.3) {
        await $0.scrollBooks()
    }
    private static let writeStep = Step<ThisBookThatBook>("write") { app in
        let photos = (0..<app.choices.below(4)).map { _ in
            Photo(.png, kilobytes: 1_000...6_000, choices: app.choices)
        }
        return await app.write(photos: photos)
    }
    private static let ownPostStep = Step<ThisBookThatBook>("post") { app in
        let user = app.storage.userID
        let row = app.screen.withLock { screen in
            screen[screen.place].rows.firstIndex { $0.post.creator.userID == user }
        }
        guard let row else { return .nothingToDo }
        return await app.openPost(row: row)
    }
    private static let profileStep = Step<ThisBookThatBook>("profile") { await $0.openProfile() }
    private static let editProfileStep = Step<ThisBookThatBook>(
        "editProfile", probability: 0.2
    ) { await $0.editProfile() }
    private static let openSearchStep = Step<ThisBookThatBook>("openSearch") {
        await $0.openSearch()
    }
    private static let searchStep = Step<ThisBookThatBook>("search") { app in
        await app.search(words[app.choices.below(words.count)])
    }
    private static let scrollSearchStep = Step<ThisBookThatBook>(
        "scrollSearch", probability: 0.5
    ) { await $0.scrollSearch() }
    private static let payFromSearchStep = Step<ThisBookThatBook>(
        "payFromSearch", probability: 0.1
    ) { await $0.payFromSearch() }
    private static let payStep = Step<ThisBookThatBook>("pay") { await $0.payForLockedPost() }
    private static let closePaymentStep = Step<ThisBookThatBook>("closePayment") {
        await $0.closePayment()
    }
    private static let payAgainStep = Step<ThisBookThatBook>("payAgain", probability: 0.5) {
        await $0.payAgain()
    }
    private static let joinStep = Step<ThisBookThatBook>("join") { await $0.joinAnew() }
    private static let logOutStep = Step<ThisBookThatBook>("logOut", leaves: true) {
        await $0.logOut()
    }
    private static let withdrawStep = Step<ThisBookThatBook>("withdraw", leaves: true) {
        await $0.withdraw()
    }

    /// Hashtags that readers use.
    private static let words = ["소설", "시", "에세이", "과학", "역사", "경제"]

    /// A tap on a row of the list on the screen, which may have no rows.
    private static func onAnyRow(
        _ name: String, _ probability: Double = 1,
        tap: @escaping @Sendable (ThisBookThatBook, _ row: Int) async -> StepOutcome
    ) -> Step<ThisBookThatBook> {
        Step(name, probability: probability) { app in
            let rows = app.rowCount
            guard rows > 0 else { return .nothingToDo }
            return await tap(app, app.choices.below(rows))
        }
    }

    private var rowCount: Int { screen.withLock { $0[$0.place].rows.count } }
}
