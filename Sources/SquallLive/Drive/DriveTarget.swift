import SquallFormat
import SquallHTTP
public import SquallSockets

/// The server that is driven.
public struct DriveTarget: Hashable, Sendable {
    /// Where the server is.
    public let address: ServerAddress
    /// A PEM file of certificates to trust instead of the system's.
    public var certificates: String?

    /// A text that is no target.
    public struct Problem: Error, Hashable, Sendable {
        /// What is wrong, in a sentence without a full stop.
        public let text: String
    }

    /// Reads `http://host:port/path`, or https.
    ///
    /// - Throws: ``Problem``.
    public init(_ text: String) throws(Problem) {
        guard text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw Problem(text: "has a character that no address has, got '\(text.excerpt())'")
        }
        guard let scheme = text.firstRange(of: "://") else {
            throw Problem(text: Self.refusal(of: text))
        }
        guard ["http", "https"].contains(text[..<scheme.lowerBound].asciiLowercased) else {
            throw Problem(text: "must begin with http:// or https://, got '\(text)'")
        }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard !authority.contains("@"), !rest.contains(where: { "?# ".contains($0) }) else {
            throw Problem(text: "must have neither a user nor a query, got '\(text)'")
        }
        guard let address = ServerAddress(text) else {
            throw Problem(text: "must name a host and a port from 1 to 65535, got '\(text)'")
        }
        self.address = address
    }

    /// The refusal of a text that is no address: `localhost:8080` lacks nothing but a scheme.
    private static func refusal(of text: String) -> String {
        let whole = "http://" + text
        return ServerAddress(whole) == nil
            ? "must be an address such as http://127.0.0.1:8080, got '\(text)'"
            : "must begin with http:// or https://, got '\(text)'. Did you mean '\(whole)'?"
    }

    /// The name or the numeric address, in lower case.
    public var host: String { address.host.asciiLowercased }

    /// True for this machine, by its address and not by what a name might lead to: only another one
    /// has to be named by `--i-own`.
    public var isLoopback: Bool {
        let host = host
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isNumeric = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || isNumeric && parts[0] == "127"
    }

    /// The address in short: `http://127.0.0.1:8080`.
    public var text: String {
        let scheme = address.isSecure ? "https" : "http"
        return "\(scheme)://\(address.shownHost.asciiLowercased):\(address.port)\(address.path)"
    }
}
