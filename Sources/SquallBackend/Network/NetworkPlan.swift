public import SquallKernel

/// What lies between a client and the server.
public struct NetworkPlan: Sendable {
    /// How long a request travels, before its size counts.
    public var up: Distribution
    /// How long an answer travels, before its size counts.
    public var down: Distribution
    /// Bytes a second that reach one user over one connection; `nil` when size takes no time.
    public var bandwidthBytesPerSecond: Int64?
    /// Bytes a second that leave one user over one connection; `nil` when size takes no time.
    public var uploadBytesPerSecond: Int64?
    /// How many requests of one user are on the wire at once; others wait their turn.
    public var connectionsPerHost: Int
    /// After how long on the wire a client gives up waiting.
    public var timeoutNanoseconds: Int64
    /// How likely it is that no connection comes about; the client learns of it at once.
    public var connectFailureProbability: Double
    /// How likely a request is lost before the server sees it.
    public var requestLossProbability: Double
    /// How likely an answer is lost after the server has done what was asked.
    public var answerLossProbability: Double
    /// How a client learns of a loss.
    public var lossNotice: LossNotice

    /// A plan in which everything is said.
    public init(
        up: Distribution, down: Distribution, connectionsPerHost: Int, timeoutNanoseconds: Int64,
        bandwidthBytesPerSecond: Int64?, uploadBytesPerSecond: Int64?,
        connectFailureProbability: Double, requestLossProbability: Double,
        answerLossProbability: Double, lossNotice: LossNotice
    ) {
        self.up = up
        self.down = down
        self.connectionsPerHost = connectionsPerHost
        self.timeoutNanoseconds = timeoutNanoseconds
        self.bandwidthBytesPerSecond = bandwidthBytesPerSecond
        self.uploadBytesPerSecond = uploadBytesPerSecond
        self.connectFailureProbability = connectFailureProbability
        self.requestLossProbability = requestLossProbability
        self.answerLossProbability = answerLossProbability
        self.lossNotice = lossNotice
    }

    /// The losses as faults that last for the whole run.
    var losses: [Fault] {
        let kinds: [(any FaultKind, Double)] = [
            (RefuseConnection(), connectFailureProbability),
            (DropRequest(notice: lossNotice), requestLossProbability),
            (DropAnswer(notice: lossNotice), answerLossProbability),
        ]
        return kinds.compactMap { kind, probability in
            probability > 0 ? Fault(kind, probability: probability) : nil
        }
    }
}
