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
