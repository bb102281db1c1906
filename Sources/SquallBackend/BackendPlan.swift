public import SquallKernel

/// What is planned for the backend, apart from its services.
public struct BackendPlan: Sendable {
    /// The lives of tokens, and what a refresh does to them.
    public var tokens: TokenPolicy
    /// What lies between a client and the server.
    public var network: NetworkPlan
    /// How much the server can do at once.
    public var server: ServerPlan
    /// What goes wrong, and when.
    public var faults: [Fault]
    /// How many users there are at first, with numbers below it; more may come.
    public var userCount: Int
    /// Maps a user to the key of its random streams.
    public var identity: StreamIdentity

    /// A plan of its parts.
    public init(
        tokens: TokenPolicy, network: NetworkPlan, server: ServerPlan, faults: [Fault] = [],
        userCount: Int
    ) {
        self.tokens = tokens
        self.network = network
        self.server = server
        self.faults = faults
        self.userCount = userCount
        identity = StreamIdentity()
    }

    /// A backend that a profile says nothing about, without users.
    public static var standard: BackendPlan {
        BackendPlan(tokens: .standard, network: .standard, server: .standard, userCount: 0)
    }

    /// A backend without waiting: a round trip that is constant, half of it each way, and a server
    /// that responds at once; only faults lose anything.
    public static func withoutWaiting(roundTrip: Duration) -> BackendPlan {
        var plan = BackendPlan.standard
        let way = Distribution.constant(nanoseconds: Int64(roundTrip / .nanoseconds(2)))
        (plan.network.up, plan.network.down) = (way, way)
        plan.network.connectionsPerHost = 255
        plan.server.workers = 1_000
        plan.server.queueLimit = 100_000
        plan.server.serviceTime = .constant(nanoseconds: 0)
        return plan
    }
}
