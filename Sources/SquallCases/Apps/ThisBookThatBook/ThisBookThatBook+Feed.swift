import SquallApps
import Synchronization

extension ThisBookThatBook {
    static let products = ["tbtb_recommend", "tbtb_recommended"]

    /// A feed appears, for the first time or again: its first page is loaded and replaces the rows.
    ///
    /// Rows and cursor stay as they are until that page arrives, and for ever if it never does. The
    /// app does not wait for an earlier page that is still on its way: see `scrollFeed`. An expired
    /// session wipes what is stored, a second time after the interceptor.
    func openFeed(tab: Int) async -> StepOutcome {
        screen.withLock { screen in
            screen.tab = tab
            screen.place = .feed(tab)
            screen.showsPaymentPage = false
        }
        let page = await api.fetch(
            .posts(next: "", productID: Self.products[tab]), as: ThisBookPage.self)
        if let page = page.value {
            let user = storage.userID
            screen.withLock { screen in
                screen.feeds[tab].rows = page.items.map { ThisBookRow($0, seenBy: user) }
                screen.feeds[tab].cursor = page.nextCursor
            }
            showImages(of: page.items.prefix(Self.rowsInSight))
        }
        if page.error == .expiredToken { wipeAgain() }
        return shown(page, on: "feed")
    }

    /// The fourth row from the end comes into sight: the next page is loaded and appended.
    ///
    /// No state says that a page is on its way. Scrolling back and forth loads it twice, and a page
    /// that arrives after the feed was reloaded is appended to the new rows and moves the cursor
    /// back.
    func scrollFeed() async -> StepOutcome {
        let (tab, feed) = screen.withLock { ($0.tab, $0.feeds[$0.tab]) }
        guard feed.hasPrefetchRow else { return .nothingToDo }
        showImages(of: feed.rows.lazy.map(\.post))
        guard feed.cursor != "0" else { return .nothingToDo }
        let page = await api.fetch(
            .posts(next: feed.cursor, productID: Self.products[tab]), as: ThisBookPage.self)
        guard let page = page.value else { return shown(page, on: "feed") }
        let user = storage.userID
        let isTwice = screen.withLock { screen in
            let more = page.items.map { ThisBookRow($0, seenBy: user) }
            // Appended, they would have room for as many again, on a million phones.
            screen.feeds[tab].rows = Array([screen.feeds[tab].rows, more].joined())
            screen.feeds[tab].cursor = page.nextCursor
            return screen.feeds[tab].showsSomethingTwice
        }
        showImages(of: page.items.prefix(Self.rowsInSight))
        return isTwice ? .duplicates : .rendered
    }

    /// Scrolls on, opens something else for a moment, and comes back before the page has arrived.
    func scrollAndReturn() async -> StepOutcome {
        let tab = screen.withLock { $0.tab }
        async let scrolled = scrollFeed()
        async let reopened = openFeed(tab: tab)
        let outcome = await StepOutcome.joined(scrolled, reopened)
        let isTwice = screen.withLock { $0.feeds[tab].showsSomethingTwice }
        return isTwice ? .duplicates : outcome
    }

    /// Closes the open post: the list below it appears and is loaded again.
    func goBack() async -> StepOutcome {
        let place = screen.withLock { screen in
            defer { screen.detail = nil }
            return screen.detail == nil ? nil : screen.place
        }
        guard let place else { return .nothingToDo }
        return await reappear(place)
    }

    /// A list appears again, because its cover is closed: one call, three on the profile.
    func reappear(_ place: ThisBookPlace) async -> StepOutcome {
        switch place {
        case .feed(let tab): await openFeed(tab: tab)
        case .search: await openSearch()
        case .profile(let page): await openProfile(page)
        }
    }
}

extension ThisBookFeed {
    /// True if a post has two rows.
    var showsSomethingTwice: Bool { Set(rows.map(\.post.postID)).count < rows.count }
}
