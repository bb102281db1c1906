import SquallFormat
public import SquallHTTP

/// Tells a token from others without its text.
public struct TokenNumber: Hashable, Sendable {
    /// At most 61 bits, so that others can be kept beside it.
    let value: UInt64

    /// The number of a text that a client or a service sent; 2⁶⁰ of them differ.
    public init(text: String) {
        value = 1 << 60 | StableHash(of: text.utf8).value >> 4
    }

    /// The number of a token that is known by its place in a list.
    public init(place: Int) { value = (UInt64(place) + 1) << 24 }

    /// Stands for a token that a device has got, and of which nothing else is known.
    init(unknown renewals: UInt32) { value = UInt64(renewals) & 0xFF_FFFF }

    init(value: UInt64) { self.value = value }

    /// True for a stand-in that no request or response showed.
    var isUnknown: Bool { value < 1 << 24 }
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
