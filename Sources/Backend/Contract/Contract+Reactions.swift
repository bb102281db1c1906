internal import HTTP
internal import Kernel

/// Comments, likes and payments.
extension Contract {
    /// `POST /v1/posts/{post_id}/comments`.
    mutating func comment(
        _ request: URLRequest, _ route: Route, by user: Int, at now: Instant
    ) -> Answer {
        guard let content = RequestBody.read(RequestBody.Comment.self, from: request.body)?.content
        else { return .refused(.missingContent) }
        switch find(route, orElse: .commentTargetMissing) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let post):
            let comment = Comment(
                id: makeCommentID(at: now), author: user, content: content,
                createdAt: Timestamp.text(now))
            post.add(comment)
            var writer = JSONWriter()
            writer.object { comment.write(into: &$0, users) }
            return .ok(writer.body)
        }
    }

    /// `DELETE /v1/posts/{post_id}/comments/{comment_id}`: an empty body.
    func deleteComment(_ route: Route, by user: Int) -> Answer {
        guard ObjectID.isWellFormed(route.commentID) else { return .refused(.serverError) }
        switch find(route, orElse: .commentMissing) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let post):
            guard let id = ObjectID(.comment, text: route.commentID),
                let index = post.comments.firstIndex(where: { $0.id == id })
            else { return .refused(.commentMissing) }
            guard post.comments[index].author == user else { return .refused(.notCommentOwner) }
            post.removeComment(at: index)
            return .ok(.empty)
        }
    }

    /// `POST /v1/posts/{post_id}/like` and `/like-2`: sets a state, and echoes it.
    mutating func like(_ request: URLRequest, _ route: Route, by user: Int) -> Answer {
        guard let liked = RequestBody.read(RequestBody.Like.self, from: request.body)?.like_status
        else { return .refused(.badRequest) }
        switch find(route) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let post):
            posts.setLike(liked, second: route.endpoint == .like2, of: post, by: user, users)
            return .ok(liked ? Contract.liked : Contract.notLiked)
        }
    }

    /// `POST /v1/payments/validation`: books a payment that the provider has taken, once.
    mutating func validatePayment(_ request: URLRequest, by user: Int, at now: Instant) -> Answer {
        guard let payment = RequestBody.read(RequestBody.Payment.self, from: request.body),
            let impUID = payment.imp_uid, let postID = payment.post_id
        else { return .refused(.missingValues) }
        guard let id = ObjectID(.post, text: postID), let post = posts[id] else {
            return .refused(.postMissing)
        }
        switch ledger.validate(impUID, for: post, by: user, at: now) {
        case .failure(let refusal): return .refused(refusal)
        case .success(let booked):
            post.addBuyer(user, users)
            var writer = JSONWriter()
            writer.object { booked.write(into: &$0, users) }
            return .ok(writer.body)
        }
    }

    private static let liked = Body("{\"like_status\":true}")
    private static let notLiked = Body("{\"like_status\":false}")
}
