import SquallApps
import Synchronization

extension ThisBookThatBook {
    /// The search appears, for the first time or again, and uses its present word and cursor.
    ///
    /// Before the first word that word is empty. When it comes back the cursor is that of the next
    /// page: its rows replace the old ones, and after the last page the cursor `"0"` loads the
    /// first one again.
    func openSearch() async -> StepOutcome {
        let cursor = screen.withLock { screen in
            screen.place = .search
            return screen.found.cursor
        }
        let outcome = await searchInHand()
        let isFirstPage = cursor.isEmpty || cursor == "0"
        return outcome == .rendered && !isFirstPage ? .stale("search") : outcome
    }

    /// The search button: begins at the first page.
    func search(_ word: String) async -> StepOutcome {
        screen.withLock { screen in
            screen.place = .search
            screen.keyword = word
            screen.found.cursor = ""
        }
        return await searchInHand()
    }

    /// The fourth row from the end comes into sight: the next page is appended.
    func scrollSearch() async -> StepOutcome {
        let (word, found) = screen.withLock { ($0.keyword, $0.found) }
        guard found.hasPrefetchRow else { return .nothingToDo }
        showImages(of: found.rows.lazy.map(\.post))
        guard found.cursor != "0" else { return .nothingToDo }
        let answer = await api.fetch(
            .hashtags(next: found.cursor, hashTag: word), as: ThisBookPage.self)
        guard let page = answer.value else { return shown(answer, on: "search") }
        let (user, posts) = (storage.userID, page.recommendations)
        screen.withLock { screen in
            screen.found.rows += posts.map { ThisBookRow($0, seenBy: user) }
            screen.found.cursor = page.nextCursor
        }
        showImages(of: posts.prefix(Self.rowsInSight))
        return .rendered
    }

    /// Pays for the first post of the search: the page opens and stays empty.
    ///
    /// The payment is made like the feed's, but nothing listens to the search screen's output. When
    /// the page is closed the search appears again, and searches again.
    func payFromSearch() async -> StepOutcome {
        guard let post = screen.withLock({ $0.found.rows.first?.post }) else { return .nothingToDo }
        let outcome = await pay(for: post, through: nil)
        _ = await openSearch()
        return outcome
    }

    private func searchInHand() async -> StepOutcome {
        let (word, cursor) = screen.withLock { ($0.keyword, $0.found.cursor) }
        let answer = await api.fetch(.hashtags(next: cursor, hashTag: word), as: ThisBookPage.self)
        if let page = answer.value {
            let (user, posts) = (storage.userID, page.recommendations)
            screen.withLock { screen in
                screen.found.rows = posts.map { ThisBookRow($0, seenBy: user) }
                screen.found.cursor = page.nextCursor
            }
            showImages(of: posts.prefix(Self.rowsInSight))
        }
        return shown(answer, on: "search")
    }
}

extension ThisBookPage {
    /// The posts of all apps that the search keeps.
    fileprivate var recommendations: [ThisBookPost] {
        // By bytes: a search by characters takes longer than the page took the server.
        items.filter { post in
            let kind = post.productID.utf8
            return kind.indices.contains { kind[$0...].starts(with: "tbtb_recommend".utf8) }
        }
    }
}
