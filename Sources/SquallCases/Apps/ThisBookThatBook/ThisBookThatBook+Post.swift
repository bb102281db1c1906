import SquallApps
import SquallClient
import Synchronization

extension ThisBookThatBook {
    /// Opens a post of the list on the screen.
    func openPost(row: Int) async -> StepOutcome {
        let id = screen.withLock { screen in screen[screen.place].rows[row].post.postID }
        return await loadDetail(id)
    }

    /// Likes or unlikes the open post and loads it again.
    func likeDetail() async -> StepOutcome { await react(isSecond: false) }

    /// Bookmarks the open post or removes the bookmark, and loads the post again.
    func bookmarkDetail() async -> StepOutcome { await react(isSecond: true) }

    private func react(isSecond: Bool) async -> StepOutcome {
        guard let post = screen.withLock({ $0.detail }) else { return .nothingToDo }
        let (id, user) = (post.postID, storage.userID)
        let status = !(isSecond ? post.likes2 : post.likes).contains(user)
        screen.withLock { $0.taps.tapped(id, isLiked: status, isSecond: isSecond) }
        let answer = await api.fetch(
            isSecond ? .bookmark(postID: id, status) : .like(postID: id, status),
            as: LSLPLike.self)
        guard answer.value != nil else {
            screen.withLock { $0.taps.forget(id, isSecond: isSecond) }
            return shownOrLeft(answer, on: "post")
        }
        return await loadDetail(id)
    }

    /// Follows or unfollows the open post's author; nothing is loaded again.
    func followDetail() async -> StepOutcome {
        guard let author = screen.withLock({ $0.detail?.creator.userID }),
            author != storage.userID
        else { return .nothingToDo }
        let isFollowing = storage.followings.contains(author)
        let answer = await api.fetch(
            isFollowing ? .unfollow(userID: author) : .follow(userID: author),
            as: ThisBookFollow.self)
        if answer.value != nil { storage.toggleFollowing(author) }
        return shownOrLeft(answer, on: "post")
    }

    /// Deletes the open post if it is the user's own: its screen closes, and the list below it is
    /// loaded again.
    func deleteDetail() async -> StepOutcome {
        guard let post = screen.withLock({ $0.detail }), post.creator.userID == storage.userID
        else { return .nothingToDo }
        let deleted = await api.delete(.deletePost(id: post.postID))
        guard deleted.value != nil else { return shown(deleted, on: "post") }
        return await goBack()
    }

    /// Comments on the open post and loads it again; the text is not checked.
    ///
    /// Any refusal but an expired session shows the alert for a missing post, which closes the
    /// screen; the list below it appears, and is loaded again.
    func comment(_ text: String) async -> StepOutcome {
        guard let post = screen.withLock({ $0.detail }) else { return .nothingToDo }
        let answer = await api.fetch(
            .comment(postID: post.postID, content: text), as: LSLPComment.self)
        if let error = answer.error, error != .expiredToken {
            _ = await goBack()
            return .alert(ThisBookError.invalidPost.rawValue)
        }
        guard let comment = answer.value else { return shownOrLeft(answer, on: "post") }
        screen.withLock { $0.comment = comment.commentID }
        return await loadDetail(post.postID)
    }

    /// Deletes the user's newest comment and loads the post again.
    func deleteComment() async -> StepOutcome {
        let (open, own) = screen.withLock { ($0.detail, $0.comment) }
        guard let post = open, let comment = own else { return .nothingToDo }
        let target = AppCall<ThisBookThatBook>.deleteComment(
            postID: post.postID, commentID: comment)
        let deleted = await api.delete(target)
        guard deleted.value != nil else { return shown(deleted, on: "post") }
        screen.withLock { $0.comment = nil }
        return await loadDetail(post.postID)
    }

    /// Pays for a post of the open feed.
    func pay(row: Int) async -> StepOutcome {
        let post = screen.withLock { $0.feeds[$0.tab].rows[row].post }
        return await pay(for: post, through: device.services.paymentPage)
    }

    /// Pays through the page, if it was connected, one step after the other.
    ///
    /// A payment is validated; after success and the user's confirmation the page closes and the
    /// feed below it is loaded again. After a failed or cancelled payment the page closes at once.
    /// A payment that the provider never reports, or reports without its number, has no effect in
    /// the app, and the page stays until it is closed. It also stays after a failed validation; the
    /// feed makes the toast for that below the page, where it is not visible.
    func pay(
        for post: ThisBookPost, through page: (any PaymentPage)?
    ) async -> StepOutcome {
        let seconds = device.environment.time.nanosecondsSinceEpoch / 1_000_000_000
        let callback = await page?.pay(
            user: device.user, merchantUID: "ios_\(LSLP.Key.thisBookThatBook)_\(seconds)",
            amount: post.price ?? 0)
        guard let callback else { return .missing("paymentPage") }
        let (tab, hadPaid) = screen.withLock { screen in
            screen.showsPaymentPage = true
            return (
                screen.tab,
                callback.isSecondCharge(for: post.postID, after: &screen.purchases)
            )
        }
        guard let isSuccess = callback.isSuccess else {
            return hadPaid ? .chargedTwice : .missing("payment")
        }
        guard isSuccess else { return await openFeed(tab: tab) }
        guard !callback.comesLate, await validate(callback, of: post) else {
            // Closing the page has closed the provider's too, and loads the feed.
            if callback.comesLate { _ = await openFeed(tab: tab) }
            return hadPaid ? .chargedTwice : .missing("payment")
        }
        let reload = await openFeed(tab: tab)
        if hadPaid { return .chargedTwice }
        guard reload.isSuccess else { return reload }
        return isLocked(post.postID, tab: tab) ? .stale("lock") : .charged
    }

