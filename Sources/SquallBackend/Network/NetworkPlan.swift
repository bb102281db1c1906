public import SquallFormat
public import SquallKernel

/// What lies between a client and the server.
public struct NetworkPlan: Hashable, Sendable {
    /// How long a request travels, without its size's part.
    public var up: Distribution
    /// How long an answer travels, without its size's part.
    public var down: Distribution
    /// Bytes a second that reach one user over all connections; `nil` when size takes no time.
    public var bandwidthBytesPerSecond: Int64?
    /// Bytes a second that leave one user over all connections; `nil` when size takes no time.
    public var uploadBytesPerSecond: Int64?
    /// How many requests of one user are on the wire at once; others wait their turn.
    public var connectionsPerHost: Int
    /// How long a client waits for an exchange on the wire before it gives up.
    public var timeoutNanoseconds: Int64
    /// How likely it is that no connection comes about; the client learns of it at once.
    public var connectFailureProbability: Double
    /// How likely a request is lost before the server sees it.
    public var requestLossProbability: Double
    /// How likely a response is lost after the server has done what was asked.
    public var answerLossProbability: Double
    /// How a client learns of a loss.
    public var lossNotice: LossNotice

    /// The losses as faults that last for the whole run.
    var losses: [Fault] {
        let kinds: [(FaultKind, Double)] = [
            (.refuseConnection, connectFailureProbability),
            (.dropRequest(lossNotice), requestLossProbability),
            (.dropAnswer(lossNotice), answerLossProbability),
        ]
        return kinds.compactMap { kind, probability in
            probability > 0 ? Fault(kind, probability: probability) : nil
        }
    }
}

extension NetworkPlan {
    /// The network of a profile that says nothing about it.
    public static let standard = SettingFormat.section { NetworkPlan(&$0) }.placeholder()

    /// Reads the plan as a section of a profile's backend.
    public init(_ read: inout SettingsReader) {
        let way: JSON = ["logNormal": ["median": "40ms", "sigma": .number(0.4), "max": "2s"]]
        up = read(
            "up", .distribution(0...Span.hour), otherwise: way,
            "Time a request travels to the server.")
        down = read(
            "down", .distribution(0...Span.hour), otherwise: way,
            "Time a response travels back.")
        connectionsPerHost = read(
            "connectionsPerHost", .integer(1...256), otherwise: 6,
            "How many requests of one user are under way at once.")
        timeoutNanoseconds = read(
            "timeout", .duration(Span.millisecond...Span.hour), otherwise: "60s",
            "When an attempt without a response fails.")
        bandwidthBytesPerSecond = read.optional(
            "bandwidthBytesPerSecond", .integer(1_000...10_000_000_000),
            "Speed of a user's line for responses, shared by its connections; unlimited by default."
        )
        uploadBytesPerSecond = read.optional(
            "uploadBytesPerSecond", .integer(1_000...10_000_000_000),
            "Speed of a user's line for requests, shared likewise; unlimited by default.")
        connectFailureProbability = read(
            "connectFailureProbability", .number(0...1), otherwise: 0,
            "Probability that a connection fails, which the client learns at once.")
        requestLossProbability = read(
            "requestLossProbability", .number(0...1), otherwise: 0,
            "Probability that a request is lost before the server receives it.")
        answerLossProbability = read(
            "answerLossProbability", .number(0...1), otherwise: 0,
            "Probability that a response is lost after the server has served its request.")
        lossNotice = read(
            "lossNotice", .choice(LossNotice.self), otherwise: "timeout",
            "How a client learns of a loss: by its own timeout, or by a connection that breaks.")
    }
}
