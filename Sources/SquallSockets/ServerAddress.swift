import SquallHTTP

/// The address of a real server, as a command line names it: `http://host:port/path`.
public struct ServerAddress: Hashable, Sendable {
    /// True for https.
    public let isSecure: Bool
    /// Its name or numeric address, without brackets.
    public let host: String
    /// Its port.
    public let port: UInt16
    /// The path that stands before each request's own; empty for none.
    public let path: String

    /// Reads an address; `nil` where it is none, or has a user, a query or a fragment.
    public init?(_ text: String) {
        let lowercased = text.asciiLowercased
        let scheme = ["http://", "https://"].first { lowercased.hasPrefix($0) }
        guard let scheme, !text.contains(where: { "@?# \\".contains($0) }),
            text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { return nil }
        isSecure = scheme == "https://"
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        var path = rest[authority.endIndex...]
        while path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : nil
        if let end {
            host = String(authority[authority.index(after: authority.startIndex)..<end])
        } else {
            host = String(authority.prefix { $0 != ":" })
        }
        let tail =
            end.map { authority[authority.index(after: $0)...] } ?? authority.drop { $0 != ":" }
        guard !host.isEmpty else { return nil }
        guard !tail.isEmpty else {
            port = isSecure ? 443 : 80
            return
        }
        guard tail.hasPrefix(":"), let port = UInt16(tail.dropFirst()), port > 0 else { return nil }
        self.port = port
    }

    /// The host as an address has it: an IPv6 one in brackets.
    public var shownHost: String { host.contains(":") ? "[\(host)]" : host }

    /// The host and the port as a `Host` field has them, without the port that is usual.
    public var authority: String {
        port == (isSecure ? 443 : 80) ? shownHost : "\(shownHost):\(port)"
    }

    /// The scheme, host and port, without the port that is usual.
    public var origin: String { (isSecure ? "https://" : "http://") + authority }
}
