import SquallApps
import SquallClient
import Synchronization

extension Scrolly {
    /// Opens a free episode: seven calls at once and one after the first of them; four more for
    /// each replaced main screen.
    ///
    /// The mark "viewed" is a like; its answer reloads the list of viewed episodes, which is also
    /// loaded at once; the notification "novelViewed" reloads every main screen that lives; and the
    /// document is downloaded. The document is data, so it is the one call that never refreshes.
    ///
    /// The two lists are merged as they come: when the older one comes last, the mark vanishes.
    /// Both are loaded with the cursor that the novel's screen left behind: beyond fifty viewed
    /// episodes that is no longer the first page, and never contains the new mark. Only the viewer
    /// shows an error; failures below it are not visible.
    func openFreeEpisode() async -> StepOutcome {
        let open = screen.withLock { screen in
            screen.isMarkedViewed = false
            screen.readEpisode = screen.freeEpisode
            return screen.freeEpisode
        }
        guard let episode = open else { return .nothingToDo }
        async let marked = markViewed(episode)
        async let viewed: Void = loadViewed(episode)
        async let mains: Void = reloadMains()
        async let document = api.data(.file(episode.document))
        let (data, isMarked, _, _) = await (document, marked, viewed, mains)
        if case .failure = data { return await shown(outcome(of: [data])) }
        guard isMarked else { return await shown(.missing("viewed")) }
        return await shown(
            screen.withLock { $0.isMarkedViewed } ? .rendered : .stale("viewed"))
    }

    /// Reaches the end of the episode: its last screen loads only the cover.
    func finishEpisode() async -> StepOutcome {
        let read = screen.withLock { screen in
            defer { screen.readEpisode = nil }
            return screen.readEpisode
        }
        guard let read else { return .nothingToDo }
        images.show([read.cover].compactMap { $0 }, as: cover)
        return .rendered
    }

    /// Buys a locked episode and opens it.
    ///
    /// A failed payment closes the page again. One that the provider never reports, or reports
    /// without its number, leaves the page open, and no request is sent. The app ignores a report
    /// that comes after the page was closed. A failed validation closes the page without a message.
    /// Ownership is the same like as "viewed": if that call fails after the payment, the app shows
    /// no error and offers the episode for sale again. The same happens when the list that shows
    /// the mark is the wrong page. Each further payment is a second charge.
    func buyEpisode() async -> StepOutcome {
        guard let episode = screen.withLock({ $0.paidEpisode }) else { return .nothingToDo }
        let seconds = device.environment.time.nanosecondsSinceEpoch / 1_000_000_000
        let callback = await device.services.paymentPage.pay(
            user: device.user, merchantUID: Scrolly.merchantPrefix + String(seconds),
            amount: episode.price)
        let hadPaid = screen.withLock { screen in
            callback.isSecondCharge(for: episode.postID, after: &screen.purchases)
        }
        guard let isSuccess = callback.isSuccess else {
            return hadPaid ? .chargedTwice : .missing("payment")
        }
        guard isSuccess else { return .rendered }
        // A closed page does nothing any more.
        guard let impUID = callback.impUID, !callback.comesLate else {
            return hadPaid ? .chargedTwice : .missing("payment")
        }
        let payment = AppCall<Scrolly>.payment(impUID: impUID, postID: episode.postID)
        if case .failure = await api.decoded(payment, as: LSLPReceipt.self) {
            let outcome = await shown(.missing("payment"))
            return hadPaid ? .chargedTwice : outcome
        }
        screen.withLock { $0.isMarkedViewed = false }
        async let marked = markViewed(episode)
        async let document = api.data(.file(episode.document))
        let (data, _) = await (document, marked)
        screen.withLock { screen in
            screen.readEpisode = episode
            if screen.isMarkedViewed { screen.paidEpisode = nil }
        }
        if hadPaid { return .chargedTwice }
        if case .failure = data { return await shown(outcome(of: [data])) }
        return await shown(.charged)
    }

    /// Pays again for an episode that was paid for and is still offered for sale.
    func buyAgain() async -> StepOutcome {
        let isOffered = screen.withLock { screen in
            screen.paidEpisode.map { screen.purchases.contains($0.postID) } ?? false
        }
        return isOffered ? await buyEpisode() : .nothingToDo
    }

    /// Sends a comment without checking it, then loads the post again; errors are ignored.
    func comment() async -> StepOutcome {
        guard let episode = screen.withLock({ $0.freeEpisode }) else { return .nothingToDo }
        let content = "재밌어요 \(choices.below(100))"
        let written = await api.decoded(
            .comment(postID: episode.postID, content: content), as: LSLPComment.self)
        guard case .success(let comment) = written else { return await shown(.missing("comment")) }
        screen.withLock { $0.comment = comment.commentID }
        return await reloadComments(of: episode)
    }

    /// Deletes the user's comment, then loads the post again; a 419 here is not refreshed, and
    /// shows a toast like any other error.
    func deleteComment() async -> StepOutcome {
        let (open, own) = screen.withLock { ($0.freeEpisode, $0.comment) }
        guard let episode = open, let comment = own else { return .nothingToDo }
        let deleted = await api.status(.deleteComment(postID: episode.postID, commentID: comment))
        guard case .success = deleted else { return await shown(outcome(of: [deleted])) }
        screen.withLock { $0.comment = nil }
        return await reloadComments(of: episode)
    }

    private func reloadComments(of episode: ScrollyEpisode) async -> StepOutcome {
        let post = await api.decoded(.post(id: episode.postID), as: LSLPPost.self)
        if case .failure = post { return await shown(.missing("comment")) }
        return await shown(.rendered)
    }

    /// Writes the mark; returns true if that succeeded, as the list is loaded again only then.
    private func markViewed(_ episode: ScrollyEpisode) async -> Bool {
        let marked = await api.decoded(
            .bookmark(postID: episode.postID, true), as: LSLPLike.self)
        guard case .success = marked else { return false }
        await loadViewed(episode)
        return true
    }

    private func loadViewed(_ episode: ScrollyEpisode) async {
        let cursor = screen.withLock { $0.viewedCursor }
        let answer = await api.decoded(
            .bookmarks(next: cursor.isEmpty ? nil : cursor, limit: 50), as: ScrollyPage.self)
        guard case .success(let page) = answer else { return }
        let isMarked = page.items.contains { $0.text.postID == episode.postID }
        screen.withLock { screen in
            screen.isMarkedViewed = isMarked
            screen.viewedCursor = page.cursor(after: screen.viewedCursor)
        }
    }
}
