public import SquallBackend
import SquallKernel
public import SquallRaces
public import SquallServices
public import SquallSockets

/// A server in real time: its services, faults, drills and limits.
public struct LiveSetup: Sendable {
    /// The name that results show.
    public var name: String
    /// The number that decides everything that is random.
    public var seed: UInt64
    /// The backend; its faults begin at so much time after the server.
    public var backend: BackendPlan
    /// The services behind it, with their accounts.
    public var services: ServicesPlan
    /// The origin of the service that is served.
    public var origin: String
    /// The real server that is called in place of the services; `nil` for none.
    public var upstream: UpstreamPlan?
    /// The number of simulated seconds that pass in one.
    public var speed = 1.0
    /// How often every access token expires, in simulated nanoseconds; `nil` for never.
    public var expireEveryNanoseconds: Int64?
    /// When it ends by itself, in simulated nanoseconds; `nil` for never.
    public var durationNanoseconds: Int64?
    /// The drills that are played from the start; `nil` for none.
    public var drills: LiveDrillPlan?
    /// True if reports show words of paths that fewer than three users asked for.
    public var keepsWords = false
    /// Who may use the server.
    public var asking = WhoMayAsk()
    /// The limits of each client's requests.
    public var limits = HTTPLimits()
    /// A reader of faults for the control API.
    var faults: LiveFaults { upstream == nil ? LiveFaults(of: services) : .upstream }

    /// A plan of its parts; nothing expires but by its lifetime.
    public init(
        name: String, seed: UInt64, backend: BackendPlan, services: ServicesPlan, origin: String
    ) {
        (self.name, self.seed, self.origin) = (name, seed, origin)
        (self.backend, self.services) = (backend, services)
        // What a simulated phone's own network limits, a real client limits itself.
        self.backend.network.connectionsPerHost = 65_535
        (self.backend.network.connections, self.backend.network.classes) = (nil, [])
    }

    /// A real server in place of the services: the way to it takes no time of its own.
    public init(_ upstream: UpstreamPlan, seed: UInt64) {
        var network = NetworkPlan.standard
        (network.up, network.down) = (.constant(nanoseconds: 0), .constant(nanoseconds: 0))
        network.timeoutNanoseconds = 3_600_000_000_000
        let backend = BackendPlan(
            tokens: .standard, network: network, server: .standard, userCount: 0)
        self.init(
            name: upstream.address.authority, seed: seed, backend: backend, services: .standard,
            origin: upstream.address.origin)
        self.upstream = upstream
        asking.isReal = true
        limits = UpstreamPlan.streaming(limits)
    }
}
