import Client
import Synchronization

/// Reading, commenting and buying.
extension Scrolly {
    /// Opens a free episode: seven calls at once and one after the first of them.
    ///
    /// The mark "viewed" is a like; its answer reloads the list of viewed episodes, which is loaded
    /// at once as well; the notification "novelViewed" reloads the whole main screen; and the
    /// document is downloaded. The document is data, so it is the one call that never refreshes.
    func openFreeEpisode() async -> StepOutcome {
        guard let episode = screen.withLock({ $0.freeEpisode }) else { return .nothingToDo }
        async let marked = markViewed(episode)
        async let viewed = loadViewed()
        async let main = loadMain()
        async let document = api.data(.file(path: episode.document))
        let outcomes = await [outcome(of: [document]), marked, viewed, main]
        return shown(outcomes.first { !$0.isSuccess } ?? .rendered)
    }

    /// Buys a locked episode and opens it.
    ///
    /// Ownership is the same like as "viewed": if that call fails after the payment, the episode is
    /// offered for sale again.
    func buyEpisode() async -> StepOutcome {
        guard let episode = screen.withLock({ $0.paidEpisode }) else { return .nothingToDo }
        let seconds = device.environment.time.nanosecondsSinceEpoch / 1_000_000_000
        let callback = await device.services.paymentPage.pay(
            user: device.user, merchantUID: ScrollyConstants.merchantPrefix + String(seconds),
            amount: episode.price)
        guard callback.isSuccess == true, let impUID = callback.impUID else {
            return .toast("paymentCancelled")
        }
        let query = ScrollyPaymentQuery(impUID: impUID, postID: episode.postID)
        if case .failure(let error) = await api.decoded(.payment(query), as: ScrollyPayment.self) {
            return shown(.toast(error.rawValue))
        }
        async let marked = markViewed(episode)
        async let document = api.data(.file(path: episode.document))
        let outcomes = await [outcome(of: [document]), marked]
        return shown(outcomes.first { !$0.isSuccess } ?? .charged)
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
        let reloaded = await loadViewed()
        return reloaded.isSuccess ? outcome(of: [marked]) : reloaded
    }

    private func loadViewed() async -> StepOutcome {
        outcome(of: [await api.decoded(.likes2(next: nil, limit: 50), as: ScrollyPage.self)])
    }
}
