import SquallBackend
import SquallHTTP

/// A refusal of the contract: its status and its words.
public struct Refusal: Error, Hashable, Sendable {
    /// The status of the response.
    public let status: Int
    /// The sentence in the body of the response.
    public let message: String
    private let body: Body

    private init(_ status: Int, _ message: String) {
        (self.status, self.message) = (status, message)
        var writer = JSONWriter()
        writer.object { $0.member("message", message) }
        body = writer.body
    }

    /// The response; its body is made once for all requests.
    var answer: Answer { Answer(status: status, body: body) }
}

extension Refusal {
    /// A required member is missing, empty or of the wrong type.
    static let missingValues = Refusal(400, "필수값을 채워주세요.")
    /// A query, a file or an upload breaks the rules.
    static let badRequest = Refusal(400, "잘못된 요청입니다.")
    /// A comment has no content.
    static let missingContent = Refusal(400, "필수값이 누락되었습니다.")
    /// The payment provider knows no such charge, or one over another amount.
    static let invalidPayment = Refusal(400, "유효하지 않은 결제건입니다.")
    /// The access token is not one of the server's.
    static let unverifiableAccessToken = Refusal(401, "인증할 수 없는 액세스 토큰입니다.")
    /// One of the two tokens of a refresh is not one of the server's.
    static let unverifiableToken = Refusal(401, "인증할 수 없는 토큰입니다.")
    /// No account has this e-mail address and password.
    static let unknownCredentials = Refusal(401, "계정을 확인해주세요.")
    /// A name that other users see holds white space.
    static let nickWithSpace = Refusal(402, "공백이 포함된 닉네임은 사용할 수 없습니다.")
    /// The token's user has withdrawn.
    static let forbidden = Refusal(403, "Forbidden")
    /// The e-mail address or the name belongs to another account.
    static let alreadyJoined = Refusal(409, "이미 가입된 유저입니다.")
    /// The e-mail address is in use.
    static let emailInUse = Refusal(409, "사용이 불가한 이메일입니다.")
    /// The name belongs to another user; the wording is an assumption.
    static let nickInUse = Refusal(409, "이미 사용중인 닉네임입니다.")
    /// The access token is still good, which 2023 treats as a mistake.
    static let accessTokenNotExpired = Refusal(409, "액세스 토큰이 만료되지 않았습니다.")
    /// The user follows that account already.
    static let alreadyFollowing = Refusal(409, "이미 팔로윙 된 계정입니다.")
    /// The charge was booked before.
    static let alreadyValidated = Refusal(409, "검증처리가 완료된 결제건입니다.")
    /// The store takes no more posts.
    static let postNotCreated = Refusal(410, "생성된 게시글이 없습니다.")
    /// The post to change is gone.
    static let editedPostMissing = Refusal(410, "수정할 게시글을 찾을 수 없습니다.")
    /// The post to delete is gone.
    static let deletedPostMissing = Refusal(410, "삭제할 게시글을 찾을 수 없습니다.")
    /// The post to comment on is gone.
    static let commentedPostMissing = Refusal(410, "댓글을 추가할 게시글을 찾을 수 없습니다.")
    /// The store takes no more comments.
    static let commentNotCreated = Refusal(410, "생성된 댓글이 없습니다.")
    /// The comment to change is gone.
    static let editedCommentMissing = Refusal(410, "수정할 댓글을 찾을 수 없습니다.")
    /// The comment to delete is gone.
    static let deletedCommentMissing = Refusal(410, "삭제할 댓글을 찾을 수 없습니다.")
    /// The post is gone.
    static let postMissing = Refusal(410, "게시글을 찾을 수 없습니다.")
    /// There is no such account, or it is not followed.
    static let accountMissing = Refusal(410, "알 수 없는 계정입니다.")
    /// The refresh token has expired.
    static let refreshTokenExpired = Refusal(418, "리프레시 토큰이 만료되었습니다. 다시 로그인 해주세요.")
    /// The access token has expired.
    static let accessTokenExpired = Refusal(419, "액세스 토큰이 만료되었습니다.")
    /// The key is missing or wrong.
    static let wrongKey = Refusal(420, "This service sesac_memolease only")
    /// Too many calls in too short a time.
    static let tooManyCalls = Refusal(429, "과호출입니다.")
    /// The address is none of the contract's.
    static let unknownRoute = Refusal(444, "돌아가 여긴 자네가 올 곳이 아니야.")
    /// Another user wrote the post to change.
    static let editedPostNotOwned = Refusal(445, "게시글 수정 권한이 없습니다.")
    /// Another user wrote the post to delete.
    static let deletedPostNotOwned = Refusal(445, "게시글 삭제 권한이 없습니다.")
    /// Another user wrote the comment to change.
    static let editedCommentNotOwned = Refusal(445, "댓글 수정 권한이 없습니다.")
    /// Another user wrote the comment to delete.
    static let deletedCommentNotOwned = Refusal(445, "댓글 삭제 권한이 없습니다.")
    /// The server did not expect this: an identifier in the path that is none.
    static let serverError = Refusal(500, "ServerError")
    /// The server has no room in its queue; no part of the contract.
    static let overloaded = Refusal(503, "Service Unavailable")
}
