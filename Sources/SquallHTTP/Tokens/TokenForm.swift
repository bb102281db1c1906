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

/// An occasion on which some services refuse with words of their own.
public enum RefusalOccasion: String, Sendable, CaseIterable {
    /// A call shows no access token.
    case missing
    /// An access token was ended before its time: by a refresh, by reuse or by a sign-out.
    case ended
    /// A sign-in has a wrong name or password.
    case wrongPassword
    /// A sign-in has no name or no password.
    case missingAccount
    /// A refresh token's own life is over.
    case refreshExpired
    /// A refresh shows a token that was never issued.
    case unknownRefresh
    /// A refresh shows no token.
    case missingRefresh
    /// A call shows a refresh token where an access token stands, or a refresh the other way round.
    case refreshAsAccess, accessAsRefresh
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

/// The place of each new token in a response.
public struct TokenDelivery: Sendable, Hashable {
    /// Where the access token stands.
    public var access: Place
    /// Where the refresh token stands; `nil` where none is delivered.
    public var refresh: Place?
    /// The member with the access token's life in seconds, where it is included.
    public var lifetime: String?
    /// True where that life is in milliseconds.
    public var tellsMilliseconds = false
    /// Further members, as the text of a JSON object: they replace members of the same name.
    ///
    /// `{user}`, `{email}`, `{lifetime}`, `{issuedAt}` and `{expiresAt}` stand for what they name.
    public var members = ""

    /// Where a token stands in a response.
    public enum Place: Sendable, Hashable {
        /// A member of a JSON object; dots lead into objects in it: `data.token`.
        case member(String)
        /// A cookie.
        case cookie(String)
        /// A header field, behind a word such as `Bearer` if there is one.
        case header(String, scheme: String?)

        /// The name of the member, the cookie or the field.
        public var name: String {
            switch self {
            case .member(let name), .cookie(let name), .header(let name, _): name
            }
        }
    }

    /// A delivery of its parts.
    public init(access: Place, refresh: Place?, lifetime: String? = nil, members: String = "") {
        (self.access, self.refresh, self.lifetime) = (access, refresh, lifetime)
        self.members = members
    }

    /// As members of a JSON object; the lifetime in seconds, where it is included.
    public static func json(access: String, refresh: String?, lifetime: String?) -> TokenDelivery {
        TokenDelivery(
            access: .member(access), refresh: refresh.map(Place.member), lifetime: lifetime)
    }

    /// As cookies that the client keeps.
    public static func cookies(access: String, refresh: String?) -> TokenDelivery {
        TokenDelivery(access: .cookie(access), refresh: refresh.map(Place.cookie))
    }

    /// True if the body of the response has a token.
    public var isInBody: Bool {
        [access, refresh].contains { if case .member? = $0 { true } else { false } }
    }
}

/// A call that deals with tokens.
public struct TokenCall: Sendable, Hashable {
    /// The call's name in results.
    public var name: String
    /// The verb.
    public var method: HTTPMethod
    /// The path, without a query.
    public var path: String
    /// What follows the path and a question mark; `nil` where nothing does.
    public var query: String?
    /// Where the refresh token stands in the request.
    public var token: TokenPlace
    /// True if the call must show the access token too.
    public var showsAccess: Bool
    /// The status of a response that accepts; 204 comes without a body.
    public var status = 200
    /// The body of a response that accepts and brings no token.
    public var answer = "{}"
    /// True for a body that is a form; false for a JSON object.
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
        self.token = token
        self.showsAccess = showsAccess
        self.path = path
        take(target: path)
    }

    /// The path with the query behind it.
    public var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// Takes path and query from their text: `/token?grant_type=password`.
    public mutating func take(target: String) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        (path, query) = (String(halves[0]), halves.count == 2 ? String(halves[1]) : nil)
    }
}

/// A field of a form or a member of a JSON object.
public struct TokenField: Sendable, Hashable {
    /// The name of the field or member.
    public let name: String
    /// The value, without percent-encoding or quotes.
    public let value: String
    /// True for a whole number, `true`, `false` or `null`, which stand in JSON without quotes.
    public let isLiteral: Bool

    /// A field by its parts.
    public init(_ name: String, _ value: String) {
        (self.name, self.value, isLiteral) = (name, value, false)
    }

    /// Reads `name=value`, or `name:=literal` as HTTPie has it; `nil` where that is something else.
    public init?(_ text: String) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        value = String(halves[1])
        isLiteral = halves[0].hasSuffix(":")
        name = String(isLiteral ? halves[0].dropLast() : halves[0])
        guard !name.isEmpty,
            !isLiteral || ["true", "false", "null"].contains(value)
                || Int64(value).map(String.init) == value
        else { return nil }
    }

    /// The text that is read as this field.
    public var text: String { "\(name)\(isLiteral ? ":" : "")=\(value)" }
}

/// A service's response to a bad token.
public struct TokenRefusal: Sendable, Hashable {
    /// The status code, such as 401.
    public var status: Int
    /// The body as JSON text.
    public var body: String
    /// True if the status alone tells it, whatever its body: real servers put times and paths in.
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
    /// True if a response is this one, however its server sets its JSON.
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
