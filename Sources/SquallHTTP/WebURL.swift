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
        var string = string
        guard let url = string.withUTF8(WebURL.read) else { return nil }
        self = url
    }

    /// Reads the bytes where they lie: through a string's indices it takes ten times as long.
    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> WebURL? {
        let whole = bytes.prefix { $0 != UInt8(ascii: "#") }
        let marks = whole.indices.dropLast(2).lazy.filter { whole[$0] == UInt8(ascii: ":") }
        guard !bytes.contains(where: { $0 <= 32 }),
            let colon = marks.first(where: { whole[$0...].starts(with: "://".utf8) }), colon > 0
        else { return nil }
        let rest = whole[(colon + 3)...].drop {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        guard rest.startIndex > colon + 3 else { return nil }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = rest[path.endIndex...]
        return WebURL(
            origin: String(decoding: whole[..<rest.startIndex], as: UTF8.self),
            path: String(decoding: path, as: UTF8.self),
            query: query.isEmpty ? nil : String(decoding: query.dropFirst(), as: UTF8.self))
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
