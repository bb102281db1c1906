public import SquallBackend
public import SquallFormat
public import SquallKernel
import Synchronization

/// A kind of service that a world can have.
///
/// **Start here** to read this module: `Declared/` is any API by its settings, and an executable
/// adds its own kinds.
public struct ServiceKind: Sendable {
    /// The calls that profiles may name.
    public let endpoints: [EndpointDescription]
    /// The settings that a profile's `backend` may have for it.
    public let settings: [Setting<CheckedSetting>]
    /// What its audits can find.
    public let audits: [AuditKind]
    /// The time of the work on a call where the service sets it, by the calls' names.
    let serviceTimes: @Sendable (ServicesPlan) -> [String: Distribution]
    /// The origins on which it answers, by a plan.
    public let origins: @Sendable (ServicesPlan) -> [String]
    /// The token service that the kind was made of; `nil` for the others.
    private(set) var tokenService: TokenService?
    /// Makes it by a plan; several services where it answers on several hosts.
    ///
    /// Streams are derived by name from the run's root.
    let make: @Sendable (_ plan: ServicesPlan, _ root: RandomStream) -> [any Service]
    /// True if it leaves when a profile declares a service, which then stands alone.
    public var yieldsToDeclared = false
    /// How it is called by hand on an origin; `nil` on those of others, and where it is unknown.
    public var access: @Sendable (_ plan: ServicesPlan, _ origin: String) -> ServiceAccess? = {
        _, _ in nil
    }
    /// The memory for what it holds before a run, in bytes.
    public var bytesHeld: @Sendable (ServicesPlan) -> Double = { _ in 0 }
    /// Sets it up for one phone: every origin that it can have, and little behind them.
    public var serveOnePhone: @Sendable (inout ServicesPlan) -> Void = { _ in }

    /// A kind from its parts.
    public init(
        endpoints: [EndpointDescription], settings: [Setting<CheckedSetting>] = [],
        audits: [AuditKind] = [],
        serviceTimes: @escaping @Sendable (ServicesPlan) -> [String: Distribution] = { _ in [:] },
        origins: @escaping @Sendable (ServicesPlan) -> [String],
        make: @escaping @Sendable (_ plan: ServicesPlan, _ root: RandomStream) -> [any Service]
    ) {
        self.endpoints = endpoints
        self.settings = settings
        self.audits = audits
        self.serviceTimes = serviceTimes
        self.origins = origins
        self.make = make
    }

    /// A service for any API by configuration, with an account for every user.
    public init(_ service: TokenService) {
        self.init(
            endpoints: service.endpoints, serviceTimes: { _ in service.serviceTimes },
            origins: { _ in service.origins }
        ) { plan, root in
            [service.service(by: plan, root)]
        }
        tokenService = service
    }

    /// Every kind there is; requests to an unknown host go to the first one.
    public static var all: [ServiceKind] { ownKinds + [declared] }

    /// Adds an executable's services, before any world is built.
    public static func add(_ kinds: [ServiceKind]) { added.withLock { $0 += kinds } }

    // Services that an executable adds, once, before the tool begins.
    private static let added = Mutex<[ServiceKind]>([])

    /// The kinds that the executable has added.
    static var ownKinds: [ServiceKind] { added.withLock { $0 } }

    /// The time of the work on a call where a plan's services set it, by the calls' names.
    public static func serviceTimes(of plan: ServicesPlan) -> [String: Distribution] {
        mounted(by: plan).map { $0.serviceTimes(plan) }.reduce(into: [:]) { all, own in
            all.merge(own) { first, _ in first }
        }
    }

    /// The service for any API that a plan has on an origin: a declared one, or an executable's.
    public static func tokenService(at origin: String, by plan: ServicesPlan) -> TokenService? {
        let declared = plan.declared
        if declared.isDeclared, declared.origin == origin { return declared.tokenService }
        return ownKinds.compactMap(\.tokenService).first { $0.origins.contains(origin) }
    }

    /// The memory for what a plan's services hold before a run, in bytes.
    public static func bytesHeld(by plan: ServicesPlan) -> Double {
        all.reduce(0) { $0 + $1.bytesHeld(plan) }
    }

    /// The services that a plan asks for.
    public static func services(_ plan: ServicesPlan, randomness: RandomStream) -> [any Service] {
        mounted(by: plan).flatMap { $0.make(plan, randomness) }
    }
}

extension TokenService {
    /// The service in the world of a plan.
    func service(by plan: ServicesPlan, _ root: RandomStream) -> any Service {
        var service = self
        service.failureHeaders.merge(plan.failureHeaders) { $1 }
        return service.service(
            randomness: root, userCount: plan.userCount, epoch: plan.epoch)
    }
}
