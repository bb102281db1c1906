import SquallClient
import Synchronization

/// The two feeds: reading, liking, following, deleting.
extension ThisBookThatBook {
    static let products = ["tbtb_recommend", "tbtb_recommended"]

    /// A feed appears, for the first time or again: its first page is loaded and replaces the rows.
    ///
    /// A page that is still on its way from before is not waited for: see `scrollFeed`.
    func openFeed(tab: Int) async -> StepOutcome {
        screen.withLock { screen in
            screen.tab = tab
            screen.feeds[tab].cursor = ""
        }
        let page = await api.fetch(
            .posts(next: "", productID: Self.products[tab]), as: ThisBookPage.self)
        if let page = page.value {
            let user = storage.userID
            screen.withLock { screen in
                screen.feeds[tab].rows = page.items.map { ThisBookRow($0, seenBy: user) }
                screen.feeds[tab].cursor = page.nextCursor
            }
            await loadImages(of: page.items)
        }
        return shown(page, on: "feed")
    }

    /// The fourth row from the end comes into sight: the next page is loaded and appended.
    ///
    /// Nothing remembers that a page is on its way. Scrolling back and forth asks for it twice, and
    /// a page that arrives after the feed was reloaded is appended to the new rows and moves the
    /// cursor back.
    func scrollFeed() async -> StepOutcome {
        let (tab, feed) = screen.withLock { ($0.tab, $0.feeds[$0.tab]) }
        guard feed.hasPrefetchRow, feed.cursor != "0" else { return .nothingToDo }
        let page = await api.fetch(
            .posts(next: feed.cursor, productID: Self.products[tab]), as: ThisBookPage.self)
        guard let page = page.value else { return shown(page, on: "feed") }
        let user = storage.userID
        let isTwice = screen.withLock { screen in
            screen.feeds[tab].rows += page.items.map { ThisBookRow($0, seenBy: user) }
            screen.feeds[tab].cursor = page.nextCursor
            return screen.feeds[tab].showsSomethingTwice
        }
        await loadImages(of: page.items)
        return isTwice ? .wrong("duplicates") : .rendered
    }

    /// Scrolls on, looks at something else for a moment, and comes back before the page is there.
    func scrollAndReturn() async -> StepOutcome {
        let tab = screen.withLock { $0.tab }
        async let scrolled = scrollFeed()
        async let reopened = openFeed(tab: tab)
        let outcome = await StepOutcome.joined(scrolled, reopened)
        let isTwice = screen.withLock { $0.feeds[tab].showsSomethingTwice }
        return isTwice ? .wrong("duplicates") : outcome
    }

    /// A tap on the heart of a row: writes the opposite of what the row shows.
    ///
    /// The row that changes is the one touched last when the answer comes.
    func like(row: Int) async -> StepOutcome {
        let (tab, liked) = screen.withLock { screen in
            screen.feeds[screen.tab].likedRow = row
            let liked = screen.feeds[screen.tab].rows[row]
            screen.taps.tapped(liked.post.postID, isLiked: !liked.isLiked)
            return (screen.tab, liked)
        }
        let answer = await api.fetch(
            .like(postID: liked.post.postID, !liked.isLiked), as: ThisBookLike.self)
        if answer.value != nil {
            screen.withLock { screen in
                let row = screen.feeds[tab].likedRow
                guard screen.feeds[tab].rows.indices.contains(row) else { return }
                screen.feeds[tab].rows[row].isLiked.toggle()
            }
        } else {
            screen.withLock { $0.taps.forget(liked.post.postID) }
        }
        return shown(answer, on: "feed")
    }

