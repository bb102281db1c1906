import SquallBackend
import SquallHTTP
import SquallKernel

/// Posts and files.
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

    /// `PUT /post/{post_id}`: the same with a form, whose files replace those of the post.
    mutating func editPostWithFiles(_ call: Call) throws(Refusal) -> Answer {
        let (body, uploads) = try form(call)
        let post = try ownPost(call, orElse: .editedPostMissing, .editedPostNotOwned)
        posts.edit(post, with: adding(uploads, to: body, call))
        return answer(with: post, call)
    }

    /// `DELETE /v1/posts/{post_id}` answers with nothing, `DELETE /post/{post_id}` with the
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
    func file(_ call: Call) throws(Refusal) -> Answer {
        let name = call.route.first
        if name.hasPercentSign {
            guard let decoded = PercentDecoding.strict(name), let body = files.file(decoded[...])
            else { throw .unknownRoute }
            return .ok(body)
        }
        guard let body = files.file(name) else { throw .unknownRoute }
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
        guard let body = RequestBody.judged(RequestBody.Draft.self, call.request.body) else {
            throw .badRequest
        }
        return body.draft
    }

    private func form(_ call: Call) throws(Refusal) -> (Post.Draft, [Upload]) {
        let form = try MultipartForm(call.request)
        try form.allowOnly(Member.post2023.map(\.name))
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
