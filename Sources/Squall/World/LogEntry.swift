public import SquallBackend
public import SquallKernel

/// One request that a service received, and what it replied.
public struct LogEntry: Hashable, Sendable, CustomStringConvertible {
    /// The service's name.
    public let service: String
    /// Its name in results.
    public let name: String
    /// The verb.
    public let method: String
    /// The path and the query, as they were sent.
    public let path: String
    /// The user whose session sent it.
    public let user: Int
    /// The status of the reply.
    public let status: Int
    /// What the reply means by the rules of the service.
    public let meaning: AnswerMeaning
    /// Whether it trades a refresh token for an access token.
    public let isRefresh: Bool
    /// The access token that it showed; `nil` when it showed none.
    public let accessToken: String?
    /// The refresh token that it showed; `nil` when it showed none.
    public let refreshToken: String?
    /// How many refreshes lie between sign-in and the access token it showed; `nil` without one.
    public let tokenGeneration: UInt32?
    /// When it was received.
    public let arrived: Instant
    /// When it was replied to.
    public let replied: Instant
    let order: UInt64

    /// `0.080000000 s GET /posts → 401 expired`.
    public var description: String {
        "\(arrived) \(method) \(path) → \(status) \(meaning)"
    }
}
