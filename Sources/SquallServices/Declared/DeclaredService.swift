public import SquallBackend
import SquallFormat
public import SquallHTTP
public import SquallKernel

/// Any API as a profile declares it: its endpoints, and how its tokens travel.
///
/// It is a ``TokenService`` whose answers are lists of objects of one size, so it signs in,
/// refreshes and refuses as one; the profile's `backend.tokens` says how long tokens live and what
/// a refresh does to them.
public struct DeclaredService: Sendable {
    /// Where it answers, with scheme, host and port.
    public var origin: String
    /// How tokens travel, and what the service answers to bad ones.
    public var form: TokenForm
    /// The calls it knows beside those of its form; empty when a profile declares no service.
    public var endpoints: [DeclaredEndpoint]

    /// Whether a profile declares one.
    public var isDeclared: Bool { !endpoints.isEmpty }

    /// Its calls as profiles and results name them.
    public var calls: [EndpointDescription] { isDeclared ? tokenService.endpoints : [] }

    /// How long the work on a call takes where its endpoint sets it, by its name.
    public var serviceTimes: [String: Distribution] {
        let told = endpoints.compactMap { end in end.serviceTime.map { (end.name, $0) } }
        return Dictionary(told) { first, _ in first }
    }

    var tokenService: TokenService {
        var service = TokenService(form, routes: endpoints.map(\.route))
        service.name = "declared"
        service.origin = origin
        return service
    }
}

extension ServiceKind {
    /// The service that a profile declares, in place of those that this package brings.
    static let declared = ServiceKind(
        endpoints: [], settings: [DeclaredService.setting.checking],
        serviceTimes: { $0.declared.serviceTimes },
        origins: { $0.declared.isDeclared ? [$0.declared.origin] : [] }
    ) { plan, root in
        [plan.declared.tokenService.service(by: plan, root)]
    }

    /// The kinds in a plan's world: a declared service replaces the built-in ones, and one of
    /// another package on its origin.
    public static func mounted(by plan: ServicesPlan) -> [ServiceKind] {
        guard plan.declared.isDeclared else { return all.filter { !$0.isDeclaredOnly } }
        return [declared] + ownKinds.filter { !$0.origins(plan).contains(plan.declared.origin) }
    }

    /// The calls of a plan's services, as profiles and results name them.
    public static func endpoints(of plan: ServicesPlan) -> [EndpointDescription] {
        plan.declared.calls + mounted(by: plan).flatMap(\.endpoints)
    }

    private var isDeclaredOnly: Bool {
        settings.contains { $0.key == DeclaredService.setting.key }
    }
}

extension ServicesPlan {
    /// The service that a profile declares, if it does.
    public var declared: DeclaredService {
        get { self[DeclaredService.setting] }
        set { self[DeclaredService.setting] = newValue }
    }
}
