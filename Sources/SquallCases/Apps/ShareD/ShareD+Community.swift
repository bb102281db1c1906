import SquallApps
import SquallClient
import Synchronization

extension ShareD {
    /// Loads the community's first page, once in a tab's life; no question is open there.
    func openCommunity() async -> StepOutcome {
        screen.withLock { screen in
            screen.rows = []
            screen.cursor = ""
            screen.show(post: nil)
        }
        return await loadPage()
    }

    /// Scrolls to within 200 points of the end, where the next page is loaded.
    ///
    /// Only the last page stops that; no state says that a page is on its way, so each movement
    /// near the end loads it again.
    func scrollCommunity(movements: Int = 1) async -> StepOutcome {
        guard screen.withLock({ $0.cursor != "0" && $0.cursor != "" }) else { return .nothingToDo }
        let outcome = await withTaskGroup(of: StepOutcome.self) { group in
            for _ in 0..<movements { group.addTask { await self.loadPage() } }
            return await group.reduce(StepOutcome.rendered) { .joined($0, $1) }
        }
        return showsSomethingTwice ? .duplicates : outcome
    }

    /// Flings the community to its end: each page is loaded as soon as the one before is there.
    func scrollCommunityToEnd() async -> StepOutcome {
        var outcome = await openCommunity()
        while outcome == .rendered, screen.withLock({ $0.cursor != "0" }) {
            outcome = await loadPage()
        }
        return outcome == .rendered && showsSomethingTwice ? .duplicates : outcome
    }

    /// Opens a question and then its author's picture, even where there is none.
    ///
    /// It is a new screen that shows nothing of the question before.
    func openPost(row: Int) async -> StepOutcome {
        let id = screen.withLock { screen in
            let id = screen.rows[row].postID
            screen.show(post: id)
            return id
        }
        return await loadDetail(id)
    }

    /// Taps on the heart of the open question, a moment apart.
    ///
    /// Each tap toggles the remembered state, writes it, and reads the question again whatever the
    /// response; no tap waits for another. The writes may arrive in any order, and so may the
    /// responses that draw the heart. The remembered and the drawn state may differ: then a tap
    /// writes what the server has already.
    func like(taps: Int, pauseNanoseconds: Int64 = 150_000_000) async -> StepOutcome {
        guard let post = screen.withLock({ $0.detail }) else { return .nothingToDo }
        let isLiked = screen.withLock { $0.showsHeart }
        let time = device.environment.time
        let outcome = await withTaskGroup(of: StepOutcome.self) { group in
            for tap in 0..<taps {
                group.addTask {
                    try? await time.sleep(nanoseconds: Int64(tap) * pauseNanoseconds)
                    return await self.likeOnce(
                        post.postID, isMeant: isLiked != (tap % 2 == 0))
                }
            }
            return await group.reduce(StepOutcome.rendered) { .joined($0, $1) }
        }
        let wanted = isLiked != (taps % 2 == 1)
        let isAsWanted = screen.withLock { $0.showsHeart } == wanted
        return outcome.isSuccess && !isAsWanted ? .wrong("like") : outcome
    }

    /// Comments on the open question without checking the text; shown first without a reload.
    ///
    /// A refusal shows nothing: the screen looks for 418 only.
    func comment(_ text: String) async -> StepOutcome {
        guard let post = screen.withLock({ $0.detail }) else { return .nothingToDo }
        let target = AppCall<ShareD>.comment(postID: post.postID, content: text)
        guard let answer = await api.post(target, as: LSLPComment.self) else {
            return .stuck("post")
        }
        guard let comment = answer.value else {
            return silent(answer.status, .missing("comment"), on: .post)
        }
        screen.withLock { $0.comments.insert(comment, at: 0) }
        return .rendered
    }

    /// Deletes comments by their rows, all tapped at once.
    ///
    /// After any response, the row tapped last is removed. With two taps that is the same row
    /// twice: another comment the second time, or none, and then the app crashes.
    func deleteComments(rows: [Int]) async -> StepOutcome {
        let before = screen.withLock { $0.comments.map(\.commentID) }
        let outcome = await withTaskGroup(of: StepOutcome.self) { group in
            for row in rows { group.addTask { await self.deleteComment(row: row) } }
            return await group.reduce(StepOutcome.rendered) { .joined($0, $1) }
        }
        guard outcome.isSuccess else { return outcome }
        guard rows.allSatisfy(before.indices.contains) else { return .crashed("comments") }
        let touched = Set(rows.map { before[$0] })
        let after = screen.withLock { $0.comments.map(\.commentID) }
        return after == before.filter { !touched.contains($0) } ? .rendered : .wrong("row")
    }

    /// Deletes the user's newest comment, if one is shown.
    func deleteOwnComment() async -> StepOutcome {
        let user = storage.userID
        let row = screen.withLock { $0.comments.firstIndex { $0.creator.userID == user } }
        guard let row else { return .nothingToDo }
        return await deleteComments(rows: [row])
    }