    /// A tap on the bookmark of a row; the same flow with the same fault.
    func bookmark(row: Int) async -> StepOutcome {
        let (tab, marked) = screen.withLock { screen in
            screen.feeds[screen.tab].bookmarkedRow = row
            let marked = screen.feeds[screen.tab].rows[row]
            screen.taps.tapped(
                marked.post.postID, isLiked: !marked.isBookmarked, isSecond: true)
            return (screen.tab, marked)
        }
        let answer = await api.fetch(
            .bookmark(postID: marked.post.postID, !marked.isBookmarked), as: ThisBookLike.self)
        if answer.value != nil {
            screen.withLock { screen in
                let row = screen.feeds[tab].bookmarkedRow
                guard screen.feeds[tab].rows.indices.contains(row) else { return }
                screen.feeds[tab].rows[row].isBookmarked.toggle()
            }
        } else {
            screen.withLock { $0.taps.forget(marked.post.postID, isSecond: true) }
        }
        return shown(answer, on: "feed")
    }

    /// Taps on the hearts of several rows, a moment apart; none waits for another's answer.
    func likeBurst(rows: [Int], pauseNanoseconds: Int64 = 150_000_000) async -> StepOutcome {
        let before = screen.withLock { screen in screen.feeds[screen.tab].rows.map(\.isLiked) }
        let time = device.environment.time
        let outcomes = await withTaskGroup(of: StepOutcome.self) { group in
            for (index, row) in rows.enumerated() {
                group.addTask {
                    try? await time.sleep(nanoseconds: Int64(index) * pauseNanoseconds)
                    return await self.like(row: row)
                }
            }
            return await group.reduce(StepOutcome.rendered) { .joined($0, $1) }
        }
        guard outcomes.isSuccess else { return outcomes }
        let after = screen.withLock { screen in screen.feeds[screen.tab].rows.map(\.isLiked) }
        return after == before.toggled(at: rows) ? .rendered : .wrong("row")
    }

    /// A tap on a row's follow button, whose throttle is the row's own.
    func follow(row: Int) async -> StepOutcome {
        let author = screen.withLock { screen in
            screen.feeds[screen.tab].rows[row].post.creator.userID
        }
        guard author != storage.userID, await followButton(of: author).admit() else {
            return .nothingToDo
        }
        return await follow(author)
    }

    /// Deletes one of the person's posts and loads the feed again.
    func deleteOwnPost() async -> StepOutcome {
        let user = storage.userID
        let (tab, own) = screen.withLock { screen in
            let rows = screen.feeds[screen.tab].rows
            return (screen.tab, rows.first { $0.post.creator.userID == user }?.post.postID)
        }
        guard let own else { return .nothingToDo }
        let deleted = await api.delete(.deletePost(id: own))
        guard deleted.value != nil else { return shown(deleted, on: "feed") }
        return await openFeed(tab: tab)
    }

    /// Follows somebody, or no longer does.
    ///
    /// Whose button changes is decided when the answer comes, by the tap that was then the last.
    private func follow(_ author: String) async -> StepOutcome {
        let isFollowing = storage.followings.contains(author)
        screen.withLock { $0.followed = author }
        let answer = await api.fetch(
            isFollowing ? .unfollow(userID: author) : .follow(userID: author),
            as: ThisBookFollow.self)
        guard answer.value != nil, let user = screen.withLock({ $0.followed }) else {
            return shown(answer, on: "feed")
        }
        storage.setFollowing(user, !isFollowing)
        return user == author ? .rendered : .wrong("user")
    }

    private func followButton(of author: String) -> ThrottledTaps {
        screen.withLock { screen in
            if let button = screen.followButtons[author] { return button }
            let button = ThrottledTaps(windowSeconds: 5, time: device.environment.time)
            screen.followButtons[author] = button
            return button
        }
    }
}

extension ThisBookFeed {
    /// Whether a post has two rows.
    var showsSomethingTwice: Bool { Set(rows.map(\.post.postID)).count < rows.count }
}

extension Array<Bool> {
    /// The values with those at some positions turned round, once for each mention.
    fileprivate func toggled(at positions: [Int]) -> [Bool] {
        positions.reduce(into: self) { $0[$1].toggle() }
    }
}
