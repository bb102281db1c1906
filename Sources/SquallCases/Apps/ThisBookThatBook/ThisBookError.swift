/// 이책저책's names for errors; they are the keys of its texts.
enum ThisBookError: String, Error, Sendable {
    case standard = "default"
    case loginEmptyData, loginInvalidData
    case signupExistUser, signupInvalidEmail, existNickname
    case expiredToken
    case invalidPost, invalidPostRequest, invalidDeletePostRequest, invalidDeleteCommentRequest
    case invalidLikePostRequest, emptyContent, invalidPayRequest, noPostToPay

    /// The app's error for a status, which depends on the call; 200 is no error.
    ///
    /// Every status that a call does not expect is the default: 401, 403, 420, 429, 444, 445 and
    /// 500 look the same to the user.
    init?(status: Int, of call: AppCall<ThisBookThatBook>) {
        switch (status, call.name) {
        case (200, _): return nil
        case (400, .login): self = .loginEmptyData
        case (400, .createPost), (400, .post): self = .invalidPostRequest
        case (400, .like), (400, .bookmark): self = .invalidLikePostRequest
        case (400, .comment): self = .emptyContent
        case (400, .payment): self = .invalidPayRequest
        case (401, .login): self = .loginInvalidData
        case (409, .join): self = .signupExistUser
        case (409, .validateEmail): self = .signupInvalidEmail
        case (409, .editProfile): self = .existNickname
        case (410, .createPost), (410, .like), (410, .bookmark), (410, .comment):
            self = .invalidPost
        case (410, .deletePost): self = .invalidDeletePostRequest
        case (410, .deleteComment): self = .invalidDeleteCommentRequest
        case (410, .payment): self = .noPostToPay
        case (419, _): self = .expiredToken
        default: self = .standard
        }
    }
}
