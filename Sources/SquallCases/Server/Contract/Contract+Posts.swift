import SquallBackend
import SquallHTTP

extension Contract {
    /// `GET /v1/posts/{post_id}`, `GET /post/{post_id}`.
    mutating func show(_ call: Call) throws(Refusal) -> Answer {
        answer(with: try post(call, orElse: .postMissing), call)
    }

    /// `POST /v1/posts`: a post of the given members.
    mutating func createPost(_ call: Call) throws(Refusal) -> Answer {
        let body = try draft(call)
        return try create(body, call)
    }

    /// `POST /post`: the members and the files in one form.
    mutating func createPostWithFiles(_ call: Call) throws(Refusal) -> Answer {
        let (body, uploads) = try form(call)
        guard posts.hasRoom else { throw .postNotCreated }
        return try create(adding(uploads, to: body, call), call)
    }

    /// `PUT /v1/posts/{post_id}`: changes the members that are given.
    mutating func editPost(_ call: Call) throws(Refusal) -> Answer {
        let body = try draft(call)
        let post = try ownPost(call, orElse: .editedPostMissing, .editedPostNotOwned)
        posts.edit(post, with: body)
        return answer(with: post, call)
    }

    /// `PUT /post/{post_id}`: changes by a form, whose files replace those of the post.
    mutating func editPostWithFiles(_ call: Call) throws(Refusal) -> Answer {
        let (body, uploads) = try form(call)
        let post = try ownPost(call, orElse: .editedPostMissing, .editedPostNotOwned)
        posts.edit(post, with: adding(uploads, to: body, call))
        return answer(with: post, call)
    }

    /// `DELETE /v1/posts/{post_id}` responds with nothing, `DELETE /post/{post_id}` with the
    /// identifier.
    mutating func deletePost(_ call: Call) throws(Refusal) -> Answer {
        let post = try ownPost(call, orElse: .deletedPostMissing, .deletedPostNotOwned)
        posts.delete(post)
        guard call.year == .year2023 else { return .ok(.empty) }
        return .object { $0.member("_id", post.text) }
    }

    /// `POST /v1/posts/files`: one to five files, stored under names of their own.
    mutating func uploadFiles(_ call: Call) throws(Refusal) -> Answer {
        let form = try MultipartForm(call.request)
        try form.allowOnly(["files"])
        let uploads = try files.check(form, name: "files", countMax: 5, call.year)
        guard !uploads.isEmpty else { throw .badRequest }
        let paths = files.store(
            uploads, in: "uploads/posts", call.year, atMillisecond: epoch.milliseconds(at: call.now)
        )
        return .object { $0.member("files", paths) }
    }

    /// `GET /v1/uploads/…`, `GET /uploads/…`.
    mutating func file(_ call: Call) throws(Refusal) -> Answer {
        if let seeded = files.seeded(call.route) { return .ok(seeded) }
        guard let name = PercentDecoding.strict(call.route.first), let body = files.file(name[...])
        else { throw .unknownRoute }
        return .ok(body)
    }

    /// The post that the path names.
    func post(_ call: Call, orElse missing: Refusal) throws(Refusal) -> ObjectID {
        guard let id = try call.id(.post), posts.contains(id) else { throw missing }
        return id
    }

    private func ownPost(
        _ call: Call, orElse missing: Refusal, _ notOwned: Refusal
    ) throws(Refusal) -> ObjectID {
        let id = try post(call, orElse: missing)
        guard posts.author(of: id) == call.user else { throw notOwned }
        return id
    }

    private mutating func answer(with post: ObjectID, _ call: Call) -> Answer {
        .ok(Body(chunks: [posts.encoded(post, call.year, users)]))
    }

    private mutating func create(_ body: Post.Draft, _ call: Call) throws(Refusal) -> Answer {
        answer(with: try posts.create(body, by: call.user, at: call.now), call)
    }

    private func draft(_ call: Call) throws(Refusal) -> Post.Draft {
        guard let body = RequestBody.read(RequestBody.Draft.self, from: call.request.body) else {
            throw .badRequest
        }
        return body.draft
    }

    private func form(_ call: Call) throws(Refusal) -> (Post.Draft, [Upload]) {
        let form = try MultipartForm(call.request)
        try form.allowOnly(
            ["product_id", "title", "content", "file"] + (1...5).map { "content\($0)" })
        let uploads = try files.check(form, name: "file", countMax: 5, call.year)
        let contents = (1...5).map { form.text("content\($0)") }
        return (
            Post.Draft(
                productID: form.text("product_id"), title: form.text("title"),
                content: form.text("content"), extra: contents),
            uploads
        )
    }

