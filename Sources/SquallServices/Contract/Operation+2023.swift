import SquallHTTP

/// The protocol of November 2023, which had no version in its paths.
extension Operation {
    static let year2023: [Operation] = accounts2023 + posts2023 + reactions2023

    private static let accounts2023 = [
        row(
            .post, "/join", .join, "Make an account.", access: .open,
            takes: .json(Member.join), gives: .json("Join"),
            refuses: [.missingValues, .alreadyJoined],
            by: { (contract, call) throws(Refusal) in try contract.join(call) }),
        row(
            .post, "/validation/email", .validateEmail, "Ask whether an e-mail is free.",
            access: .open, takes: .json([Member("email")]), gives: .json("Message"),
            refuses: [.missingValues, .emailInUse],
            by: { (contract, call) throws(Refusal) in try contract.validateEmail(call) }),
        row(
            .post, "/login", .login, "Sign in.", access: .open,
            takes: .json([Member("email"), Member("password")]), gives: .json("Login"),
            refuses: [.missingValues, .unknownCredentials],
            by: { (contract, call) throws(Refusal) in try contract.logIn(call) }),
        row(
            .get, "/refresh", .refresh, "Buy a new access token for an expired one.",
            access: .refreshToken, gives: .json("Refresh"),
            refuses: [
                .unverifiableAccessToken, .forbidden, .accessTokenNotExpired, .refreshTokenExpired,
            ],
            by: { (contract, call) throws(Refusal) in try contract.refresh(call) }),
        row(
            .get, "/withdraw", .withdraw, "End one's account.", gives: .json("Withdraw"),
            by: { (contract, call) throws(Refusal) in contract.withdraw(call) }),
        row(
            .get, "/profile/me", .profile, "Read one's own profile.", gives: .json("MyProfile"),
            by: { (contract, call) throws(Refusal) in contract.profile(call) }),
        row(
            .put, "/profile/me", .editProfile, "Change one's own profile.",
            takes: .form(Member.profileForm), gives: .json("MyProfile"),
            refuses: [.badRequest, .nickInUse],
            by: { (contract, call) throws(Refusal) in try contract.editProfile(call) }),
        row(
            .get, "/profile/{user_id}", .otherProfile, "Read another user's profile.",
            gives: .json("OtherProfile"), refuses: [.badRequest, .accountMissing],
            by: { (contract, call) throws(Refusal) in try contract.otherProfile(call) }),
    ]

    private static let posts2023 = [
        row(
            .post, "/post", .createPost, "Write a post together with its files.",
            takes: .form(Member.post2023), gives: .json("Post"),
            refuses: [.badRequest, .postNotCreated],
            by: { (contract, call) throws(Refusal) in try contract.createPostWithFiles(call) }),
        row(
            .get, "/post", .posts, "Read a page of all posts.",
            query: Member.page + [Member.product], gives: .json("PostPage"),
            refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.list(call) }),
        row(
            .get, "/post/{post_id}", .post, "Read one post.", gives: .json("Post"),
            refuses: [.badRequest, .postMissing],
            by: { (contract, call) throws(Refusal) in try contract.show(call) }),
        row(
            .put, "/post/{post_id}", .editPost, "Change the members that are given.",
            takes: .form(Member.post2023), gives: .json("Post"),
            refuses: [.badRequest, .editedPostMissing, .editedPostNotOwned],
            by: { (contract, call) throws(Refusal) in try contract.editPostWithFiles(call) }),
        row(
            .delete, "/post/{post_id}", .deletePost, "Delete one's post.",
            gives: .json("DeletedPost"),
            refuses: [.badRequest, .deletedPostMissing, .deletedPostNotOwned],
            by: { (contract, call) throws(Refusal) in try contract.deletePost(call) }),
        row(
            .get, "/post/user/{user_id}", .userPosts, "Read a page of an author's posts.",
            query: Member.page + [Member.product], gives: .json("PostPage"),
            refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.userList(call) }),
        row(
            .get, "/post/hashTag", .hashtags, "Read a page of the posts with a hashtag.",
            query: Member.page + [Member.product, Member("hashTag")], gives: .json("PostPage"),
            refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.taggedList(call) }),
        row(
            .get, "/uploads/{path}", .file, "Read a file.", gives: .bytes,
            refuses: [.unknownRoute],
            by: { (contract, call) throws(Refusal) in try contract.file(call) }),
    ]

    private static let reactions2023 = [
        row(
            .post, "/post/{post_id}/comment", .createComment, "Comment on a post.",
            takes: .json([Member("content")]), gives: .json("Comment"),
            refuses: [
                .missingContent, .badRequest, .commentedPostMissing, .commentNotCreated,
            ],
            by: { (contract, call) throws(Refusal) in try contract.createComment(call) }),
        row(
            .put, "/post/{post_id}/comment/{comment_id}", .editComment, "Change one's comment.",
            takes: .json([Member("content")]), gives: .json("Comment"),
            refuses: [
                .missingContent, .badRequest, .editedCommentMissing, .editedCommentNotOwned,
            ],
            by: { (contract, call) throws(Refusal) in try contract.editComment(call) }),
        row(
            .delete, "/post/{post_id}/comment/{comment_id}", .deleteComment,
            "Delete one's comment.", gives: .json("DeletedComment"),
            refuses: [.badRequest, .deletedCommentMissing, .deletedCommentNotOwned],
            by: { (contract, call) throws(Refusal) in try contract.deleteComment(call) }),
        row(
            .post, "/post/like/{post_id}", .like, "Like a post, or no longer.",
            gives: .json("Like"), refuses: [.badRequest, .postMissing],
            by: { (contract, call) throws(Refusal) in try contract.toggleLike(call) }),
        row(
            .get, "/post/like/me", .likes, "Read a page of the posts one likes.",
            query: Member.page, gives: .json("PostPage"), refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.likedList(call) }),
        row(
            .post, "/follow/{user_id}", .follow, "Follow an account.", gives: .json("Follow"),
            refuses: [.badRequest, .alreadyFollowing, .accountMissing],
            by: { (contract, call) throws(Refusal) in try contract.follow(call) }),
        row(
            .delete, "/follow/{user_id}", .unfollow, "Stop following an account.",
            gives: .json("Follow"), refuses: [.badRequest, .accountMissing],
            by: { (contract, call) throws(Refusal) in try contract.unfollow(call) }),
    ]

    private static let row = OperationRow(year: .year2023)
}
