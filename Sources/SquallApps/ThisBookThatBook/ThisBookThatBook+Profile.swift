import SquallClient
import Synchronization

/// The person's own page, and the search.
extension ThisBookThatBook {
    /// The profile tab appears: the profile and a page of each feed, three calls at once.
    ///
    /// There is no list of one's own posts: the app filters pages of ten of everybody's. The alert
    /// for an expired session is tested for by the wrong name, so the profile's own call shows a
    /// toast where the lists show the alert.
    func openProfile() async -> StepOutcome {
        async let profile = api.fetch(.myProfile, as: ThisBookProfile.self)
        async let give = loadList(0, next: "")
        async let receive = loadList(1, next: "")
        let answers = await (profile, give, receive)
        if let own = answers.0.value { storage.store(followings: own.following.map(\.userID)) }
        if let page = answers.1.value { show(page, inList: 0) }
        if let page = answers.2.value { show(page, inList: 1) }
        return .joined(
            answers.0.error == .expiredToken && api.tokens == nil
                ? .toast(ThisBookError.expiredToken.rawValue) : shown(answers.0, on: "profile"),
            shown(answers.1, on: "profile"), shown(answers.2, on: "profile"))
    }

    /// The lists' fourth row from the end comes into sight: a page of each is loaded.
    ///
    /// The rows that count are those left by the filter: with fewer than four of them no page ever
    /// comes. Both pages are written into the first list, the second one last.
    func scrollProfile() async -> StepOutcome {
        let cursors = screen.withLock { screen in
            screen.ownRows.count >= 4 ? screen.lists.map(\.cursor) : ["0", "0"]
        }
        guard cursors != ["0", "0"] else { return .nothingToDo }
        async let give = nextList(0, cursor: cursors[0])
        async let receive = nextList(1, cursor: cursors[1])
        let answers = await (give, receive)
        if let page = answers.0?.value { show(page, inList: 0) }
        if let page = answers.1?.value {
            show(page, inList: 0)
            return .wrong("list")
        }
        return answers.0.map { shown($0, on: "profile") } ?? .rendered
    }

    /// Searches by a word, or comes back to the search: both ask with the cursor in hand.
    ///
    /// Only a first search has none. Afterwards the rows give way to those of the next page, and
    /// after the last page the cursor `"0"` asks for the first one again.
    func search(_ word: String) async -> StepOutcome {
        let cursor = screen.withLock { $0.found.cursor }
        let answer = await api.fetch(.hashtags(next: cursor, hashTag: word), as: ThisBookPage.self)
        if let page = answer.value {
            let user = storage.userID
            let own = page.items.filter { $0.productID.contains("tbtb_recommend") }
            screen.withLock { screen in
                screen.found.rows = own.map { ThisBookRow($0, seenBy: user) }
                screen.found.cursor = page.nextCursor
            }
            await loadImages(of: own)
        }
        let isFirstPage = cursor.isEmpty || cursor == "0"
        return answer.value != nil && !isFirstPage ? .stale("search") : shown(answer, on: "search")
    }

    /// Pays for a post that the search found: the page opens and stays empty.
    ///
    /// Nothing is connected to the button's output, so no payment is ever asked for.
    func payFromSearch() async -> StepOutcome {
        screen.withLock { $0.found.rows.isEmpty } ? .nothingToDo : .missing("paymentPage")
    }

    private func loadList(_ list: Int, next: String) async -> Emission<ThisBookPage, ThisBookError>
    {
        await api.fetch(
            .posts(next: next, productID: Self.products[list]), as: ThisBookPage.self)
    }

    private func nextList(
        _ list: Int, cursor: String
    ) async -> Emission<ThisBookPage, ThisBookError>? {
        cursor == "0" ? nil : await loadList(list, next: cursor)
    }

    private func show(_ page: ThisBookPage, inList list: Int) {
        let user = storage.userID
        let own = page.items.filter { $0.creator.userID == user }
        screen.withLock { screen in
            screen.lists[list].rows = own.map { ThisBookRow($0, seenBy: user) }
            screen.lists[list].cursor = page.nextCursor
        }
    }
}

extension ThisBookScreen {
    /// The rows of the profile's two lists, newest first.
    var ownRows: [ThisBookRow] {
        lists.flatMap(\.rows).sorted { $0.post.createdAt > $1.post.createdAt }
    }
}
