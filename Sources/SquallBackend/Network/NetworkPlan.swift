public import SquallKernel

/// What lies between a client and the server.
public struct NetworkPlan: Sendable {
    /// How long a request travels, before its size counts.
    public var up = Distribution.logNormal(
        median: 20_000_000, sigma: 0.4, maximum: 2_000_000_000)
    /// How long an answer travels, before its size counts.
    public var down = Distribution.logNormal(
        median: 20_000_000, sigma: 0.4, maximum: 2_000_000_000)
    /// How many requests of one user are on the wire at once; others wait their turn.
    public var connectionsPerHost = 6
    /// After how long on the wire a client gives up waiting.
    public var timeoutNanoseconds: Int64 = 60_000_000_000
    /// Bytes a second that reach one user over one connection; `nil` when size takes no time.
    public var bandwidthBytesPerSecond: Int64?
    /// Bytes a second that leave one user over one connection; `nil` when size takes no time.
    public var uploadBytesPerSecond: Int64?
    /// How likely it is that no connection comes about; the client learns of it at once.
    public var connectFailureProbability = 0.0
    /// How likely a request is lost before the server sees it.
    public var requestLossProbability = 0.0
    /// How likely an answer is lost after the server has done what was asked.
    public var answerLossProbability = 0.0
    /// How a client learns of a loss.
    public var lossNotice = LossNotice.timeout

    /// The defaults.
    public init() {}

    /// The losses as faults that last for the whole run.
    var losses: [Fault] {
        let kinds: [(Fault.Kind, Double)] = [
            (.refuseConnection, connectFailureProbability),
            (.dropRequest(lossNotice), requestLossProbability),
            (.dropAnswer(lossNotice), answerLossProbability),
        ]
        return kinds.compactMap { kind, probability in
            probability > 0 ? Fault(kind, probability: probability) : nil
        }
    }
}

/// How a client learns that a request or its answer was lost.
public enum LossNotice: String, Hashable, Sendable {
    /// By its own patience: nothing ever comes.
    case timeout
    /// By the connection, which breaks when the bytes should have arrived.
    case connectionLost
}
