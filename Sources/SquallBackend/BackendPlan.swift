/// Everything about the far side that is no service's business.
public struct BackendPlan: Sendable {
    /// How long tokens live.
    public var tokens = TokenPolicy()
    /// What lies between a client and the server.
    public var network = NetworkPlan()
    /// How much the server can do at once.
    public var server = ServerPlan()
    /// What goes wrong, and when.
    public var faults: [Fault] = []
    /// How many users there are; their numbers are below it.
    public var userCount = 0

    /// The defaults of every part.
    public init() {}
}
