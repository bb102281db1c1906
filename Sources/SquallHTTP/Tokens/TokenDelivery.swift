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
