import SquallClient
import Synchronization

/// One post: opening it, reacting to it, commenting, paying for it, writing one.
extension ThisBookThatBook {
    /// Opens a post.
    func openPost(row: Int) async -> StepOutcome {
        let id = screen.withLock { screen in screen.feeds[screen.tab].rows[row].post.postID }
        return await loadDetail(id)
    }

    /// Likes or unlikes the open post and loads it again.
    func likeDetail() async -> StepOutcome {
        guard let post = screen.withLock({ $0.detail }) else { return .nothingToDo }
        let isLiked = post.likes.contains(storage.userID)
        screen.withLock { $0.taps.tapped(post.postID, isLiked: !isLiked) }
        let answer = await api.fetch(.like(postID: post.postID, !isLiked), as: ThisBookLike.self)
        guard answer.value != nil else {
            screen.withLock { $0.taps.forget(post.postID) }
            return shown(answer, on: "post")
        }
        return await loadDetail(post.postID)
    }

    /// Comments on the open post and loads it again; the text is not looked at before.
    ///
    /// A refused comment shows the alert for a missing post, which closes the screen.
    func comment(_ text: String) async -> StepOutcome {
        guard let post = screen.withLock({ $0.detail }) else { return .nothingToDo }
        let answer = await api.fetch(
            .comment(postID: post.postID, content: text), as: ThisBookComment.self)
        if answer.error == .emptyContent {
            screen.withLock { $0.detail = nil }
            return .alert(ThisBookError.invalidPost.rawValue)
        }
        guard let comment = answer.value else { return shown(answer, on: "post") }
        screen.withLock { $0.comment = comment.commentID }
        return await loadDetail(post.postID)
    }

    /// Takes the person's newest comment back and loads the post again.
    func deleteComment() async -> StepOutcome {
        let (open, own) = screen.withLock { ($0.detail, $0.comment) }
        guard let post = open, let comment = own else { return .nothingToDo }
        let target = ThisBookTarget.deleteComment(postID: post.postID, commentID: comment)
        let deleted = await api.delete(target)
        guard deleted.value != nil else { return shown(deleted, on: "post") }
        screen.withLock { $0.comment = nil }
        return await loadDetail(post.postID)
    }

    /// Pays for a locked post of the feed.
    ///
    /// The payment page covers the whole screen, so closing it makes the feed appear again: it is
    /// reloaded beside the validation, and after a cancelled payment too. When the reload is
    /// answered first the post still looks locked, and can be paid for again.
    func pay(row: Int) async -> StepOutcome {
        let (tab, post) = screen.withLock { ($0.tab, $0.feeds[$0.tab].rows[row].post) }
        let seconds = device.environment.time.nanosecondsSinceEpoch / 1_000_000_000
        let callback = await device.services.paymentPage.pay(
            user: device.user, merchantUID: "ios_\(LSLP.Key.thisBookThatBook)_\(seconds)",
            amount: post.price ?? 0)
        guard callback.isSuccess == true, let impUID = callback.impUID else {
            return await openFeed(tab: tab)
        }
        let hadPaid = screen.withLock { screen in
            defer { screen.purchases.append(post.postID) }
            return screen.purchases.contains(post.postID)
        }
        async let validation = api.fetch(
            .payment(impUID: impUID, postID: post.postID), as: ThisBookReceipt.self)
        async let reload = openFeed(tab: tab)
        let outcome = await StepOutcome.joined(shown(validation, on: "feed"), reload)
        if hadPaid { return .chargedTwice }
        guard outcome.isSuccess else { return outcome }
        return isLocked(post.postID, tab: tab) ? .stale("lock") : .charged
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

    /// Pays again for what was paid for and still looks locked.
    func payAgain() async -> StepOutcome {
        let user = storage.userID
        let row = screen.withLock { screen in
            screen.feeds[screen.tab].rows.firstIndex {
                $0.isLocked(for: user) && screen.purchases.contains($0.post.postID)
            }
        }
        guard let row else { return .nothingToDo }
        return await pay(row: row)
    }

    /// Writes a post: the editor closes at once, and the feed below reloads beside the upload.
    ///
    /// Nobody is left to be told of a failure. An expired token loses a post with pictures
    /// silently, because uploads do not refresh; so does a picture of more than five megabytes. The
    /// answer to a created post is decoded as a page, so the app takes success for a failure too.
    func write(photos: [Photo], tab: Int = 0) async -> StepOutcome {
        guard await buttons.write.admit() else { return .nothingToDo }
        let draft = ThisBookDraft(
            productID: Self.products[tab], price: choices.below(5) * 500,
            content: "오늘의 책 #책 #추천", books: chosenBooks)
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

    /// Whether the server has the post in the end, which the app itself never learns.
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
            await loadImages(of: [post])
        }
        return shown(answer, on: "post")
    }

    private func isLocked(_ id: String, tab: Int) -> Bool {
        let user = storage.userID
        return screen.withLock { screen in
            screen.feeds[tab].rows.contains { $0.post.postID == id && $0.isLocked(for: user) }
        }
    }
}
