internal import HTTP
internal import Kernel

/// Pages of posts, newest first.
extension Contract {
    /// `GET /v1/posts`, `GET /post`.
    mutating func list(_ call: Call) throws(Refusal) -> Answer {
        try page(of: PostStore.Selection(productID: call.query["product_id"]), call)
    }

    /// `GET /v1/posts/hashtags`, `GET /post/hashTag`: one whole tag, without its number sign.
    mutating func taggedList(_ call: Call) throws(Refusal) -> Answer {
        let query = call.query
        guard let tag = query["hashTag"] else { throw .badRequest }
        return try page(
            of: PostStore.Selection(productID: query["product_id"], hashTag: tag), call)
    }

    /// `GET /v1/posts/users/{user_id}`, `GET /post/user/{user_id}`: nothing of nobody.
    mutating func userList(_ call: Call) throws(Refusal) -> Answer {
        let window = try window(call.query)
        guard let id = try call.id(.user), let author = users.number(of: id) else {
            return answer(with: Page(), call)
        }
        let selection = PostStore.Selection(
            productID: call.query["product_id"], author: Int32(author))
        return answer(with: try posts.page(of: selection, window), call)
    }

    /// `GET /v1/posts/likes/me` and `likes-2/me`, `GET /post/like/me`: latest like first.
    mutating func likedList(_ call: Call) throws(Refusal) -> Answer {
        let page = try posts.likedPage(
            second: call.route.endpoint == .likes2, by: call.user, try window(call.query))
        return answer(with: page, call)
    }

    private mutating func page(
        of selection: PostStore.Selection, _ call: Call
    ) throws(Refusal) -> Answer {
        answer(with: try posts.page(of: selection, try window(call.query)), call)
    }

    /// The page as JSON: shared pieces, one for each post.
    private mutating func answer(with page: Page, _ call: Call) -> Answer {
        var chunks = [Page.opening]
        chunks.reserveCapacity(page.posts.count * 2 + 1)
        for number in page.posts {
            if chunks.count > 1 { chunks.append(Page.comma) }
            chunks.append(posts.encoded(number, call.generation, users))
        }
        chunks.append(page.nextCursor.map { Page.closing($0.text) } ?? Page.lastClosing)
        var answer = Answer.ok(Body(chunks: chunks))
        answer.items = page.posts.count
        answer.rowsScanned = page.posts.count
        return answer
    }

    /// Reads `next` and `limit`; a cursor of `0` means the first page, as does none.
    private func window(_ query: Query) throws(Refusal) -> PageWindow {
        var window = PageWindow(limit: Contract.defaultLimit)
        if let limit = query["limit"] {
            guard let number = Int(limit), number > 0 else { throw .badRequest }
            window.limit = min(number, Contract.limitMax)
        }
        if let next = query["next"], next != "0" {
            guard let cursor = ObjectID(.post, text: next) else { throw .badRequest }
            window.cursor = cursor
        }
        return window
    }
}
