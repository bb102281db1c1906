/// 이책저책's names for what can go wrong; they are the keys of its texts.
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
    init?(status: Int, of target: ThisBookTarget) {
        switch status {
        case 200: return nil
        case 419: self = .expiredToken
        case 400: self = target.badRequest
        case 409: self = target.conflict
        case 410: self = target.gone
        case 401:
            if case .login = target { self = .loginInvalidData } else { self = .standard }
        default: self = .standard
        }
    }
}

extension ThisBookTarget {
    fileprivate var badRequest: ThisBookError {
        switch self {
        case .login: .loginEmptyData
        case .createPost, .post: .invalidPostRequest
        case .like, .bookmark: .invalidLikePostRequest
        case .comment: .emptyContent
        case .payment: .invalidPayRequest
        default: .standard
        }
    }

    fileprivate var conflict: ThisBookError {
        switch self {
        case .join: .signupExistUser
        case .validateEmail: .signupInvalidEmail
        case .editProfile: .existNickname
        default: .standard
        }
    }

    fileprivate var gone: ThisBookError {
        switch self {
        case .createPost, .like, .bookmark, .comment: .invalidPost
        case .deletePost: .invalidDeletePostRequest
        case .deleteComment: .invalidDeleteCommentRequest
        case .payment: .noPostToPay
        default: .standard
        }
    }
}
