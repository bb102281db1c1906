import Synchronization

/// What people do with Share.D.
extension ShareD {
    static let journeys: [Journey<ShareD>] = [
        Journey(
            "browse", about: "Looks at the home screen and through the shop.",
            steps: [homeStep, shopStep, scrollShopStep]),
        Journey(
            "community", about: "Reads questions, scrolls on, and opens one.",
            steps: [communityStep, scroll(0.8), scroll(0.5), postStep]),
        Journey(
            "scroll", about: "Scrolls the community to its end.",
            steps: [communityStep] + Array(repeating: scroll(0.95), count: 8)),
        Journey(
            "communityToEnd", about: "Flings the community to its end, by cursor.",
            steps: [Step("communityToEnd") { await $0.scrollCommunityToEnd() }]),
        Journey(
            "shopToEnd", about: "Flings the shop to its end, by offset.",
            steps: [Step("shopToEnd") { await $0.scrollShopToEnd(shopWords) }]),
        Journey(
            "shopByCursor",
            about: "Flings the same shop to its end by cursor; synthetic, for the comparison.",
            steps: [Step("shopByCursor") { await $0.scrollShopByCursor(shopWords) }]),
        Journey(
            "likeBurst", about: "Opens a question and taps its heart several times.",
            steps: [communityStep, postStep, likeStep]),
        Journey(
            "comment", about: "Comments on a question and takes the comment back.",
            steps: [communityStep, postStep, commentStep, deleteCommentStep]),
        Journey(
            "ask", about: "Finds a present in the shop and asks about it.",
            steps: [shopStep, askStep, communityStep]),
        Journey(
            "buy", about: "Opens a question and buys what it is about.",
            steps: [communityStep, postStep, payStep]),
        Journey(
            "settings", about: "Looks at the own and the liked questions; may edit the profile.",
            steps: [ownPostsStep, likedPostsStep, editProfileStep]),
        Journey(
            "join", about: "Checks an e-mail address and signs up with it.",
            steps: [Step("join") { await $0.joinAnew() }]),
        Journey(
            "withdraw", about: "Looks at the community and leaves for good, or so it seems.",
            steps: [communityStep, Step("withdraw") { await $0.withdraw() }]),
    ]

    private static let shopWords = "집들이 선물"

    private static let homeStep = Step<ShareD>("home") { await $0.openHome() }
    private static let shopStep = Step<ShareD>("shop") { await $0.searchShop(shopWords) }
    private static let scrollShopStep = Step<ShareD>("scrollShop", probability: 0.7) {
        await $0.scrollShop(shopWords)
    }
    private static let communityStep = Step<ShareD>("community") { await $0.openCommunity() }
    private static let postStep = Step<ShareD>("post") { app in
        let rows = app.screen.withLock { $0.rows.count }
        return rows == 0 ? .nothingToDo : await app.openPost(row: app.choices.below(rows))
    }
    private static let likeStep = Step<ShareD>("likeBurst") {
        await $0.like(taps: 1 + $0.choices.below(3))
    }
    private static let commentStep = Step<ShareD>("comment") {
        await $0.comment("좋아 보여요 \($0.choices.below(100))")
    }
    private static let deleteCommentStep = Step<ShareD>("deleteComment", probability: 0.7) {
        await $0.deleteOwnComment()
    }
    private static let askStep = Step<ShareD>("ask") {
        await $0.ask("어떤가요?", taps: $0.choices.below(10) == 0 ? 2 : 1)
    }
    private static let payStep = Step<ShareD>("pay") { await $0.pay() }
    private static let ownPostsStep = Step<ShareD>("ownPosts") {
        await $0.openList(.ownPosts(userID: $0.storage.userID))
    }
    private static let likedPostsStep = Step<ShareD>("likedPosts") {
        await $0.openList(.likedPosts)
    }
    private static let editProfileStep = Step<ShareD>("editProfile", probability: 0.2) {
        await $0.editProfile()
    }

    private static func scroll(_ probability: Double) -> Step<ShareD> {
        Step("scroll", probability: probability) {
            await $0.scrollCommunity(movements: $0.choices.below(4) == 0 ? 2 : 1)
        }
    }
}