    private mutating func adding(
        _ uploads: [Upload], to draft: Post.Draft, _ call: Call
    ) -> Post.Draft {
        var draft = draft
        if !uploads.isEmpty {
            draft.files = files.store(
                uploads, in: "uploads/posts", call.year,
                atMillisecond: epoch.milliseconds(at: call.now))
        }
        return draft
    }
}

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

    /// The page that a call asks for, if it was sent before and is still right.
    @inline(__always)
    private func knownPage(_ call: Call) -> Answer? {
        guard let known = pages[call], known.usersVersion == users.version,
            posts.areUnchanged(known.answer.page?.items ?? [], since: known.change)
        else { return nil }
        return known.answer
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
            of: ListID(list, keptBy: lists), by: .cursor, isFirst: window.cursor == nil,
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

extension Contract {
    /// `POST /v1/posts/{post_id}/comments`, `POST /post/{post_id}/comment`.
    mutating func createComment(_ call: Call) throws(Refusal) -> Answer {
        let content = try commentContent(call)
        let post = try post(call, orElse: .commentedPostMissing)
        let comment = Comment(
            id: try makeCommentID(at: call.now), author: call.user, content: content,
            createdAtMilliseconds: epoch.milliseconds(at: call.now))
        posts.change(post) { $0.comments.add(comment) }
        return .object { comment.write(into: &$0, call.keys, users) }
    }

    /// `PUT /v1/posts/{post_id}/comments/{comment_id}`, `PUT /post/{post_id}/comment/{comment_id}`.
    mutating func editComment(_ call: Call) throws(Refusal) -> Answer {
        let content = try commentContent(call)
        let (post, comment) = try ownComment(
            call, orElse: .editedCommentMissing, .editedCommentNotOwned)
        var edited = comment
        edited.content = content
        posts.change(post) { $0.comments.edit(comment.id, content: content) }
        return .object { edited.write(into: &$0, call.keys, users) }
    }

    /// `DELETE /v1/posts/{post_id}/comments/{comment_id}` responds with nothing, `DELETE
    /// /post/{post_id}/comment/{comment_id}` with the post's identifier.
    mutating func deleteComment(_ call: Call) throws(Refusal) -> Answer {
        let (post, comment) = try ownComment(
            call, orElse: .deletedCommentMissing, .deletedCommentNotOwned)
        posts.change(post) { $0.comments.remove(comment.id) }
        guard call.year == .year2023 else { return .ok(.empty) }
        return .object { $0.member("postID", post.text) }
    }

    /// `POST /v1/posts/{post_id}/like` and `/like-2`: sets a state, and echoes it.
    mutating func setLike(_ call: Call) throws(Refusal) -> Answer {
        guard let liked = Contract.state(in: call.request.body) else { throw .badRequest }
        let post = try post(call, orElse: .postMissing)
        let second = call.name == .like2
        posts.setLike(liked, second: second, of: post, by: call.user, users)
        return .ok(liked ? Contract.liked : Contract.notLiked)
    }

    /// `POST /post/like/{post_id}`: toggles the state, and responds with the new one.
    mutating func toggleLike(_ call: Call) throws(Refusal) -> Answer {
        let post = try post(call, orElse: .postMissing)
        let liked = !posts.isLiked(post, by: call.user)
        posts.setLike(liked, second: false, of: post, by: call.user, users)
        return .ok(liked ? Contract.liked : Contract.notLiked)
    }

    private func commentContent(_ call: Call) throws(Refusal) -> String {
        guard
            let content = RequestBody.read(RequestBody.Comment.self, from: call.request.body)?
                .content?.nonEmpty
        else { throw .missingContent }
        return content
    }

    private func ownComment(
        _ call: Call, orElse missing: Refusal, _ notOwned: Refusal
    ) throws(Refusal) -> (post: ObjectID, comment: Comment) {
        let post = try post(call, orElse: missing)
        guard let id = try call.commentID(), let comment = posts.comment(id, on: post) else {
            throw missing
        }
        guard comment.author == call.user else { throw notOwned }
        return (post, comment)
    }

    /// The state that a body sets; nearly all are written as the responses are.
    private static func state(in body: Body) -> Bool? {
        if body == liked { return true }
        if body == notLiked { return false }
        return RequestBody.read(RequestBody.Like.self, from: body)?.like_status
    }

    private static let liked = Body("{\"like_status\":true}")
    private static let notLiked = Body("{\"like_status\":false}")
}

extension Contract {
    /// `POST /v1/payments/validation`: books a payment that the provider has charged, once.
    mutating func validatePayment(_ call: Call) throws(Refusal) -> Answer {
        guard let payment = RequestBody.read(RequestBody.Payment.self, from: call.request.body),
            let impUID = payment.imp_uid?.nonEmpty, let postID = payment.post_id?.nonEmpty
        else { throw .missingValues }
        guard let id = ObjectID(.post, text: postID), let post = posts[id] else {
            throw .postMissing
        }
        let booked = try ledger.validate(impUID, for: post, by: call.user, at: call.now)
        posts.addBuyer(call.user, of: id, users)
        return .object { booked.write(into: &$0, users) }
    }

    /// `GET /v1/payments/me`: all payments of the user, oldest first.
    func payments(_ call: Call) -> Answer {
        let booked = ledger.payments(of: call.user)
        return .object { object in
            object.member(
                "data",
                array: { list in
                    for payment in booked { list.object { payment.write(into: &$0, users) } }
                })
        }
    }
}
