import SquallHTTP

/// The protocol of August 2024, in the order of its description.
extension Operation {
    static let year2024: [Operation] = accounts2024 + posts2024 + reactions2024 + payments2024

    private static let accounts2024 = [
        row(
            .post, "/v1/users/join", .join, "Make an account.", access: .open,
            takes: .json(Member.join), gives: .json("Join"),
            refuses: [.missingValues, .nickWithSpace, .alreadyJoined],
            by: { (contract, call) throws(Refusal) in try contract.join(call) }),
        row(
            .post, "/v1/validation/email", .validateEmail, "Ask whether an e-mail is free.",
            access: .open, takes: .json([Member("email")]), gives: .json("Message"),
            refuses: [.missingValues, .emailInUse],
            by: { (contract, call) throws(Refusal) in try contract.validateEmail(call) }),
        row(
            .post, "/v1/users/login", .login, "Sign in.", access: .open,
            takes: .json([Member("email"), Member("password")]), gives: .json("Login"),
            refuses: [.missingValues, .unknownCredentials],
            by: { (contract, call) throws(Refusal) in try contract.logIn(call) }),
        row(
            .get, "/v1/auth/refresh", .refresh, "Buy a new access token.", access: .refreshToken,
            gives: .json("Refresh"),
            refuses: [.unverifiableToken, .forbidden, .refreshTokenExpired],
            by: { (contract, call) throws(Refusal) in try contract.refresh(call) }),
        row(
            .get, "/v1/users/withdraw", .withdraw, "End one's account.", gives: .json("Withdraw"),
            by: { (contract, call) throws(Refusal) in contract.withdraw(call) }),
        row(
            .get, "/v1/users/me/profile", .profile, "Read one's own profile.",
            gives: .json("MyProfile"),
            by: { (contract, call) throws(Refusal) in contract.profile(call) }),
        row(
            .put, "/v1/users/me/profile", .editProfile, "Change one's own profile.",
            takes: .form(Member.profileForm), gives: .json("MyProfile"),
            refuses: [.badRequest, .nickWithSpace, .nickInUse],
            by: { (contract, call) throws(Refusal) in try contract.editProfile(call) }),
        row(
            .get, "/v1/users/{user_id}/profile", .otherProfile, "Read another user's profile.",
            gives: .json("OtherProfile"), refuses: [.badRequest, .accountMissing],
            by: { (contract, call) throws(Refusal) in try contract.otherProfile(call) }),
    ]

