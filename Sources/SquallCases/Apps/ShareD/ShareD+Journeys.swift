import SquallApps
import Synchronization

extension ShareD {
    static let journeys: [Journey<ShareD>] = [
        Journey(
            "browse", about: "Looks at the home screen and through the shop.",
            goal: Goal("category"),
            steps: [homeStep, shopStep, scrollShopStep, categoryStep, bannerStep, searchStep]),
        Journey(
            "community", about: "Reads questions, scrolls on, and opens one.", goal: Goal("post"),
            steps: [homeStep, communityStep, scroll(0.8), scroll(0.5), postStep]),
        Journey(
            "scroll", about: "Scrolls the community to its end.", goal: Goal("scroll"),
            steps: [homeStep, communityStep] + Array(repeating: scroll(0.95), count: 8)),
        Journey(
            "communityToEnd", about: "Flings the community to its end, by cursor.",
            goal: Goal("communityToEnd"),
            steps: [Step("communityToEnd", readsToEnd: true) { await $0.scrollCommunityToEnd() }]),
        Journey(
            "shopToEnd", about: "Flings the shop to its end, by offset, where the app ends too.",
            steps: [Step("shopToEnd", readsToEnd: true) { await $0.scrollShopToEnd(shopWords) }]),
        Journey(
            "shopByCursor",
            about: "Flings the same shop to its end by cursor; synthetic, for the comparison.",
            goal: Goal("shopByCursor"),
            steps: [
                Step("shopByCursor", readsToEnd: true) { await $0.scrollShopByCursor(shopWords) }
            ]),
        Journey(
            "shopNewest",
            about: "Flings the shop to its end by offset, newest first; synthetic, as it moves.",
            goal: Goal("shopNewest"),
            steps: [
                Step("shopNewest", readsToEnd: true) {
                    await $0.scrollShop(shopWords, inOrder: .newest)
                }
            ]),
        Journey(
            "shopByPrice",
            about: "Flings the shop to its end by offset, cheapest first; synthetic, with ties.",
            goal: Goal("shopByPrice"),
            steps: [
                Step("shopByPrice", readsToEnd: true) {
                    await $0.scrollShop(shopWords, inOrder: .cheapest)
                }
            ]),
        Journey(
            "likeBurst", about: "Opens a question and taps its heart several times.",
            goal: Goal("likeBurst"), steps: [homeStep, communityStep, postStep, likeStep]),
        Journey(
            "comment", about: "Comments on a question and takes the comment back.",
            goal: Goal("comment"),
            steps: [homeStep, communityStep, postStep, commentStep, deleteCommentStep]),
        Journey(
            "ask", about: "Finds a present in the shop and asks about it.", goal: Goal("ask"),
            steps: [homeStep, shopStep, askStep, communityStep]),
        Journey(
            "buy", about: "Opens a question and buys what it is about.",
            goal: Goal("pay", booking: "validatePayment"),
            steps: [homeStep, communityStep, postStep, payStep]),
        Journey(
            "settings",
            about: "Comes back to an app that was never closed: own and liked questions, profile.",
            launch: .open, steps: [newHomeStep, ownPostsStep, likedPostsStep, editProfileStep]),
        Journey(
            "logOut", about: "Looks at the own questions and logs out by hand.",
            goal: Goal("logOut"), steps: [homeStep, ownPostsStep, logOutStep]),
        Journey(
            "join", about: "Checks an e-mail address and signs up with it.", goal: Goal("join"),
            steps: [Step("join") { await $0.joinAnew() }]),
        Journey(
            "withdraw",
            about: "Looks at the community and deletes the account; the app only seems to do it.",
            steps: [
                homeStep, communityStep, Step("withdraw", leaves: true) { await $0.withdraw() },
            ]),
    ]

    private static let shopWords = "집들이 선물"

    /// The eight categories of presents.
    private static let categories = [
        "생일", "졸업식", "럭셔리", "수능",
        "기념일", "집들이", "교환권", "명절",
    ]
    private static let bannerWords = "특가"

    private static let homeStep = Step<ShareD>("home") { await $0.openHome() }
    private static let newHomeStep = Step<ShareD>("home", when: .newScreen) {
        await $0.openHome()
    }
    private static let categoryStep = Step<ShareD>("category", probability: 0.6) { app in
        await app.searchShop(categories[app.choices.below(categories.count)])
    }
    private static let bannerStep = Step<ShareD>("banner", probability: 0.2) {
        await $0.searchShop(bannerWords)
    }
    private static let searchStep = Step<ShareD>("search", probability: 0.4) {
        await $0.searchShop("선물 \($0.choices.below(200))")
    }
    private static let logOutStep = Step<ShareD>("logOut", leaves: true) { await $0.logOut() }
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
    /// A question that was stored resets the app to the community, which loads without a tap.
    private static let askStep = Step<ShareD>("ask", leadsOn: true) {
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