    /// True if the server has booked the charge that the provider's page reported.
    ///
    /// When the session is dead its data is wiped but the user is not signed out: the feed owns the
    /// alert, already presents the page, and may present nothing else. The server then refuses
    /// every call, until the app starts anew.
    private func validate(_ callback: PaymentCallback, of post: ThisBookPost) async -> Bool {
        guard let impUID = callback.impUID else { return false }
        let answer = await api.fetch(
            .payment(impUID: impUID, postID: post.postID), as: LSLPReceipt.self)
        if answer.error == .expiredToken, api.tokens == nil {
            screen.withLock { $0.outlivesSession = true }
        }
        return answer.value != nil
    }

    /// Closes a payment page that was left open: the feed below it appears and is loaded again.
    func closePayment() async -> StepOutcome {
        let (isOpen, tab) = screen.withLock { ($0.showsPaymentPage, $0.tab) }
        return isOpen ? await openFeed(tab: tab) : .nothingToDo
    }

    /// Pays for the first post that looks locked.
    func payForLockedPost() async -> StepOutcome {
        let user = storage.userID
        let row = screen.withLock { screen in
            screen.feeds[screen.tab].rows.firstIndex { $0.isLocked(for: user) }
        }
        guard let row else { return .nothingToDo }
        return await pay(row: row)
    }

    /// Pays again for a post that was paid for and still looks locked.
    ///
    /// A payment page that was left open is closed first, and so the feed is loaded again.
    func payAgain() async -> StepOutcome {
        let reload = await closePayment()
        guard reload.isSuccess else { return reload }
        let user = storage.userID
        let row = screen.withLock { screen in
            screen.feeds[screen.tab].rows.firstIndex {
                $0.isLocked(for: user) && screen.purchases.contains($0.post.postID)
            }
        }
        guard let row else { return reload }
        return await pay(row: row)
    }

    /// Writes a post into the open feed: the editor closes at once.
    ///
    /// The feed below it reloads beside the upload, and no screen is left to show a failure. An
    /// expired token silently loses a post with pictures, because uploads do not refresh; so does a
    /// picture of more than five megabytes. The response to a created post is decoded as a page, so
    /// the app also treats success as a failure.
    func write(photos: [Photo]) async -> StepOutcome {
        guard await taps(.write).admit() else { return .nothingToDo }
        let tab = screen.withLock { $0.tab }
        // The editor of requests hides both buttons, for books and for a price.
        let isRequest = tab == 1
        let draft = ThisBookDraft(
            productID: Self.products[tab], price: isRequest ? 0 : choices.below(5) * 500,
            content: "오늘의 책 #책 #추천", books: isRequest ? [] : chosenBooks)
        async let saved = save(draft, photos)
        async let reload = openFeed(tab: tab)
        let (before, outcome) = await (saved, reload)
        guard before else { return .lost("post") }
        let user = storage.userID
        let isShown = screen.withLock { screen in
            screen.feeds[tab].rows.first?.post.creator.userID == user
        }
        return outcome.isSuccess && !isShown ? .stale("feed") : outcome
    }

    /// Returns true if the server has the post in the end; the app itself never learns that.
    private func save(_ draft: ThisBookDraft, _ photos: [Photo]) async -> Bool {
        var draft = draft
        if !photos.isEmpty {
            guard let uploaded = await api.upload(photos).value else { return false }
            draft.files = uploaded.files
        }
        return await api.create(draft)
    }

    private func loadDetail(_ id: String) async -> StepOutcome {
        let answer = await api.fetch(.post(id: id), as: ThisBookPost.self)
        if let post = answer.value {
            screen.withLock { $0.detail = post }
            showImages(of: [post])
            images.show(post.comments.compactMap(\.creator.profileImage), as: api.picture)
        }
        return shownOrLeft(answer, on: "post")
    }

    private func isLocked(_ id: String, tab: Int) -> Bool {
        let user = storage.userID
        return screen.withLock { screen in
            screen.feeds[tab].rows.contains { $0.post.postID == id && $0.isLocked(for: user) }
        }
    }
}
