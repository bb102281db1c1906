public import SquallHTTP
public import SquallKernel

/// One line of the server's log: a request that it received and replied to.
public struct ServerRecord: Hashable, Sendable {
    /// Why it was sent.
    public let cause: RequestCause
    /// Which endpoint it was for.
    public let endpoint: Endpoint
    /// The verb that was sent.
    public let method: HTTPMethod
    /// Where it was sent: a path with everything that stands for variables, and a query.
    public let url: WebURL
    /// What the server replied.
    public let status: Int
    /// What that means by the rules of the service.
    public let meaning: AnswerMeaning
    /// When the server received it.
    public let arrived: Instant
    /// When a worker took it, or when it was turned away.
    public let started: Instant
    /// When the server replied.
    public let replied: Instant
    /// The worker who did it; `nil` when it was turned away.
    public let worker: Int?
    /// How many objects of a list the reply had.
    public let items: Int
    /// How many rows were scanned.
    public let rowsScanned: Int
    /// How many bytes the reply had.
    public let bytes: Int
    /// How many refreshes lie between sign-in and access token; `nil` without a genuine one.
    public let tokenGeneration: UInt32?
    /// Whether the network delivered the same bytes before.
    public let isDuplicate: Bool

    /// How long it waited in line.
    public var waitNanoseconds: Int64 { started.nanoseconds - arrived.nanoseconds }
    /// How long a worker worked on it.
    public var serviceNanoseconds: Int64 { replied.nanoseconds - started.nanoseconds }
}
