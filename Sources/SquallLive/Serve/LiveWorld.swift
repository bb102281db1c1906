import SquallBackend
import SquallHTTP
import SquallKernel
import SquallRaces
import SquallServices

/// The backend of a setup in a simulation of its own, from the beginning of its time, and what
/// judges and counts its clients.
final class LiveWorld {
    /// The name that results show.
    let name: String
    /// A reader of faults as a profile would have them.
    let faults: LiveFaults
    let simulation: Simulation
    let backend: Backend
    let judge: LiveJudge
    /// The real server behind it; `nil` for simulated services.
    let upstream: UpstreamService?
    var tally = LiveTally()
    /// The names that reports have for paths that no service knows.
    private(set) var paths = LivePaths()
    /// How the service is called; `nil` for a real server.
    private let access: ServiceAccess?
    /// The first account of the service; `nil` for a real server.
    let account: (email: String, password: String)?
    /// Plays drills with the app that uses it.
    let drills: LiveDrills
    /// Lets tokens of the backend, and of the real server behind it, expire.
    let expire: (TokenMint.Kind) -> Void
    private var expires: EventHandler?

    init(_ setup: LiveSetup) {
        (name, faults) = (setup.name, setup.faults)
        (paths.keepsWords, paths.isOfRealServer) = (setup.keepsWords, setup.upstream != nil)
        let root = RandomStream(seed: setup.seed)
        simulation = Simulation(
            itemsPerInstantMax: 2_000_000, epoch: setup.services.epoch,
            systemRandomness: root.stream("system.randomness"))
        judge = LiveJudge(simulation)
        upstream = setup.upstream.map { [simulation] in UpstreamService($0, in: simulation) }
        backend = Backend(
            simulation: simulation, plan: setup.backend,
            services: upstream.map { [$0] }
                ?? ServiceKind.services(setup.services, randomness: root),
            randomness: root, observer: judge)
        judge.attach(to: backend)
        upstream?.attach(to: backend)
        judge.adoptsUnknownTokens = upstream != nil
        let logOut = setup.services.logOut(at: setup.origin)
        judge.isSignOut = { [upstream] endpoint, request in
            upstream?.rules.isSignOut(request) ?? (endpoint.name == logOut)
        }
        judge.signsIn = UpstreamRules.account
        judge.asksFor = UpstreamRules.target
        judge.speed = setup.speed
        access = upstream == nil ? setup.services.access(at: setup.origin) : nil
        account = upstream == nil ? backend.credentials(of: 0, at: setup.origin) : nil
        expire = { [unowned backend, upstream] kind in
            switch kind {
            case .access:
                backend.expireAccessTokens()
                upstream?.expire()
            case .refresh:
                backend.revokeRefreshTokens()
                upstream?.revokeRefreshTokens()
            }
        }
        drills = LiveDrills(
            setup.drills ?? LiveDrillPlan(), LiveDrillService(setup, judge, upstream),
            judge: judge, backend: backend, in: simulation, expires: expire)
        if setup.drills != nil { drills.begin() }
        guard let span = setup.expireEveryNanoseconds else { return }
        expires = simulation.register { [unowned self] _ in
            expireAccessTokens()
            expireLater(after: span)
        }
        expireLater(after: span)
    }

    /// The clock went on, and nothing was read or sent meanwhile.
    func stoodStill(nanoseconds span: Int64) {
        tally.standstill += span
        judge.stoodStill()
        drills.skip(because: "the server stood still meanwhile")
    }

    /// Lets every access token expire that was issued so far.
    func expireAccessTokens() { expire(.access) }

    /// Gives up the drills, and lets what plays them come to its end.
    func endDrills() {
        drills.abort()
        var end = simulation.now
        while !drills.isOver, (try? simulation.follow(until: end)) != nil {
            end = end.advanced(byNanoseconds: 10_000_000_000)
        }
    }

    private func expireLater(after span: Int64) {
        guard let expires else { return }
        let end = simulation.now.advanced(byNanoseconds: span)
        simulation.schedule(expires, argument: 0, at: end)
    }

    /// Lets a request enter now; `told` gets its outcome.
    func take(
        _ request: URLRequest, connection: UInt64, began: Int64? = nil,
        told: @escaping (Result<TransportResponse, TransportError>) -> Void
    ) -> Backend.LiveExchange {
        let start = simulation.now.nanoseconds
        for field in access?.headers ?? [] where request.headers[field.name] == nil {
            tally.lacks(field.name)
        }
        // Known before anything is told: an answer takes an event at least.
        var endpoint = ""
        let exchange = judge.exchange(request, connection: connection, began: began) {
            [unowned self] result in
            let status = (try? result.get().head.statusCode) ?? 0
            tally.ended(
                endpoint, status, afterNanoseconds: simulation.now.nanoseconds - start)
            told(result)
        }
        endpoint = exchange.endpoint.name
        if exchange.endpoint.isUnknown {
            paths.note(endpoint, by: exchange.cause.user)
            tally.basePath = tally.basePath ?? access?.basePath(before: request)
        }
        return exchange
    }
}

extension ServiceAccess {
    /// What a request's path lacks in front to be that of a call; `nil` where no call is meant.
    fileprivate func basePath(before request: URLRequest) -> String? {
        let path = request.url.path
        guard path.count > 1 else { return nil }
        return endpoints.first { $0.method == request.method && $0.path.hasSuffix(path) }
            .map { String($0.path.dropLast(path.count)) }
    }
}

extension LiveDrillService {
    /// The parts of a setup's service, or of the real server in its place, that drills need to
    /// know.
    fileprivate init(_ setup: LiveSetup, _ judge: LiveJudge, _ upstream: UpstreamService?) {
        guard let upstream else {
            let services = setup.services
            let form = services.access(at: setup.origin)?.form
            let statesLifetime = form.map { $0.delivery.lifetime != nil || $0.claims != nil }
            self.init(
                endpoints: { ServiceKind.endpoints(of: services) },
                logOut: services.logOut(at: setup.origin),
                expiredStatus: { services.expiredStatus(at: setup.origin) }, hasOwnTokens: true,
                statesLifetime: statesLifetime ?? true, speed: setup.speed)
            return
        }
        self.init(
            endpoints: { [unowned judge] in
                UpstreamService.calls
                    + judge.guardedCalls.map { EndpointDescription($0, .get, "/") }
            }, logOut: nil, expiredStatus: { upstream.expiredStatus }, hasOwnTokens: false,
            statesLifetime: true, speed: setup.speed)
    }
}
