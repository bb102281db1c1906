import SquallApps
import SquallClient
import SquallHTTP
import Synchronization

extension OOTD {
    /// Picks up to three pictures and posts the first of them.
    ///
    /// Each picked picture is put into its place of the preview, which holds one. A second
    /// picture's place does not exist, and the app crashes.
    func post(_ content: String, pictures: Int) async -> StepOutcome {
        guard pictures > 0 else { return .nothingToDo }
        let photos = (0..<pictures).map { _ in
            Photo(.jpeg, kilobytes: 100...900, choices: choices)
        }
        var preview: [Photo?] = [nil]
        for (place, photo) in photos.enumerated() {
            guard preview.indices.contains(place) else { return .crashed("preview") }
            preview[place] = photo
        }
        guard let first = preview[0], await taps(.createPost).admit() else { return .nothingToDo }
        guard !isDead(.createPost) else { return Self.deadButton }
        let answer = await single(.createPost, as: OOTDPost.self) { form in
            form.append(Body(content), withName: "content")
            form.append(first.body, withName: "file", fileName: "ootd.jpg", mimeType: "image/jpeg")
            form.append(Body(Self.product), withName: "product_id")
        }
        if answer.value != nil { hasPosted.withLock { $0 = true } }
        return shown(answer, of: .createPost)
    }

    /// Opens the editor, a new screen, and posts from it.
    func openEditor(pictures: Int) async -> StepOutcome {
        ended.withLock { _ = $0.remove(.createPost) }
        hasPosted.withLock { $0 = false }
        return await post("오늘의 코디 #ootd", pictures: pictures)
    }

    /// Taps the open editor's button again, if it has not posted yet.
    func postAgain() async -> StepOutcome {
        guard !hasPosted.withLock({ $0 }) else { return .nothingToDo }
        return await post("오늘의 코디 #ootd", pictures: 1)
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
            feed.rows = feed.rows.appending(page.items)
            feed.cursor = page.nextCursor
        }
        images.show(
            page.items.prefix(Self.rowsInSight).flatMap { $0.image.prefix(1) }, as: image)
        return .rendered
    }

    /// A picture, which Kingfisher loads with the token of this moment.
    func image(_ file: StoredFile) -> URLRequest {
        URLRequest(
            url: WebURL(origin: LSLP.origin2023, path: "/" + file.name),
            headers: ["SesacKey": LSLP.Key.ootd, "Authorization": keychain.read(.token) ?? ""])
    }

    /// How many rows are in sight at once; an assumption, as the feed is ours.
    private static let rowsInSight = 3
}
