public import SquallBackend
import SquallKernel

/// The network between a client and a mounted service, and the capacity of its server.
///
/// By default every request takes 40 ms to get there and every answer 40 ms back, the server
/// answers at once, and nothing is lost: a test can predict the times.
public struct FarConditions: Sendable {
    /// How many users there are; each has sessions and connections of its own.
    public var users = 1
    /// The network.
    public var network = NetworkPlan(
        up: .constant(nanoseconds: 40_000_000), down: .constant(nanoseconds: 40_000_000),
        connectionsPerHost: 255, timeoutNanoseconds: 60_000_000_000,
        bandwidthBytesPerSecond: nil, uploadBytesPerSecond: nil, connectFailureProbability: 0,
        requestLossProbability: 0, answerLossProbability: 0, lossNotice: .timeout)
    /// The server.
    public var server = ServerPlan(
        workers: 1_000, queueLimit: 100_000, serviceTime: .constant(nanoseconds: 0),
        serviceTimes: [:], perItemNanoseconds: 0, perScannedRowNanoseconds: 0,
        waitLimitNanoseconds: nil, userRate: nil, keyRate: nil, retryAfterNanoseconds: nil,
        clockSkewNanoseconds: 0, serving: .plain)
    /// What goes wrong, where, when and how often.
    public var faults: [FarFault] = []
    /// How long tokens live; a ``TokenService`` brings its own.
    public var tokens = TokenPolicy(
        accessLifetimeNanoseconds: 300_000_000_000,
        refreshLifetimeNanoseconds: 14 * 86_400_000_000_000, lifetimeJitterNanoseconds: 0,
        refresh: .coexist, refreshRevokesAccessTokens: false, revocationLagNanoseconds: 0)

    /// The conditions of tests.
    public init() {}

    /// The conditions of tests with another round trip, half of it each way.
    public init(roundTrip: Duration, users: Int = 1) {
        self.users = users
        let way = Distribution.constant(nanoseconds: Int64(roundTrip / .nanoseconds(2)))
        network.up = way
        network.down = way
    }

    var plan: BackendPlan {
        BackendPlan(
            tokens: tokens, network: network, server: server, faults: faults, userCount: users,
            identity: StreamIdentity())
    }
}

/// A fault on the way to a service, or in it.
///
/// ```swift
/// conditions.faults = [.answerDropped().on("refresh").onlyTurns(2...2)]
/// ```
public typealias FarFault = Fault
