/// Sums over a run that prove that no exchange got lost inside the backend.
public struct BackendCounters: Hashable, Sendable {
    /// Requests that clients handed over.
    public var handedOver: Int64 = 0
    /// Exchanges of which the client got an answer.
    public var answered: Int64 = 0
    /// Exchanges of which the client got none: failed, timed out or cancelled.
    public var unanswered: Int64 = 0
    /// Requests that got a connection and went on the wire.
    public var sent: Int64 = 0
    /// Requests that the network delivered once more.
    public var duplicated: Int64 = 0
    /// Requests that the network lost.
    public var lostRequests: Int64 = 0
    /// Requests that reached the server.
    public var received: Int64 = 0
    /// Requests the server replied to, the ones it turned away included.
    public var replied: Int64 = 0
    /// Requests that the server dropped because it was told that their clients had stopped waiting.
    public var abandoned: Int64 = 0
    /// Replies that no client got: lost on their way, or their client had gone.
    public var dropped: Int64 = 0
    /// What workers and line did and met since measuring began.
    public internal(set) var server = ServerTally()
    /// How many requests were at the server, over time.
    public var occupancy = Occupancy()
}
