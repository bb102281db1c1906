import SquallBackend
import SquallHTTP
import SquallKernel

/// Pages of posts, newest first.
extension Contract {
    /// `GET /v1/posts`, `GET /post`.
    mutating func list(_ call: Call) throws(Refusal) -> Answer {
        if let known = knownPage(call) { return known }
        return try page(of: PostStore.Selection(productID: call.query["product_id"]), call)
    }

    /// `GET /v1/posts/hashtags`, `GET /post/hashTag`: one whole tag, without its number sign.
    ///
    /// No post has an empty tag. That this is no error is inferred: 이책저책 asks for it whenever its
    /// search appears, and would greet every user with a toast.
    mutating func taggedList(_ call: Call) throws(Refusal) -> Answer {
        if let known = knownPage(call) { return known }
        let query = call.query
        guard query.names("hashTag") else { throw .badRequest }
        let selection = PostStore.Selection(
            productID: query["product_id"], hashTag: query["hashTag"] ?? "")
        return try page(of: selection, call)
    }

    /// `GET /v1/posts/users/{user_id}`, `GET /post/user/{user_id}`: empty for an unknown user.
    mutating func userList(_ call: Call) throws(Refusal) -> Answer {
        let window = try window(call.query)
        guard let id = try call.id(.user), let author = users.number(of: id) else {
            // An author that no user has.
            let none = PostStore.Selection(author: -1)
            return answer(with: Page(), of: .posts(none), window, call)
        }
        let selection = PostStore.Selection(
            productID: call.query["product_id"], author: Int32(author))
        let page = try posts.page(of: selection, window)
        return answer(with: page, of: .posts(selection), window, call)
    }

    /// `GET /v1/posts/likes/me` and `likes-2/me`, `GET /post/like/me`: latest like first.
    mutating func likedList(_ call: Call) throws(Refusal) -> Answer {
        let isSecond = call.name == .likes2
        let window = try window(call.query)
        let page = try posts.likedPage(second: isSecond, by: call.user, window)
        return answer(with: page, of: .liked(user: call.user, isSecond: isSecond), window, call)
    }

    private mutating func page(
        of selection: PostStore.Selection, _ call: Call
    ) throws(Refusal) -> Answer {
        let window = try window(call.query)
        let page = try posts.page(of: selection, window)
        let answer = answer(with: page, of: .posts(selection), window, call)
        pages.keep(answer, to: call, change: posts.changes, usersVersion: users.version)
        return answer
    }

    /// The page that a call asks for, if it was answered before and is still right.
    private func knownPage(_ call: Call) -> Answer? {
        guard let known = pages[call], known.usersVersion == users.version,
            posts.areUnchanged(known.answer.page?.items ?? [], since: known.change)
        else { return nil }
        var answer = known.answer
        answer.page = answer.page?.kept(by: call.keeper)
        return answer
    }

    /// The page as JSON: shared pieces, one for each post.
    private mutating func answer(
        with page: Page, of list: PostList, _ window: PageWindow, _ call: Call
    ) -> Answer {
        var chunks: [BodyChunk] = []
        chunks.reserveCapacity(page.posts.count * 2 + 2)
        for number in page.posts {
            chunks.append(chunks.isEmpty ? Page.opening : Page.comma)
            chunks.append(posts.encoded(number, call.year, users))
        }
        if chunks.isEmpty { chunks.append(Page.opening) }
        chunks.append(page.nextCursor.map { Page.closing($0.text) } ?? Page.lastClosing)
        var answer = Answer.ok(Body(chunks: chunks))
        answer.page = ListPage(
            of: ListID(list, keptBy: call.keeper), by: .cursor, isFirst: window.cursor == nil,
            isLast: page.nextCursor == nil, items: page.posts, itemsEver: posts.count,
            rowsScanned: page.posts.count)
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
