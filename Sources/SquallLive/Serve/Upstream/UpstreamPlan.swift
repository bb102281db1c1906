public import SquallSockets

/// A real server behind the proxy, and what is known of its tokens beforehand.
public struct UpstreamPlan: Sendable {
    /// Where it is; clients send its path themselves.
    public let address: ServerAddress
    /// A PEM file of certificates to trust instead of the system's.
    public var certificates: String?
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
    /// What is done to a refresh token that is shown again after it brought another; `nil` for what
    /// the server does.
    public var rotation: Rotation?

    /// What is done to a refresh token that is shown again.
    public enum Rotation: String, CaseIterable, Sendable {
        /// It is refused, and so are those that descend from it (RFC 9700 §4.14.2).
        case strict
        /// It is refused, which changes nothing else.
        case oneShot
    }

    /// Reads an address such as `http://127.0.0.1:9000`, as ``DriveTarget`` does.
    ///
    /// - Throws: what is wrong with it.
    public init(_ text: String) throws(DriveTarget.Problem) {
        address = try DriveTarget(text).address
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
