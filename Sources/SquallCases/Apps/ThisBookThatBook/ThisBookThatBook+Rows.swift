import SquallApps
import SquallClient
import Synchronization

extension ThisBookThatBook {
    /// A tap on the heart of a row: writes the opposite of what the row shows.
    func like(row: Int) async -> StepOutcome { await react(row: row, isSecond: false) }

    /// A tap on the bookmark of a row; the same flow with the same fault.
    func bookmark(row: Int) async -> StepOutcome { await react(row: row, isSecond: true) }

    /// Changes the row that was touched last when the response comes, by a heart or a bookmark;
    /// when the list has become shorter meanwhile, the app crashes.
    ///
    /// On the profile's page of just that kind of like, nothing changes and the page is reloaded.
    private func react(row: Int, isSecond: Bool) async -> StepOutcome {
        let tap = screen.withLock { screen -> (place: ThisBookPlace, row: ThisBookRow)? in
            let place = screen.place
            // A list that has become shorter meanwhile has no such row to tap.
            guard screen[place].rows.indices.contains(row) else { return nil }
            screen[place].tappedRow = row
            let tapped = screen[place].rows[row]
            screen.taps.tapped(
                tapped.post.postID, isLiked: !tapped[isSecond: isSecond], isSecond: isSecond)
            return (place, tapped)
        }
        guard let (place, tapped) = tap else { return .nothingToDo }
        let (id, status) = (tapped.post.postID, !tapped[isSecond: isSecond])
        let answer = await api.fetch(
            isSecond ? .bookmark(postID: id, status) : .like(postID: id, status),
            as: LSLPLike.self)
        guard answer.value != nil else {
            screen.withLock { $0.taps.forget(id, isSecond: isSecond) }
            return shownOrLeft(answer, on: place.name)
        }
        if place == .profile(isSecond ? .bookmarked : .liked) {
            return await openPage(isSecond ? .bookmarked : .liked)
        }
        let isThere = screen.withLock { screen in
            let row = screen[place].tappedRow
            guard screen[place].rows.indices.contains(row) else { return false }
            screen[place].rows[row][isSecond: isSecond].toggle()
            return true
        }
        return isThere ? .rendered : .crashed(place.name)
    }

    /// Taps on the hearts of several rows, a moment apart; no tap waits for another's response.
    func likeBurst(rows: [Int], pauseNanoseconds: Int64 = 150_000_000) async -> StepOutcome {
        let before = screen.withLock { screen in screen[screen.place].rows.map(\.isLiked) }
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
        let after = screen.withLock { screen in screen[screen.place].rows.map(\.isLiked) }
        return after == before.toggled(at: rows) ? .rendered : .wrong("row")
    }

    /// A tap on a row's follow or unfollow button, each with a throttle that is new whenever the
    /// list is drawn.
    ///
    /// A success draws the list again. On the profile it also reloads the page, because that may
    /// show posts of followed users.
    func follow(row: Int) async -> StepOutcome {
        let (author, place) = screen.withLock { screen in
            (screen[screen.place].rows[row].post.creator.userID, screen.place)
        }
        let isFollowing = storage.followings.contains(author)
        let button = followButton(row, of: place, isFollowing: isFollowing)
        guard author != storage.userID, await button.admit() else { return .nothingToDo }
        let outcome = await follow(author, isFollowing: isFollowing)
        guard outcome.isDone else { return outcome }
        screen.withLock { $0[place].draw() }
        guard case .profile(let page) = place else { return outcome }
        return await .joined(outcome, openPage(page))
    }

    /// Deletes the first of the user's posts in the list, and loads the list again.
    ///
    /// On the profile an expired session wipes what is stored, in the feed it does not.
    func deleteOwnPost() async -> StepOutcome {
        let user = storage.userID
        let (place, own) = screen.withLock { screen in
            let rows = screen[screen.place].rows
            return (screen.place, rows.first { $0.post.creator.userID == user }?.post.postID)
        }
        guard let own else { return .nothingToDo }
        let deleted = await api.delete(.deletePost(id: own))
        guard case .profile(let page) = place else {
            return deleted.value == nil ? shown(deleted, on: place.name) : await reappear(place)
        }
        if deleted.error == .expiredToken { wipeAgain() }
        return deleted.value == nil ? shown(deleted, on: place.name) : await openPage(page)
    }

    /// Follows or unfollows an author.
    ///
    /// When the response comes, the button of the last tap changes.
    private func follow(_ author: String, isFollowing: Bool) async -> StepOutcome {
        screen.withLock { screen in
            if isFollowing { screen.unfollowed = author } else { screen.followed = author }
        }
        let answer = await api.fetch(
            isFollowing ? .unfollow(userID: author) : .follow(userID: author),
            as: ThisBookFollow.self)
        let touched = screen.withLock { isFollowing ? $0.unfollowed : $0.followed }
        guard answer.value != nil, let touched else { return shownOrLeft(answer, on: "feed") }
        storage.toggleFollowing(touched)
        return storage.followings.contains(author) == !isFollowing ? .rendered : .wrong("user")
    }

    private func followButton(
        _ row: Int, of place: ThisBookPlace, isFollowing: Bool
    ) -> ThrottledTaps {
        let key = ThisBookFeed.FollowButton(row: row, isFollowing: isFollowing)
        return screen.withLock { screen in
            if let button = screen[place].followButtons[key] { return button }
            let button = ThrottledTaps(
                windowSeconds: design.guardsButtons ? 5 : 0, time: device.environment.time)
            screen[place].followButtons[key] = button
            return button
        }
    }
}

extension ThisBookRow {
    /// True if the user likes the post or, for the second kind, has bookmarked it.
    fileprivate subscript(isSecond isSecond: Bool) -> Bool {
        get { isSecond ? isBookmarked : isLiked }
        set {
            if isSecond { isBookmarked = newValue } else { isLiked = newValue }
        }
    }
}

extension Array<Bool> {
    /// The values with those at some positions toggled, once for each mention.
    fileprivate func toggled(at positions: [Int]) -> [Bool] {
        positions.reduce(into: self) { $0[$1].toggle() }
    }
}
