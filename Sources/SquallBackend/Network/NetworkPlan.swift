public import SquallFormat
import SquallHTTP
public import SquallKernel

/// What lies between a client and the server.
public struct NetworkPlan: Hashable, Sendable {
    /// The travel time of a request, without its size's part.
    public var up: Distribution
    /// The travel time of a response, without its size's part.
    public var down: Distribution
    /// Bytes a second that reach one user over all connections; `nil` when size takes no time.
    public var bandwidthBytesPerSecond: Int64?
    /// Bytes a second that leave one user over all connections; `nil` when size takes no time.
    public var uploadBytesPerSecond: Int64?
    /// How many requests of one user are on the wire at once; others wait for a connection.
    public var connectionsPerHost: Int
    /// How long a client waits for an exchange on the wire before it gives up.
    public var timeoutNanoseconds: Int64
    /// The probability that no connection comes about; the client learns of it at once.
    public var connectFailureProbability: Double
    /// The probability that a request is lost before the server sees it.
    public var requestLossProbability: Double
    /// The probability that a response is lost after the server has done what was asked.
    public var answerLossProbability: Double
    /// How a client learns of a loss.
    public var lossNotice: LossNotice
    /// Networks that a share of the users are in; all others have `up` and `down`.
    public var classes: [NetworkClass]
    /// The cost and the end of connections; `nil` where they are always there.
    public var connections: ConnectionPlan?

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
            "How many requests of one user are under way at once; with connections, of http1.")
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
        classes = read(
            "classes", .list(of: .section { NetworkClass(&$0) }, 0...20), otherwise: [],
            "Networks that a share of the users are in, such as wifi, lte and poor; the others have"
                + " up and down.")
        let share = classes.reduce(0) { $0 + $1.share }
        if share > 1.000_001, read.isSound("classes") {
            read.refuse(
                "classes",
                "share out \(Units.percent(share)) of the users; make it 100 % or less")
        }
        connections = read.optional(
            "connections", .section { ConnectionPlan(&$0) },
            "What setting a connection up costs, what one carries and when it ends; by default"
                + " connections are there and never end.")
        if connections?.certificateBytes ?? 0 > 0, bandwidthBytesPerSecond == nil {
            read.refuse(
                read.path.appending("connections").appending("certificateBytes"),
                "needs bandwidthBytesPerSecond beside connections; without it size takes no time")
        }
    }
}

/// A network that a share of the users are in.
public struct NetworkClass: Hashable, Sendable {
    /// What the profile calls it.
    public var name: String
    /// Which share of the users, always the same ones.
    public var share: Double
    /// How long a request and an answer travel in it, without their sizes' part.
    public var up, down: Distribution

    /// A kind of access whose travel times were published.
    ///
    /// They are those to a server close by; the way from there to your own comes on top. Half of a
    /// round trip is each way's. The spread of those over the radio is that of 903 tests over 4G
    /// with a good signal, in which the logarithm of a round trip has a standard deviation of 0.47
    /// (Trevisan et al., *ERRANT: Realistic Emulation of Radio Access Networks*, Computer Networks
    /// 2020, `speed_test_sample.csv`); 91 over 3G have 0.48, and of 5G none was found.
    public enum Access: String, Hashable, Sendable, CaseIterable {
        /// A radio hop of 20 ms in the median and 100 ms for one packet in ten (Pei et al., *WiFi
        /// can be the weakest link of round trip network latency in the wild*, INFOCOM 2016), and 9
        /// ms of fixed line (Ookla's Speedtest Global Index, first quarter of 2023).
        case wifi
        /// A mean round trip of 21 ms: British operators have 18.3 to 23.7 (Ofcom, *Mobile
        /// Matters*, 2024).
        case lte
        /// A mean round trip of 19 ms: British operators have 16.3 to 21.4 (Ofcom, *Mobile
        /// Matters*, 2024).
        case fiveG = "5g"
        /// A round trip of 150 ms: the slowest quarter of 4G (Lighthouse's `docs/throttling.md`).
        case poor

        /// The travel time one way.
        public var way: Distribution {
            let (median, sigma): (Int64, Double) =
                switch self {
                case .wifi: (11_000_000, 1.3)
                case .lte: (8_560_000, 0.64)
                case .fiveG: (7_740_000, 0.64)
                case .poor: (68_600_000, 0.64)
                }
            return .logNormal(median: median, sigma: sigma, maximum: 2 * Span.second)
        }
    }

    fileprivate init(_ read: inout SettingsReader) {
        name = read("name", .text(1...40), "What it is called.")
        share = read("share", .number(0...1), "Which share of the users is in it.")
        let law = read.optional(
            "law", .choice(Access.self),
            "Travel times as published, in place of up and down, to which the way from the access"
                + " network to your server comes.")
        let way = SettingFormat.distribution(0...Span.hour)
        let known = law?.way ?? .constant(nanoseconds: 0)
        let given = (
            up: read.optional("up", way, "Time a request travels to the server in it."),
            down: read.optional("down", way, "Time a response travels back in it.")
        )
        (up, down) = (given.up ?? known, given.down ?? known)
        let isWhole = [given.up, given.down].allSatisfy { ($0 == nil) == (law != nil) }
        if !isWhole, !read.keys.isEmpty, read.isSound("law", "up", "down") {
            read.refuse(read.path, "needs up and down, or a law in place of both")
        }
    }
}

/// Chooses an attempt's random numbers by its meaning: which call of which endpoint in which step.
///
/// The number of a request counts everything asked before it: one more refresh would give every
/// later call of the user another latency, and two designs could not be compared call by call. Here
/// the second call of an endpoint in a step has the same numbers whatever other calls are made.
struct AttemptDraws {
    /// By user, the newest step.
    private var steps: [UInt32]
    /// By user, how often each endpoint was called in that step.
    ///
    /// The upper half names an endpoint, the lower counts its requests; a step that calls more
    /// endpoints counts the others together.
    private var calls: [SIMD8<UInt32>]

    /// No calls yet; incomplete, and so unusable, when `isStopped` said so meanwhile.
    init(users: Int, unless isStopped: () -> Bool) {
        steps = Array(repeating: .max, count: users, unless: isStopped)
        calls = Array(repeating: SIMD8(), count: users, unless: isStopped)
    }

    /// The ordinal of an attempt's draws.
    ///
    /// Every send of an endpoint in a step counts, so that no two attempts share a draw.
    mutating func ordinal(of cause: RequestCause, to endpoint: Endpoint) -> UInt64 {
        let count = count(cause, endpoint)
        return (UInt64(cause.step) << 40 | endpoint.key << 16)
            &+ UInt64(count) &* 0x9E37_79B9_7F4A_7C15
    }

    /// How often the endpoint was called before in the step.
    private mutating func count(_ cause: RequestCause, _ endpoint: Endpoint) -> UInt32 {
        let user = Int(cause.user)
        guard user < calls.count else { return cause.request }
        if steps[user] != cause.step {
            steps[user] = cause.step
            calls[user] = SIMD8()
        }
        let name = UInt32(truncatingIfNeeded: endpoint.number + 1) << 16
        var lane = 0
        while lane < 7, calls[user][lane] != 0, calls[user][lane] & 0xFFFF_0000 != name {
            lane += 1
        }
        let count = calls[user][lane] & 0xFFFF
        calls[user][lane] = name | (count + 1) & 0xFFFF
        return count
    }
}
