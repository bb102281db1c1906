import SquallBackend
import SquallHTTP
import SquallKernel

/// Comments and likes.
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

    /// `DELETE /v1/posts/{post_id}/comments/{comment_id}` answers with nothing,
    /// `DELETE /post/{post_id}/comment/{comment_id}` with the post's identifier.
    mutating func deleteComment(_ call: Call) throws(Refusal) -> Answer {
        let (post, comment) = try ownComment(
            call, orElse: .deletedCommentMissing, .deletedCommentNotOwned)
        posts.change(post) { $0.comments.remove(comment.id) }
        guard call.year == .year2023 else { return .ok(.empty) }
        return .object { $0.member("postID", post.text) }
    }

    /// `POST /v1/posts/{post_id}/like` and `/like-2`: sets a state, and echoes it.
    mutating func setLike(_ call: Call) throws(Refusal) -> Answer {
        guard
            let liked = RequestBody.read(RequestBody.Like.self, from: call.request.body)?
                .like_status
        else { throw .badRequest }
        let post = try post(call, orElse: .postMissing)
        let second = call.name == .like2
        posts.setLike(liked, second: second, of: post, by: call.user, users)
        return .ok(liked ? Contract.liked : Contract.notLiked)
    }

    /// `POST /post/like/{post_id}`: toggles the state and answers the new one.
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

    private static let liked = Body("{\"like_status\":true}")
    private static let notLiked = Body("{\"like_status\":false}")
}
