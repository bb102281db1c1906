/// How an API's tokens travel: where they stand, which calls exchange them, what refusals look
/// like.
///
/// Three forms are ready; each can be changed, as any value can:
///
/// ```swift
/// var form = TokenForm.bearer
/// form.expired.status = 498
/// form.refresh = TokenCall("refresh", .post, "/v2/session", token: .body("refreshToken"))
/// ```
public struct TokenForm: Sendable, Hashable {
    /// Where a request shows its access token.
    public var access: TokenPlace
    /// The call that signs in.
    public var logIn: TokenCall
    /// The call that exchanges a refresh token for a new access token.
    public var refresh: TokenCall
    /// The call that ends a session.
    public var logOut: TokenCall
    /// The place of each new token in a response.
    public var delivery: TokenDelivery
    /// True to send `token_type` beside a lifetime, as OAuth 2.0 does.
    public var tellsType = true
    /// The response when the access token has expired.
    public var expired: TokenRefusal
    /// The response when there is no access token, or none of this service's.
    public var unauthorized: TokenRefusal
    /// The response to a refresh token that is not accepted: only signing in again helps.
    public var signedOut: TokenRefusal
    /// The response to a refresh whose access token is still good, where that is refused.
    public var early: TokenRefusal
    /// The places of new tokens in the response to a sign-in; `nil` where they are those of a
    /// refresh.
    public var signInDelivery: TokenDelivery?
    /// The responses on further occasions, where they differ from those above.
    public var others: [RefusalOccasion: TokenRefusal] = [:]
    /// What a request has to repeat of a cookie, where tokens in cookies are guarded so.
    public var csrf: CSRFGuard?
    /// What tokens say of themselves; `nil` where they are opaque.
    public var claims: TokenClaims?

    /// `Authorization: Bearer`, 401, and OAuth 2.0's token endpoint (RFC 6749 §4.3, §6; RFC 6750
    /// §3.1, whose challenge is left out because Foundation on Linux would answer it itself).
    public static let bearer = TokenForm(
        access: .header("Authorization", scheme: "Bearer"),
        logIn: TokenCall("logIn", .post, "/oauth/token", token: .body("refresh_token")),
        refresh: TokenCall("refresh", .post, "/oauth/token", token: .body("refresh_token")),
        logOut: TokenCall("logOut", .post, "/oauth/revoke", token: .body("token")),
        delivery: .json(
            access: "access_token", refresh: "refresh_token", lifetime: "expires_in"),
        expired: TokenRefusal(401, #"{"error":"invalid_token","error_description":"expired"}"#),
        unauthorized: TokenRefusal(401, #"{"error":"invalid_token"}"#),
        signedOut: TokenRefusal(400, #"{"error":"invalid_grant"}"#),
        early: TokenRefusal(409, #"{"error":"invalid_request"}"#))

    /// This project's contract: the bare token in `Authorization`, 419 when it has expired, 418
    /// when the refresh token in `Refresh` has.
    public static let status419 = TokenForm(
        access: .header("Authorization", scheme: nil),
        logIn: TokenCall("logIn", .post, "/v1/users/login", token: .header("Refresh", scheme: nil)),
        refresh: TokenCall(
            "refresh", .get, "/v1/auth/refresh", token: .header("Refresh", scheme: nil),
            showsAccess: true),
        logOut: TokenCall(
            "logOut", .get, "/v1/users/logout", token: .header("Refresh", scheme: nil)),
        delivery: .json(access: "accessToken", refresh: "refreshToken", lifetime: nil),
        expired: TokenRefusal(419, #"{"message":"액세스 토큰이 만료되었습니다."}"#),
        unauthorized: TokenRefusal(401, #"{"message":"인증할 수 없는 액세스 토큰입니다."}"#),
        signedOut: TokenRefusal(418, #"{"message":"리프레시 토큰이 만료되었습니다."}"#),
        early: TokenRefusal(409, #"{"message":"액세스 토큰이 만료되지 않았습니다."}"#))

    /// Two cookies, 401 when the session's has expired, 403 when the one that renews it has.
    public static let sessionCookie = TokenForm(
        access: .cookie("session"),
        logIn: TokenCall("logIn", .post, "/login", token: .cookie("renewal")),
        refresh: TokenCall("refresh", .post, "/session/renew", token: .cookie("renewal")),
        logOut: TokenCall("logOut", .post, "/logout", token: .cookie("renewal")),
        delivery: .cookies(access: "session", refresh: "renewal"),
        expired: TokenRefusal(401, #"{"error":"session expired"}"#),
        unauthorized: TokenRefusal(401, #"{"error":"no session"}"#),
        signedOut: TokenRefusal(403, #"{"error":"signed out"}"#),
        early: TokenRefusal(409, #"{"error":"session not expired"}"#))
}

extension TokenForm {
    /// The response on an occasion: its own, or the one that covers it.
    public func refusal(_ occasion: RefusalOccasion) -> TokenRefusal {
        if let own = others[occasion] { return own }
        return switch occasion {
        case .missing, .refreshAsAccess: unauthorized
        case .accessAsRefresh: refusal(.unknownRefresh)
        case .ended: expired
        case .missingAccount: refusal(.wrongPassword)
        case .wrongPassword, .refreshExpired, .unknownRefresh, .missingRefresh: signedOut
        }
    }

    /// The delivery of a sign-in: ``signInDelivery``, or ``delivery`` where there is none.
    public var signInWay: TokenDelivery { signInDelivery ?? delivery }

    /// False for a service whose clients sign in again when the access token has expired.
    public var hasRefreshTokens: Bool { signInWay.refresh != nil }

    /// True where one token is the access and the refresh token: both are delivered in one place.
    public var isOneToken: Bool { signInWay.refresh == signInWay.access }

    /// The responses that say that a refresh token is not accepted any more.
    public var endings: [TokenRefusal] {
        [signedOut]
            + [.refreshExpired, .unknownRefresh, .missingRefresh, .accessAsRefresh].compactMap {
                others[$0]
            }
    }
}

/// A cookie whose value requests that write must repeat in a header field (double submit).
public struct CSRFGuard: Sendable, Hashable {
    /// The header field that repeats the cookie's value.
    public var header: String
    /// The cookies, beside the access token and beside the refresh token.
    public var access, refresh: String
    /// The response where the field is missing or differs.
    public var refused: TokenRefusal

    /// A guard of its parts.
    public init(header: String, access: String, refresh: String, refused: TokenRefusal) {
        (self.header, self.access, self.refresh) = (header, access, refresh)
        self.refused = refused
    }

    /// The cookie's value beside a token, as a service without a memory makes it: a hash (FNV-1a).
    public static func value(beside token: String) -> String {
        let hash = token.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return "c" + String(hash, radix: 16)
    }
}

/// What tokens that are JWTs claim (RFC 7519): their end, and what stands here.
public struct TokenClaims: Sendable, Hashable {
    /// The claim that names the user.
    public var subject: String
    /// True for tokens that say when they were issued (`iat`).
    public var hasIssue: Bool
    /// True where refresh tokens are JWTs, too.
    public var ofRefresh: Bool

    /// Claims of their parts.
    public init(subject: String = "sub", hasIssue: Bool = true, ofRefresh: Bool = true) {
        (self.subject, self.hasIssue, self.ofRefresh) = (subject, hasIssue, ofRefresh)
    }
}
