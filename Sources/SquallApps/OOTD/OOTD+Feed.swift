import SquallClient
import Synchronization

/// Posting, and the feed that was announced.
extension OOTD {
    /// Picks up to three pictures and posts the first of them.
    ///
    /// The preview has room for one; two or more picked pictures end the app.
    func post(_ content: String, pictures: Int) async -> StepOutcome {
        guard pictures > 0 else { return .nothingToDo }
        guard pictures == 1 else { return .crashed("preview") }
        guard await buttons.post.admit() else { return .nothingToDo }
        let photo = Photo(.jpeg, kilobytes: 100...900, choices: choices)
        let target = OOTDTarget.createPost(content: content, photo)
        return shown(await api.single(target, as: OOTDPost.self), of: .createPost)
    }

    /// The feed's first page; synthetic, because the app's own was never published.
    func openFeed() async -> StepOutcome {
        feed.withLock { $0 = OOTDFeed() }
        return await loadPage()
    }

    /// The feed's next page, if there is one; synthetic as well.
    func scrollFeed() async -> StepOutcome {
        let cursor = feed.withLock { $0.cursor }
        guard cursor != "0", !cursor.isEmpty else { return .nothingToDo }
        return await loadPage()
    }

    private func loadPage() async -> StepOutcome {
        let cursor = feed.withLock { $0.cursor }
        let answer = await api.single(.posts(next: cursor), as: OOTDPage.self)
        guard let page = answer.value else { return shown(answer, of: .posts) }
        feed.withLock { feed in
            feed.rows += page.items
            feed.cursor = page.nextCursor
        }
        return .rendered
    }
}
