import SquallBackend
import SquallHTTP

/// Every refusal of the contract, with its status and its words.
public enum Refusal: Int, Error, CaseIterable, Sendable {
    /// A required member is missing, empty or of the wrong type.
    case missingValues
    /// A query, a file or an upload breaks the rules.
    case badRequest
    /// A comment has no content.
    case missingContent
    /// The payment provider knows no such charge, or one over another amount.
    case invalidPayment
    /// The access token is not one of the server's.
    case unverifiableAccessToken
    /// One of the two tokens of a refresh is not one of the server's.
    case unverifiableToken
    /// No account has this e-mail address and password.
    case unknownCredentials
    /// A name that other users see holds white space.
    case nickWithSpace
    /// The token's user has withdrawn.
    case forbidden
    /// The e-mail address or the name belongs to another account.
    case alreadyJoined
    /// The e-mail address is in use.
    case emailInUse
    /// The name belongs to another user; the wording is an assumption.
    case nickInUse
    /// The access token is still good, which 2023 treats as a mistake.
    case accessTokenNotExpired
    /// The user follows that account already.
    case alreadyFollowing
    /// The charge was booked before.
    case alreadyValidated
    /// The store takes no more posts.
    case postNotCreated
    /// The post to change is gone.
    case editedPostMissing
    /// The post to delete is gone.
    case deletedPostMissing
    /// The post to comment on is gone.
    case commentedPostMissing
    /// The store takes no more comments.
    case commentNotCreated
    /// The comment to change is gone.
    case editedCommentMissing
    /// The comment to delete is gone.
    case deletedCommentMissing
    /// The post is gone.
    case postMissing
    /// There is no such account, or it is not followed.
    case accountMissing
    /// The refresh token has expired.
    case refreshTokenExpired
    /// The access token has expired.
    case accessTokenExpired
    /// The key is missing or wrong.
    case wrongKey
    /// Too many calls in too short a time.
    case tooManyCalls
    /// The address is none of the contract's.
    case unknownRoute
    /// Another user wrote the post to change.
    case editedPostNotOwned
    /// Another user wrote the post to delete.
    case deletedPostNotOwned
    /// Another user wrote the comment to change.
    case editedCommentNotOwned
    /// Another user wrote the comment to delete.
    case deletedCommentNotOwned
    /// The server did not expect this: an identifier in the path that is none.
    case serverError
    /// The server has no room in its queue; no part of the contract.
    case overloaded
}

extension Refusal {
    /// The status of the response.
    public var status: Int {
        switch self {
        case .missingValues, .badRequest, .missingContent, .invalidPayment: 400
        case .unverifiableAccessToken, .unverifiableToken, .unknownCredentials: 401
        case .nickWithSpace: 402
        case .forbidden: 403
        case .alreadyJoined, .emailInUse, .nickInUse, .accessTokenNotExpired, .alreadyFollowing,
            .alreadyValidated:
            409
        case .postNotCreated, .editedPostMissing, .deletedPostMissing, .commentedPostMissing,
            .commentNotCreated, .editedCommentMissing, .deletedCommentMissing, .postMissing,
            .accountMissing:
            410
        case .refreshTokenExpired: 418
        case .accessTokenExpired: 419
        case .wrongKey: 420
        case .tooManyCalls: 429
        case .unknownRoute: 444
        case .editedPostNotOwned, .deletedPostNotOwned, .editedCommentNotOwned,
            .deletedCommentNotOwned:
            445
        case .serverError: 500
        case .overloaded: 503
        }
    }

    /// The sentence in the body of the response.
    public var message: String {
        switch self {
        case .missingValues: "필수값을 채워주세요."
        case .badRequest: "잘못된 요청입니다."
        case .missingContent: "필수값이 누락되었습니다."
        case .invalidPayment: "유효하지 않은 결제건입니다."
        case .unverifiableAccessToken: "인증할 수 없는 액세스 토큰입니다."
        case .unverifiableToken: "인증할 수 없는 토큰입니다."
        case .unknownCredentials: "계정을 확인해주세요."
        case .nickWithSpace: "공백이 포함된 닉네임은 사용할 수 없습니다."
        case .forbidden: "Forbidden"
        case .alreadyJoined: "이미 가입된 유저입니다."
        case .emailInUse: "사용이 불가한 이메일입니다."
        case .nickInUse: "이미 사용중인 닉네임입니다."
        case .accessTokenNotExpired: "액세스 토큰이 만료되지 않았습니다."
        case .alreadyFollowing: "이미 팔로윙 된 계정입니다."
        case .alreadyValidated: "검증처리가 완료된 결제건입니다."
        case .postNotCreated: "생성된 게시글이 없습니다."
        case .editedPostMissing: "수정할 게시글을 찾을 수 없습니다."
        case .deletedPostMissing: "삭제할 게시글을 찾을 수 없습니다."
        case .commentedPostMissing: "댓글을 추가할 게시글을 찾을 수 없습니다."
        case .commentNotCreated: "생성된 댓글이 없습니다."
        case .editedCommentMissing: "수정할 댓글을 찾을 수 없습니다."
        case .deletedCommentMissing: "삭제할 댓글을 찾을 수 없습니다."
        case .postMissing: "게시글을 찾을 수 없습니다."
        case .accountMissing: "알 수 없는 계정입니다."
        case .refreshTokenExpired: "리프레시 토큰이 만료되었습니다. 다시 로그인 해주세요."
        case .accessTokenExpired: "액세스 토큰이 만료되었습니다."
        case .wrongKey: "This service sesac_memolease only"
        case .tooManyCalls: "과호출입니다."
        case .unknownRoute: "돌아가 여긴 자네가 올 곳이 아니야."
        case .editedPostNotOwned: "게시글 수정 권한이 없습니다."
        case .deletedPostNotOwned: "게시글 삭제 권한이 없습니다."
        case .editedCommentNotOwned: "댓글 수정 권한이 없습니다."
        case .deletedCommentNotOwned: "댓글 삭제 권한이 없습니다."
        case .serverError: "ServerError"
        case .overloaded: "Service Unavailable"
        }
    }

    /// The response, made once for all requests.
    var answer: Answer { Answer(status: status, body: Refusal.bodies[rawValue]) }

    private static let bodies: [Body] = allCases.map { refusal in
        var writer = JSONWriter()
        writer.object { $0.member("message", refusal.message) }
        return writer.body
    }
}
