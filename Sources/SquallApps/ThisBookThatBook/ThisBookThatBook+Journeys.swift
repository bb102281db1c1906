import Synchronization

/// What people do with 이책저책.
extension ThisBookThatBook {
    static let journeys: [Journey<ThisBookThatBook>] = [
        Journey(
            "browse", about: "Reads both feeds, scrolls on, and opens a post.",
            steps: [feed(0), scroll(0.7), post(0.6), feed(1), scroll(0.5)]),
        Journey(
            "scroll", about: "Scrolls a feed to its end, sometimes back and forth.",
            steps: [feed(0)] + Array(repeating: scroll(0.9), count: 5) + [scrollAndReturnStep]),
        Journey(
            "likeBurst", about: "Likes several posts of the feed one right after another.",
            steps: [feed(0), likeBurstStep, bookmarkStep]),
        Journey(
            "comment", about: "Opens a post, comments on it, and takes the comment back.",
            steps: [feed(0), post(1), likeDetailStep, commentStep, deleteCommentStep]),
        Journey(
            "publish", about: "Finds books, writes a post with pictures, and may delete it later.",
            steps: [feed(0), booksStep, scrollBooksStep, writeStep, feed(0), deleteOwnPostStep]),
        Journey(
            "profile", about: "Looks at the own page and scrolls it; may change name and picture.",
            steps: [profileStep, scrollProfileStep, editProfileStep]),
        Journey(
            "follow", about: "Follows an author and stops following another.",
            steps: [feed(0), followStep, followStep]),
        Journey(
            "search", about: "Searches by a word, looks at a result, and comes back.",
            steps: [searchStep, searchStep, payFromSearchStep]),
        Journey(
            "buy", about: "Pays for a locked post of the feed, and again if it still looks locked.",
            steps: [feed(0), payStep, payAgainStep]),
        Journey(
            "join", about: "Checks an e-mail address and signs up with it.", steps: [joinStep]),
        Journey(
            "withdraw", about: "Looks at the feed and leaves for good.",
            steps: [feed(0), withdrawStep]),
    ]

    private static func feed(_ tab: Int) -> Step<ThisBookThatBook> {
        Step("feed") { await $0.openFeed(tab: tab) }
    }

    private static func scroll(_ probability: Double) -> Step<ThisBookThatBook> {
        Step("scroll", probability: probability) { await $0.scrollFeed() }
    }

    private static func post(_ probability: Double) -> Step<ThisBookThatBook> {
        Step("post", probability: probability) { app in
            await app.onAnyRow { await app.openPost(row: $0) }
        }
    }

    private static let scrollAndReturnStep = Step<ThisBookThatBook>(
        "scrollAndReturn", probability: 0.3
    ) { await $0.scrollAndReturn() }
    private static let likeBurstStep = Step<ThisBookThatBook>("likeBurst") { app in
        await app.onAnyRow { row in
            let rows = app.screen.withLock { $0.feeds[$0.tab].rows.count }
            return await app.likeBurst(rows: rows > 1 ? [row, (row + 1) % rows] : [row])
        }
    }
    private static let bookmarkStep = Step<ThisBookThatBook>("bookmark", probability: 0.5) { app in
        await app.onAnyRow { await app.bookmark(row: $0) }
    }
    private static let likeDetailStep = Step<ThisBookThatBook>("likePost", probability: 0.5) {
        await $0.likeDetail()
    }
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
    private static let deleteOwnPostStep = Step<ThisBookThatBook>(
        "deletePost", probability: 0.3
    ) { await $0.deleteOwnPost() }
    private static let profileStep = Step<ThisBookThatBook>("profile") { await $0.openProfile() }
    private static let scrollProfileStep = Step<ThisBookThatBook>(
        "scrollProfile", probability: 0.5
    ) { await $0.scrollProfile() }
    private static let editProfileStep = Step<ThisBookThatBook>(
        "editProfile", probability: 0.2
    ) { await $0.editProfile() }
    private static let followStep = Step<ThisBookThatBook>("follow") { app in
        await app.onAnyRow { await app.follow(row: $0) }
    }
    private static let searchStep = Step<ThisBookThatBook>("search") { await $0.search("책") }
    private static let payFromSearchStep = Step<ThisBookThatBook>(
        "payFromSearch", probability: 0.1
    ) { await $0.payFromSearch() }
    private static let payStep = Step<ThisBookThatBook>("pay") { await $0.payForLockedPost() }
    private static let payAgainStep = Step<ThisBookThatBook>("payAgain", probability: 0.5) {
        await $0.payAgain()
    }
    private static let joinStep = Step<ThisBookThatBook>("join") { await $0.joinAnew() }
    private static let withdrawStep = Step<ThisBookThatBook>("withdraw") { await $0.withdraw() }

    /// A tap on a row of the open feed; there may be none.
    private func onAnyRow(_ tap: (Int) async -> StepOutcome) async -> StepOutcome {
        let rows = screen.withLock { $0.feeds[$0.tab].rows.count }
        guard rows > 0 else { return .nothingToDo }
        return await tap(choices.below(rows))
    }
}
