/// The server that is driven.
public struct DriveTarget: Hashable, Sendable {
    /// The name or the numeric address.
    public let host: String
    /// The port.
    public let port: UInt16
    /// What stands before each request's path; empty for nothing.
    public let path: String

    /// What is wrong with a target, in a sentence without a full stop.
    public struct Problem: Error, Hashable, Sendable {
        /// The sentence.
        public let text: String
    }

    /// Reads `http://host:port/path`.
    ///
    /// - Throws: what is wrong with it.
    public init(_ text: String) throws(Problem) {
        guard let scheme = text.firstRange(of: "://") else {
            throw Problem(text: "must be an address such as http://127.0.0.1:8080, got '\(text)'")
        }
        guard text[..<scheme.lowerBound].lowercased() == "http" else {
            throw Problem(
                text: "must begin with http://, got '\(text)'; for https, put a proxy that ends TLS"
                    + " on this machine and drive that")
        }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard !authority.contains("@"), !rest.contains(where: { "?# ".contains($0) }) else {
            throw Problem(text: "must have neither a user nor a query, got '\(text)'")
        }
        guard let (host, port) = Self.parts(of: authority) else {
            throw Problem(text: "must name a host and a port from 1 to 65535, got '\(text)'")
        }
        (self.host, self.port) = (host.lowercased(), port)
        var path = String(rest.dropFirst(authority.count))
        while path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    private static func parts(of authority: Substring) -> (host: String, port: UInt16)? {
        var (host, port) = (authority, Substring("80"))
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.isEmpty { port = rest.dropFirst() }
        } else if let colon = authority.firstIndex(of: ":") {
            (host, port) = (authority[..<colon], authority[authority.index(after: colon)...])
        }
        guard !host.isEmpty, let number = UInt16(port), number > 0 else { return nil }
        return (String(host), number)
    }

    /// Whether it is this machine, by its address and not by what a name might lead to.
    public var isLoopback: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isNumeric = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || isNumeric && parts[0] == "127"
    }

    /// The address in short: `http://127.0.0.1:8080`.
    public var text: String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
    }
}
