internal import HTTP
internal import Kernel

/// Lists, posts and files.
extension Contract {
    /// `GET /v1/posts` and `GET /v1/posts/hashtags`.
    func list(_ request: URLRequest, _ endpoint: Endpoint) -> Answer {
        let query = Query(request.url.query)
        let tag = query["hashTag"]
        guard let window = window(query), endpoint == .posts || tag != nil else {
            return .refused(.badRequest)
        }
        let selection = PostStore.Selection(
            productID: query["product_id"], hashTag: endpoint == .posts ? nil : tag)
        guard let page = posts.page(of: selection, window) else { return .refused(.badRequest) }
        return .page(page.body(users, caching: caching), items: page.posts.count)
    }

    /// `GET /v1/posts/likes/me` and `GET /v1/posts/likes-2/me`, latest like first.
    func likedList(_ request: URLRequest, second: Bool, by user: Int) -> Answer {
        guard let window = window(Query(request.url.query)),
            let page = posts.likedPage(second: second, by: user, window)
        else { return .refused(.badRequest) }
        return .page(page.body(users, caching: caching), items: page.posts.count)
    }

    /// `GET /v1/posts/{post_id}`.
    func show(_ route: Route) -> Answer {
        switch find(route) {
        case .failure(let refusal): .refused(refusal)
        case .success(let post): .ok(Body(chunks: [post.encoded(users, caching: caching)]))
        }
    }

    /// `GET /v1/uploads/…`.
    func file(_ request: URLRequest) -> Answer {
        guard let blob = FileStore.blob(at: request.url.path) else {
            return .refused(.unknownRoute)
        }
        return .ok(Body(blob))
    }

    /// The post a path names: malformed identifiers are a server error, unknown ones are gone.
    func find(_ route: Route, orElse missing: Refusal = .postMissing) -> Result<Post, Refusal> {
        guard ObjectID.isWellFormed(route.postID) else { return .failure(.serverError) }
        guard let id = ObjectID(.post, text: route.postID), let post = posts[id] else {
            return .failure(missing)
        }
        return .success(post)
    }

    /// Reads `next` and `limit`; `nil` when either is malformed.
    ///
    /// A cursor of `0` means the first page, as does none.
    private func window(_ query: Query) -> PageWindow? {
        var window = PageWindow(limit: Contract.defaultLimit)
        if let limit = query["limit"] {
            guard let number = Int(limit), number > 0 else { return nil }
            window.limit = min(number, Contract.limitMax)
        }
        if let next = query["next"], next != "0" {
            guard let cursor = ObjectID(.post, text: next) else { return nil }
            window.cursor = cursor
        }
        return window
    }
}
