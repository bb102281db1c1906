/// Where a request goes: an origin, a path and a query, kept apart and already percent-encoded.
///
/// Not Foundation's `URL`: parsing and taking that one apart costs about as much as a whole request
/// here, and routers build addresses from parts anyway.
public struct WebURL: Hashable, Sendable {
    /// Scheme, host and port without a trailing slash: `http://lslp.sesac.kr:31222`.
    public var origin: String
    /// The path with its leading slash, percent-encoded; `/` at the least.
    public var path: String
    /// What follows the question mark, percent-encoded; `nil` when there is no question mark.
    public var query: String?

    /// An address from its parts, which must already be percent-encoded.
    public init(origin: String, path: String, query: String? = nil) {
        self.origin = origin
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
        self.query = query
    }

    /// Reads an absolute address; `nil` without a scheme or a host, or with a space in it.
    ///
    /// A fragment is dropped: it never travels.
    public init?(_ string: String) {
        // Bytes, as by character it takes ten times as long.
        let whole = string.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard !string.utf8.contains(where: { $0 <= 32 }),
            let colon = whole.indices.first(where: { whole[$0...].starts(with: "://".utf8) }),
            colon > whole.startIndex
        else { return nil }
        let host = whole.index(colon, offsetBy: 3)
        let rest = whole[host...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard rest.startIndex > host else { return nil }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = rest[path.endIndex...]
        self.init(
            origin: String(Substring(whole[..<rest.startIndex])), path: String(Substring(path)),
            query: query.isEmpty ? nil : String(Substring(query.dropFirst())))
    }

    /// The address as one string.
    public var absoluteString: String {
        guard let query else { return origin + path }
        return origin + path + "?" + query
    }
}

extension WebURL: CustomStringConvertible {
    /// The address as one string.
    public var description: String { absoluteString }
}