    private static let posts2024 = [
        row(
            .post, "/v1/posts/files", .uploadFiles, "Store files for a post to come.",
            takes: .form([Member("files", .list(.file))]), gives: .json("Files"),
            refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.uploadFiles(call) }),
        row(
            .post, "/v1/posts", .createPost, "Write a post.", takes: .json(Member.post2024),
            gives: .json("Post"), refuses: [.badRequest, .postNotCreated],
            by: { (contract, call) throws(Refusal) in try contract.createPost(call) }),
        row(
            .get, "/v1/posts", .posts, "Read a page of all posts.",
            query: Member.page + [Member.product], gives: .json("PostPage"),
            refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.list(call) }),
        row(
            .get, "/v1/posts/{post_id}", .post, "Read one post.", gives: .json("Post"),
            refuses: [.badRequest, .postMissing],
            by: { (contract, call) throws(Refusal) in try contract.show(call) }),
        row(
            .put, "/v1/posts/{post_id}", .editPost, "Change the members that are given.",
            takes: .json(Member.post2024), gives: .json("Post"),
            refuses: [.badRequest, .editedPostMissing, .editedPostNotOwned],
            by: { (contract, call) throws(Refusal) in try contract.editPost(call) }),
        row(
            .delete, "/v1/posts/{post_id}", .deletePost, "Delete one's post.", gives: .empty,
            refuses: [.badRequest, .deletedPostMissing, .deletedPostNotOwned],
            by: { (contract, call) throws(Refusal) in try contract.deletePost(call) }),
        row(
            .get, "/v1/posts/users/{user_id}", .userPosts, "Read a page of an author's posts.",
            query: Member.page + [Member.product], gives: .json("PostPage"),
            refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.userList(call) }),
        row(
            .get, "/v1/posts/hashtags", .hashtags, "Read a page of the posts with a hashtag.",
            query: Member.page + [Member.product, Member("hashTag")], gives: .json("PostPage"),
            refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.taggedList(call) }),
        row(
            .get, "/v1/uploads/{path}", .file, "Read a file.", gives: .bytes,
            refuses: [.unknownRoute],
            by: { (contract, call) throws(Refusal) in try contract.file(call) }),
    ]

    private static let reactions2024 = [
        row(
            .post, "/v1/posts/{post_id}/comments", .createComment, "Comment on a post.",
            takes: .json([Member("content")]), gives: .json("Comment"),
            refuses: [
                .missingContent, .badRequest, .commentedPostMissing, .commentNotCreated,
            ],
            by: { (contract, call) throws(Refusal) in try contract.createComment(call) }),
        row(
            .put, "/v1/posts/{post_id}/comments/{comment_id}", .editComment,
            "Change one's comment.", takes: .json([Member("content")]), gives: .json("Comment"),
            refuses: [
                .missingContent, .badRequest, .editedCommentMissing, .editedCommentNotOwned,
            ],
            by: { (contract, call) throws(Refusal) in try contract.editComment(call) }),
        row(
            .delete, "/v1/posts/{post_id}/comments/{comment_id}", .deleteComment,
            "Delete one's comment.", gives: .empty,
            refuses: [.badRequest, .deletedCommentMissing, .deletedCommentNotOwned],
            by: { (contract, call) throws(Refusal) in try contract.deleteComment(call) }),
        row(
            .post, "/v1/posts/{post_id}/like", .like, "Set whether one likes a post.",
            takes: .json([Member("like_status", .flag)]), gives: .json("Like"),
            refuses: [.badRequest, .postMissing],
            by: { (contract, call) throws(Refusal) in try contract.setLike(call) }),
        row(
            .post, "/v1/posts/{post_id}/like-2", .like2,
            "Set whether one likes a post in the second way.",
            takes: .json([Member("like_status", .flag)]), gives: .json("Like"),
            refuses: [.badRequest, .postMissing],
            by: { (contract, call) throws(Refusal) in try contract.setLike(call) }),
        row(
            .get, "/v1/posts/likes/me", .likes, "Read a page of the posts one likes.",
            query: Member.page, gives: .json("PostPage"), refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.likedList(call) }),
        row(
            .get, "/v1/posts/likes-2/me", .likes2,
            "Read a page of the posts one likes in the second way.", query: Member.page,
            gives: .json("PostPage"), refuses: [.badRequest],
            by: { (contract, call) throws(Refusal) in try contract.likedList(call) }),
        row(
            .post, "/v1/follow/{user_id}", .follow, "Follow an account.", gives: .json("Follow"),
            refuses: [.badRequest, .alreadyFollowing, .accountMissing],
            by: { (contract, call) throws(Refusal) in try contract.follow(call) }),
        row(
            .delete, "/v1/follow/{user_id}", .unfollow, "Stop following an account.",
            gives: .json("Follow"), refuses: [.badRequest, .accountMissing],
            by: { (contract, call) throws(Refusal) in try contract.unfollow(call) }),
    ]

    private static let payments2024 = [
        row(
            .post, "/v1/payments/validation", .validatePayment, "Book a payment, once.",
            takes: .json([Member("imp_uid"), Member("post_id")]), gives: .json("Payment"),
            refuses: [.missingValues, .invalidPayment, .alreadyValidated, .postMissing],
            by: { (contract, call) throws(Refusal) in try contract.validatePayment(call) }),
        row(
            .get, "/v1/payments/me", .payments, "Read one's payments.",
            gives: .json("PaymentList"),
            by: { (contract, call) throws(Refusal) in contract.payments(call) }),
    ]

    private static let row = OperationRow(year: .year2024)
}

extension Member {
    static let page = [Member("next", isRequired: false), Member("limit", isRequired: false)]
    static let product = Member("product_id", isRequired: false)

    static let join = [
        Member("email"), Member("password"), Member("nick"),
        Member("phoneNum", isRequired: false), Member("birthDay", isRequired: false),
    ]

    static let profileForm = [
        Member("nick", isRequired: false), Member("phoneNum", isRequired: false),
        Member("birthDay", isRequired: false), Member("profile", .file, isRequired: false),
    ]

    /// What an author may say about a post.
    static let texts =
        ["product_id", "title", "content"].map { Member($0, isRequired: false) }
        + (1...5).map { Member("content\($0)", isRequired: false) }

    static let post2024 =
        texts + [
            Member("price", .integer, isRequired: false),
            Member("files", .list(.text), isRequired: false),
        ]

    static let post2023 = texts + [Member("file", .list(.file), isRequired: false)]
}
