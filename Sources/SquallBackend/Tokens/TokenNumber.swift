import SquallFormat
public import SquallHTTP

extension TokenNumber {
    /// The number of a text that a client or a service sent; 2⁶⁰ of them differ.
    public init(text: String) {
        self.init(value: 1 << 60 | StableHash(of: text.utf8).value >> 4)
    }
}

/// What an exchange tells about tokens, as far as its service says.
public struct TokenTrace: Hashable, Sendable {
    /// Tells the call from others: its verb and address.
    public let call: UInt64
    /// The access token that the request showed.
    public var access: TokenNumber?
    /// The refresh token that it showed.
    public var refresh: TokenNumber?
    /// The access token that the response brought.
    public var newAccess: TokenNumber?
    /// The refresh token that it brought.
    public var newRefresh: TokenNumber?

    /// A trace of a request, before its response.
    public init(call request: URLRequest, shows tokens: TokenTexts?) {
        var call = StableHash(of: request.method.rawValue.utf8)
        for part in [request.url.origin, request.url.path, request.url.query ?? ""] {
            call.combine(part.utf8)
        }
        self.call = max(1, call.value)
        access = tokens?.access.map(TokenNumber.init(text:))
        refresh = tokens?.refresh.map(TokenNumber.init(text:))
    }
}
