import SquallSockets

/// A real server behind the proxy, and what is told of its tokens.
public struct UpstreamPlan: Sendable {
    /// Whether it is called by https.
    public let isSecure: Bool
    /// Its name or numeric address, without brackets.
    public let host: String
    /// Its port.
    public let port: UInt16
    /// The path that was given behind the host; clients send it themselves.
    public let path: String
    /// The path of the call that refreshes; found from traffic where it is `nil`.
    public var refreshPath: String?
    /// The path of the call that signs in; found likewise.
    public var signInPath: String?
    /// The header field in which access tokens travel; found likewise.
    public var tokenHeader: String?
    /// The status of the expired response; learnt from the server's own where it is `nil`.
    public var expiredStatus: Int?
    /// Its body; learnt likewise.
    public var expiredBody: String?
    /// How long each access token is accepted; `nil` for as long as the server does.
    public var expireAfterNanoseconds: Int64?

    /// Reads an address such as `http://127.0.0.1:9000`; `nil` where it is none, or has a user, a
    /// query or a fragment.
    public init?(_ text: String) {
        let lowercased = text.lowercased()
        let scheme = ["http://", "https://"].first { lowercased.hasPrefix($0) }
        guard let scheme, !text.contains(where: { "@?# \\".contains($0) }) else { return nil }
        isSecure = scheme == "https://"
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        self.path = String(path.hasSuffix("/") ? path.dropLast() : path)
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : nil
        if let end {
            host = String(authority[authority.index(after: authority.startIndex)..<end])
        } else {
            host = String(authority.prefix { $0 != ":" })
        }
        let tail =
            end.map { authority[authority.index(after: $0)...] } ?? authority.drop { $0 != ":" }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
        guard !tail.isEmpty else {
            port = isSecure ? 443 : 80
            return
        }
        guard tail.hasPrefix(":"), let port = UInt16(tail.dropFirst()), port > 0 else { return nil }
        self.port = port
    }

    /// The scheme, host and port, without the port that is usual.
    public var origin: String { (isSecure ? "https://" : "http://") + authority }

    /// The host and the port as a `Host` field has them, without the port that is usual.
    public var authority: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? shown : "\(shown):\(port)"
    }

    /// The limits of a server that passes bodies on in pieces.
    static func streaming(_ limits: HTTPLimits) -> HTTPLimits {
        var limits = limits
        limits.wholeBytes = wholeBytes
        return limits
    }

    /// Bodies up to this size are passed on whole.
    static let wholeBytes = 128 << 10
}
