internal import HTTP

/// What the server answers: a status and a body.
struct Answer {
    let status: Int
    var body: Body
    /// How many objects of a list it holds.
    var items = 0
    /// How many rows had to be looked at to find them.
    var rowsScanned = 0
    /// How long the client is asked to stay away; 0 for not at all.
    var retryAfterSeconds = 0

    /// A success.
    static func ok(_ body: Body) -> Answer { Answer(status: 200, body: body) }

    /// A refusal of the contract.
    static func refused(_ refusal: Refusal) -> Answer { refusal.answer }
}

/// Every way in which the contract refuses a request, with its status and its words.
enum Refusal: Int, Error, CaseIterable {
    case missingValues, badRequest, missingContent, invalidPayment
    case unverifiableAccessToken, unverifiableToken, unknownAccount, forbidden
    case alreadyValidated, commentTargetMissing, commentMissing, postMissing
    case refreshTokenExpired, accessTokenExpired, wrongKey, unknownRoute, notCommentOwner
    case serverError, overloaded, accessTokenNotExpired, tooManyCalls

    var status: Int {
        switch self {
        case .missingValues, .badRequest, .missingContent, .invalidPayment: 400
        case .unverifiableAccessToken, .unverifiableToken, .unknownAccount: 401
        case .forbidden: 403
        case .alreadyValidated, .accessTokenNotExpired: 409
        case .commentTargetMissing, .commentMissing, .postMissing: 410
        case .refreshTokenExpired: 418
        case .accessTokenExpired: 419
        case .wrongKey: 420
        case .tooManyCalls: 429
        case .unknownRoute: 444
        case .notCommentOwner: 445
        case .serverError: 500
        case .overloaded: 503
        }
    }

    var message: String {
        switch self {
        case .missingValues: "필수값을 채워주세요."
        case .badRequest: "잘못된 요청입니다."
        case .missingContent: "필수값이 누락되었습니다."
        case .invalidPayment: "유효하지 않은 결제건입니다."
        case .unverifiableAccessToken: "인증할 수 없는 액세스 토큰입니다."
        case .unverifiableToken: "인증할 수 없는 토큰입니다."
        case .unknownAccount: "계정을 확인해주세요."
        case .forbidden: "Forbidden"
        case .alreadyValidated: "검증처리가 완료된 결제건입니다."
        case .commentTargetMissing: "댓글을 추가할 게시글을 찾을 수 없습니다."
        case .commentMissing: "삭제할 댓글을 찾을 수 없습니다."
        case .postMissing: "게시글을 찾을 수 없습니다."
        case .refreshTokenExpired: "리프레시 토큰이 만료되었습니다. 다시 로그인 해주세요."
        case .accessTokenExpired: "액세스 토큰이 만료되었습니다."
        case .wrongKey: "This service sesac_memolease only"
        case .unknownRoute: "돌아가 여긴 자네가 올 곳이 아니야."
        case .notCommentOwner: "댓글 삭제 권한이 없습니다."
        case .serverError: "ServerError"
        case .overloaded: "Service Unavailable"
        case .tooManyCalls: "과호출입니다."
        case .accessTokenNotExpired: "액세스 토큰이 만료되지 않았습니다."
        }
    }

    /// The answer, made once.
    var answer: Answer { Answer(status: status, body: Refusal.bodies[rawValue]) }

    private static let bodies: [Body] = allCases.map { refusal in
        var writer = JSONWriter()
        writer.object { $0.member("message", refusal.message) }
        return writer.body
    }
}
