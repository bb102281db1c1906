import SquallApps
import SquallClient
import Synchronization

/// The user's own page: three lists of posts behind one profile.
extension ThisBookThatBook {
    /// The profile tab appears, for the first time or again: the profile and a page of each feed,
    /// three calls at once.
    ///
    /// There is no list of the user's own posts: the app filters pages of ten of all users' posts.
    /// It tests for the alert of an expired session by the wrong name, so the profile's own call
    /// shows a toast where the lists show the alert. Without a response the tab bar still works.
    func openProfile(_ page: ThisBookProfilePage.Kind = .own) async -> StepOutcome {
        async let profile = api.fetch(.myProfile, as: ThisBookProfile.self)
        async let lists = openPage(page)
        let own = await profile
        if let own = own.value {
            storage.followings = own.following.map(\.userID)
            images.show([own.profileImage].compactMap { $0 }, as: api.picture)
        }
        let outcome: StepOutcome =
            own.error == .expiredToken && api.tokens == nil
            ? .toast(ThisBookError.expiredToken.rawValue) : shownOrLeft(own, on: "profile")
        return await .joined(outcome, lists)
    }

    /// A page of the profile appears after a swipe: a page of each feed is loaded.
    func openPage(_ page: ThisBookProfilePage.Kind) async -> StepOutcome {
        screen.withLock { $0.place = .profile(page) }
        async let give = loadList(0, next: "")
        async let receive = loadList(1, next: "")
        let answers = await (give, receive)
        change(page) { lists, user in
            if let posts = answers.0.value {
                lists.give = posts.items.filter(page.filter(of: user))
                lists.giveCursor = posts.nextCursor
            }
            if let posts = answers.1.value {
                lists.receive = posts.items.filter(page.filter(of: user))
                lists.receiveCursor = posts.nextCursor
            }
        }
        let rows = screen.withLock { $0[page].merged.rows }
        showImages(of: rows.prefix(Self.rowsInSight).lazy.map(\.post))
        return .joined(
            shownOrLeft(answers.0, on: "profile"), shownOrLeft(answers.1, on: "profile"))
    }

    /// The page's fourth row from the end comes into sight: a page of each list is loaded.
    ///
    /// Only the rows left by the filter count: with fewer than four of them no page ever comes. The
    /// posts for the second list are appended to the second and also written into the first: when
    /// they come last, the first list's own posts are gone, and the second's are there twice.
    func scrollProfile() async -> StepOutcome {
        let (place, lists) = screen.withLock { screen -> (ThisBookPlace, ThisBookProfilePage?) in
            guard case .profile(let page) = screen.place else { return (screen.place, nil) }
            return (screen.place, screen[page])
        }
        guard case .profile(let page) = place, let lists, lists.merged.hasPrefetchRow else {
            return .nothingToDo
        }
        showImages(of: lists.merged.rows.lazy.map(\.post))
        let cursors = [lists.giveCursor, lists.receiveCursor]
        guard cursors != ["0", "0"] else { return .nothingToDo }
        async let give = appendGiven(to: page, cursor: cursors[0])
        async let receive = appendReceived(to: page, cursor: cursors[1])
        let outcome = await StepOutcome.joined(give, receive)
        let isWrong = cursors[1] != "0" && screen.withLock { $0[page].isMixedUp }
        return outcome.isSuccess && isWrong ? .wrong("list") : outcome
    }

    private func appendGiven(
        to page: ThisBookProfilePage.Kind, cursor: String
    ) async -> StepOutcome {
        guard cursor != "0" else { return .rendered }
        let answer = await loadList(0, next: cursor)
        guard let posts = answer.value else { return shownOrLeft(answer, on: "profile") }
        change(page) { lists, user in
            lists.give += posts.items.filter(page.filter(of: user))
            lists.giveCursor = posts.nextCursor
        }
        return .rendered
    }

    private func appendReceived(
        to page: ThisBookProfilePage.Kind, cursor: String
    ) async -> StepOutcome {
        guard cursor != "0" else { return .rendered }
        let answer = await loadList(1, next: cursor)
        guard let posts = answer.value else { return shownOrLeft(answer, on: "profile") }
        change(page) { lists, user in
            lists.give = lists.receive + posts.items.filter(page.filter(of: user))
            lists.receiveCursor = posts.nextCursor
        }
        return .rendered
    }

    private func loadList(
        _ list: Int, next: String
    ) async -> Emission<ThisBookPage, ThisBookError> {
        await api.fetch(.posts(next: next, productID: Self.products[list]), as: ThisBookPage.self)
    }

    private func change(
        _ page: ThisBookProfilePage.Kind,
        _ body: (inout ThisBookProfilePage, _ user: String) -> Void
    ) {
        let user = storage.userID
        screen.withLock { screen in
            body(&screen[page], user)
            screen[page].merge(seenBy: user)
        }
    }
}

extension ThisBookProfilePage {
    /// True if posts of the second feed stand in the first one's list.
    fileprivate var isMixedUp: Bool {
        !Set(give.map(\.postID)).isDisjoint(with: receive.map(\.postID))
    }
}

extension ThisBookProfilePage.Kind {
    /// Says which of all users' posts belong on the page.
    fileprivate func filter(of user: String) -> (ThisBookPost) -> Bool {
        switch self {
        case .own: { $0.creator.userID == user }
        case .liked: { $0.likes.contains(user) }
        case .bookmarked: { $0.likes2.contains(user) }
        }
    }
}
