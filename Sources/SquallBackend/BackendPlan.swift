public import SquallKernel

/// What is planned for the backend, apart from its services.
public struct BackendPlan: Sendable {
    /// How long tokens live.
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
}
