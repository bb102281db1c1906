public import SquallBackend
import SquallFormat

/// The network between a client and a mounted service, and the capacity of its server.
///
/// By default every request takes 40 ms to get there and every response 40 ms back, the server
/// responds at once, and nothing is lost: a test can predict the times.
public struct NetworkConditions: Sendable {
    /// How many users there are; each has sessions and connections of its own.
    public var users = 1
    /// Connections, travel times and losses between the users and the server.
    public var network = NetworkPlan.standard
    /// The server's workers, queue and service times.
    public var server = ServerPlan.standard
    /// What goes wrong, where, when and how often; empty by default.
    public var faults: [NetworkFault] = []
    /// How long tokens live; a ``TokenService`` brings its own.
    public var tokens = TokenPolicy.standard

    /// The conditions of tests.
    public init() { self.init(roundTrip: .milliseconds(80)) }

    /// The conditions of tests with another round trip, half of it each way.
    public init(roundTrip: Duration, users: Int = 1) {
        self.users = users
        let plan = BackendPlan.withoutWaiting(roundTrip: roundTrip)
        (network, server) = (plan.network, plan.server)
        tokens.refreshLifetimeNanoseconds = 14 * Span.day
    }

    var plan: BackendPlan {
        BackendPlan(
            tokens: tokens, network: network, server: server, faults: faults, userCount: users)
    }
}

/// A fault on the way to a service, or in it.
///
/// ```swift
/// conditions.faults = [.answerDropped().on("refresh").onlyTurns(2...2)]
/// ```
public typealias NetworkFault = Fault
