/// The tokens of a request or a response, as the service that reads or writes them tells.
public struct TokenTexts: Hashable, Sendable {
    /// The access token; `nil` when there is none.
    public var access: String?
    /// The refresh token; `nil` when there is none.
    public var refresh: String?

    /// Tokens by their texts.
    public init(access: String? = nil, refresh: String? = nil) {
        self.access = access
        self.refresh = refresh
    }

    /// Notes a token that was issued; a later one of a kind replaces an earlier one.
    mutating func note(_ token: IssuedToken) {
        switch token.kind {
        case .access: access = token.text
        case .refresh: refresh = token.text
        }
    }
}
