import SquallClient
import Synchronization

/// Reading, commenting and buying.
extension Scrolly {
    /// Opens a free episode: seven calls at once and one after the first of them.
    ///
    /// The mark "viewed" is a like; its answer reloads the list of viewed episodes, which is loaded
    /// at once as well; the notification "novelViewed" reloads the whole main screen; and the
    /// document is downloaded. The document is data, so it is the one call that never refreshes.
    ///
    /// The two lists are merged as they come: when the older one comes last, the mark vanishes.
    /// Both are asked for with the cursor that the novel's screen left behind: beyond fifty viewed
    /// episodes that is not the first page any more, and no new mark is ever on it.
    func openFreeEpisode() async -> StepOutcome {
        guard let episode = screen.withLock({ $0.freeEpisode }) else { return .nothingToDo }
        async let marked = markViewed(episode)
        async let viewed = loadViewed(episode)
        async let main = loadMain()
        async let document = api.data(.file(path: episode.document))
        let outcomes = await [outcome(of: [document]), marked, viewed, main]
        if let failure = outcomes.first(where: { !$0.isSuccess }) { return shown(failure) }
        return screen.withLock { $0.isMarkedViewed } ? .rendered : .stale("viewed")
    }

    /// Buys a locked episode and opens it.
    ///
    /// Ownership is the same like as "viewed": if that call fails after the payment, the episode is
    /// offered for sale again; and so it is when the list that shows the mark is the wrong page.
    func buyEpisode() async -> StepOutcome {
        guard let episode = screen.withLock({ $0.paidEpisode }) else { return .nothingToDo }
        let seconds = device.environment.time.nanosecondsSinceEpoch / 1_000_000_000
        let callback = await device.services.paymentPage.pay(
            user: device.user, merchantUID: ScrollyConstants.merchantPrefix + String(seconds),
            amount: episode.price)
        guard callback.isSuccess == true, let impUID = callback.impUID else {
            return .toast("paymentCancelled")
        }
        let hadPaid = screen.withLock { screen in
            defer { screen.purchases.append(episode.postID) }
            return screen.purchases.contains(episode.postID)
        }
        let query = ScrollyPaymentQuery(impUID: impUID, postID: episode.postID)
        if case .failure(let error) = await api.decoded(.payment(query), as: ScrollyPayment.self) {
            return shown(.toast(error.rawValue))
        }
        async let marked = markViewed(episode)
        async let document = api.data(.file(path: episode.document))
        let outcomes = await [outcome(of: [document]), marked]
        if hadPaid { return .chargedTwice }
        if let failure = outcomes.first(where: { !$0.isSuccess }) { return shown(failure) }
        screen.withLock { if $0.isMarkedViewed { $0.paidEpisode = nil } }
        return .charged
    }

    /// Pays for what was paid for and is still offered for sale.
    func buyAgain() async -> StepOutcome {
        let isOffered = screen.withLock { screen in
            screen.paidEpisode.map { screen.purchases.contains($0.postID) } ?? false
        }
        return isOffered ? await buyEpisode() : .nothingToDo
    }

    /// Writes a comment without checking it, then loads the post again; errors are ignored.
    func comment() async -> StepOutcome {
        guard let episode = screen.withLock({ $0.freeEpisode }) else { return .nothingToDo }
        let query = ScrollyCommentQuery(content: "재밌어요 \(choices.below(100))")
        let written = await api.decoded(
            .comment(postID: episode.postID, query), as: ScrollyComment.self)
        if case .success(let comment) = written {
            screen.withLock { $0.comment = comment.commentID }
        }
        let post = await api.decoded(.post(id: episode.postID), as: ScrollyPost.self)
        return shown(outcome(of: [written.map { _ in () }, post.map { _ in () }]))
    }

    /// Deletes the reader's comment, then loads the post again; a 419 here is not refreshed.
    func deleteComment() async -> StepOutcome {
        let (open, own) = screen.withLock { ($0.freeEpisode, $0.comment) }
        guard let episode = open, let comment = own else { return .nothingToDo }
        screen.withLock { $0.comment = nil }
        let deleted = await api.status(.deleteComment(postID: episode.postID, commentID: comment))
        let post = await api.decoded(.post(id: episode.postID), as: ScrollyPost.self)
        return shown(outcome(of: [deleted, post.map { _ in () }]))
    }

    private func markViewed(_ episode: ScrollyEpisode) async -> StepOutcome {
        let query = ScrollyLikeQuery(likeStatus: true)
        let marked = await api.decoded(.like2(postID: episode.postID, query), as: ScrollyLike.self)
        let reloaded = await loadViewed(episode)
        return reloaded.isSuccess ? outcome(of: [marked]) : reloaded
    }

    private func loadViewed(_ episode: ScrollyEpisode) async -> StepOutcome {
        let cursor = screen.withLock { $0.viewedCursor }
        let answer = await api.decoded(
            .likes2(next: cursor.isEmpty ? nil : cursor, limit: 50), as: ScrollyPage.self)
        if case .success(let page) = answer {
            let isMarked = page.items.contains { $0.postID == episode.postID }
            screen.withLock { screen in
                screen.isMarkedViewed = isMarked
                screen.viewedCursor = page.cursor(after: screen.viewedCursor)
            }
        }
        return outcome(of: [answer])
    }
}
