/// How an API's tokens travel: where they stand, which calls trade them, what refusals look like.
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
    /// Signs in.
    public var logIn: TokenCall
    /// Trades a refresh token for a new access token.
    public var refresh: TokenCall
    /// Ends a session.
    public var logOut: TokenCall
    /// How new tokens are delivered.
    public var delivery: TokenDelivery
    /// The answer when the access token has expired.
    public var expired: TokenRefusal
    /// The answer when there is no access token, or none of this service's.
    public var unauthorized: TokenRefusal
    /// The answer to a refresh token that buys nothing: only signing in helps.
    public var signedOut: TokenRefusal
    /// The answer to a refresh whose access token is still good, where that is refused.
    public var early: TokenRefusal

    /// A form of its parts.
    public init(
        access: TokenPlace, logIn: TokenCall, refresh: TokenCall, logOut: TokenCall,
        delivery: TokenDelivery, expired: TokenRefusal, unauthorized: TokenRefusal,
        signedOut: TokenRefusal, early: TokenRefusal
    ) {
        self.access = access
        self.logIn = logIn
        self.refresh = refresh
        self.logOut = logOut
        self.delivery = delivery
        self.expired = expired
        self.unauthorized = unauthorized
        self.signedOut = signedOut
        self.early = early
    }

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

/// How new tokens are delivered.
public enum TokenDelivery: Sendable, Hashable {
    /// As members of a JSON object; the lifetime in seconds, where it is included.
    case json(access: String, refresh: String, lifetime: String?)
    /// As cookies that the client keeps.
    case cookies(access: String, refresh: String)
}

/// A call that deals with tokens.
public struct TokenCall: Sendable, Hashable {
    /// Its name in results.
    public var name: String
    /// The verb.
    public var method: HTTPMethod
    /// The path.
    public var path: String
    /// Where the refresh token stands in it.
    public var token: TokenPlace
    /// Whether it must show the access token too.
    public var showsAccess: Bool
    /// The status of a successful answer; 204 comes without a body.
    public var status = 200
    /// Whether its body is a form, and no JSON object.
    public var isForm = false
    /// What the body has beside account or token, such as `grant_type`.
    public var fields: [TokenField] = []
    /// What a sign-in calls the account's name, and its password.
    public var (userField, passwordField) = ("email", "password")

    /// A call by its name, verb and path.
    public init(
        _ name: String, _ method: HTTPMethod, _ path: String, token: TokenPlace,
        showsAccess: Bool = false
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.token = token
        self.showsAccess = showsAccess
    }
}

/// A field of a form or a member of a JSON object.
public struct TokenField: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// What it has.
    public let value: String

    /// A field by its parts.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Reads `name=value`; `nil` where that is something else.
    public init?(_ text: String) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, !halves[0].isEmpty else { return nil }
        self.init(String(halves[0]), String(halves[1]))
    }
}

/// A service's answer to a bad token.
public struct TokenRefusal: Sendable, Hashable {
    /// The status.
    public var status: Int
    /// The body, in JSON.
    public var body: String
    /// Whether the status alone tells it, whatever its body: real servers put times and paths in.
    public var statusAlone = false
    /// Header fields beside `Content-Type`, by their names.
    public var headers: [String: String]

    /// A refusal by its status, body and header fields.
    public init(_ status: Int, _ body: String = "{}", headers: [String: String] = [:]) {
        self.status = status
        self.body = body
        self.headers = headers
    }
}

/// Where a token stands in a request.
public enum TokenPlace: Sendable, Hashable {
    /// In a header field, behind a word such as `Bearer` if there is one.
    case header(String, scheme: String?)
    /// In the address, as the value of a name.
    case query(String)
    /// In a cookie of that name.
    case cookie(String)
    /// In the body, as a member of a JSON object or a field of a form.
    case body(String)
    /// In the body, as a field of a form.
    case form(String)
    /// At the end of the path, where the call's path has this name in braces: `/renewals/{token}`.
    case path(String)
}

extension TokenRefusal {
    /// Whether a response is this one, however its server sets its JSON.
    public func matches(status: Int, body bytes: some Collection<UInt8>) -> Bool {
        guard status == self.status else { return false }
        guard !statusAlone else { return true }
        let own = body.utf8
        guard bytes.count >= own.count / 4, bytes.count <= 2 * own.count + 200 else { return false }
        return bytes.elementsEqual(own) || bytes.withoutJSONSpace == own.withoutJSONSpace
    }
}

extension Sequence<UInt8> {
    /// A JSON text without the white space that means nothing.
    fileprivate var withoutJSONSpace: [UInt8] {
        var isText = false
        var isEscaped = false
        return filter { byte in
            defer {
                if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            return isText || !" \n\t\r".utf8.contains(byte)
        }
    }
}
