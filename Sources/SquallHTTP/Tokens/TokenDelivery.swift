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
        /// The whole body: a string in JSON, or plain text.
        case body(isJSON: Bool)

        /// The name of the member, the cookie or the field.
        public var name: String {
            switch self {
            case .member(let name), .cookie(let name), .header(let name, _): name
            case .body: "the whole body"
            }
        }

        /// The token at this place of a response, from its body as bytes and by functions that find
        /// the text of a member, a cookie or a header field; `nil` where there is none.
        public func token(
            inBody bytes: [UInt8]?, member: (String) -> String?, cookie: (String) -> String?,
            field: (String) -> String?
        ) -> String? {
            switch self {
            case .member(let path): member(path)
            case .cookie(let name): cookie(name)
            case .header(let name, let scheme):
                field(name).flatMap { TokenPlace.token(in: $0, behind: scheme) }
            case .body: bytes.flatMap(TokenDelivery.token(inWhole:))
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

    /// The token that a body consists of, as text or as a string in JSON; `nil` where it may be
    /// something else.
    public static func token(inWhole body: some Collection<UInt8>) -> String? {
        guard (16...(16 << 10)).contains(body.count) else { return nil }
        let bare = body.split { $0 <= 32 || $0 == UInt8(ascii: "\"") }
        guard bare.count == 1, bare[0].allSatisfy(isOfToken),
            bare[0].contains(where: { (48...57).contains($0) })
        else { return nil }
        return String(decoding: bare[0], as: UTF8.self)
    }

    /// True for the letters of bearer tokens (RFC 6750 §2.1) and of Laravel's.
    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "-._~+/=|:".utf8.contains(byte)
        }
    }

    /// True if the body of the response is the access token and nothing else.
    public var isWholeBody: Bool { if case .body = access { true } else { false } }

    /// True if the body of the response has a token.
    public var isInBody: Bool {
        [access, refresh].contains { place in
            switch place {
            case .member?, .body?: true
            case .cookie?, .header?, nil: false
            }
        }
    }
}