    /// Pays for the open question's product.
    ///
    /// Everything happens when the provider reports, also on a failure: the server is asked to
    /// validate whatever number came, or an empty one, and the outcome is only printed. Without a
    /// report no request is sent and the page stays. A report that comes after the page was closed
    /// is validated for no post. The button also works on a question that has not loaded: then a
    /// payment of 1000, the price of every question without one, is validated for no post.
    func pay() async -> StepOutcome {
        let (open, post) = screen.withLock { ($0.openPost, $0.detail) }
        guard let open else { return .nothingToDo }
        let seconds = device.environment.time.nanosecondsSinceEpoch / 1_000_000_000
        let callback = await device.services.paymentPage.pay(
            user: device.user, merchantUID: "ios_\(LSLP.Key.shareD)_\(seconds)",
            amount: post?.price ?? 1_000)
        let hadPaid = screen.withLock { screen in
            callback.isSecondCharge(for: open, after: &screen.purchases)
        }
        guard let isSuccess = callback.isSuccess else {
            return hadPaid ? .chargedTwice : .missing("payment")
        }
        // Only the page knows its post: once it is closed, the post is lost.
        let target = AppCall<ShareD>.payment(
            impUID: callback.impUID ?? "",
            postID: callback.comesLate ? "" : post?.postID ?? "")
        let answer = await api.post(target, as: ShareDReceipt.self)
        if hadPaid { return .chargedTwice }
        guard let answer else { return .stuck("payment") }
        guard isSuccess else { return .rendered }
        return answer.isSuccess ? .charged : .lost("payment")
    }

    /// Loads the user's own questions, or the liked ones: the first page only.
    func openList(_ target: AppCall<ShareD>) async -> StepOutcome {
        guard let answer = await api.post(target, as: ShareDPage.self) else {
            return .stuck("settings")
        }
        return answer.isSuccess
            ? .rendered : silent(answer.status, .missing("settings"), on: .settings)
    }

    /// True if a question has two rows.
    private var showsSomethingTwice: Bool {
        screen.withLock { Set($0.rows.map(\.postID)).count < $0.rows.count }
    }

    private func loadPage() async -> StepOutcome {
        let cursor = screen.withLock { $0.cursor }
        guard let answer = await api.post(.posts(next: cursor), as: ShareDPage.self) else {
            return .stuck("community")
        }
        guard let page = answer.value else {
            return silent(answer.status, .missing("community"), on: .post)
        }
        screen.withLock { screen in
            screen.rows += page.items
            screen.cursor = page.nextCursor
        }
        return .rendered
    }

    private func loadDetail(_ id: String) async -> StepOutcome {
        guard let answer = await api.post(.post(id: id), as: ShareDPost.self) else {
            return .stuck("post")
        }
        guard let post = answer.value else {
            return silent(answer.status, .missing("post"), on: .post)
        }
        let user = storage.userID
        screen.withLock { screen in
            screen.detail = post
            screen.comments = post.comments
            screen.showsHeart = post.likes.contains(user)
            // Only ever set: a reading without a like leaves the state of the last tap.
            if screen.showsHeart { screen.isLiked = true }
        }
        showImage(post.creator.profileImage ?? "")
        return .rendered
    }

    private func likeOnce(_ id: String, isMeant: Bool) async -> StepOutcome {
        let isLiked = screen.withLock { screen in
            screen.isLiked.toggle()
            screen.taps.tapped(id, isLiked: isMeant)
            return screen.isLiked
        }
        guard let answer = await api.post(.like(postID: id, isLiked), as: LSLPLike.self) else {
            return .stuck("post")
        }
        if !answer.isSuccess { screen.withLock { $0.taps.forget(id) } }
        let reloaded = await loadDetail(id)
        return answer.isSuccess
            ? reloaded : .joined(silent(answer.status, .missing("like"), on: .post), reloaded)
    }

    /// Decodes the response as a comment, which an empty body is not; the result is not used.
    private func deleteComment(row: Int) async -> StepOutcome {
        guard let post = screen.withLock({ $0.detail }) else { return .nothingToDo }
        let id = screen.withLock { screen -> String? in
            screen.deletedRow = row
            return screen.comments.indices.contains(row) ? screen.comments[row].commentID : nil
        }
        guard let id else { return .crashed("comments") }
        let target = AppCall<ShareD>.deleteComment(postID: post.postID, commentID: id)
        guard let answer = await api.post(target, as: LSLPComment.self) else {
            return .stuck("post")
        }
        let isThere = screen.withLock { screen in
            guard screen.comments.indices.contains(screen.deletedRow) else { return false }
            screen.comments.remove(at: screen.deletedRow)
            return true
        }
        guard isThere else { return .crashed("comments") }
        return answer.status == 200 ? .rendered : .lost("deletion")
    }
}
