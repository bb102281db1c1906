public import SquallHTTP
public import SquallKernel

/// The backend behind every client's transport: network, server, faults and tokens of any API.
///
/// **Start here** to read this module. A request goes `FarSide` (connection, latency) →
/// `Server/ServerQueue` (workers, line) → `Service/Service` (the answer) and back. The backend is
/// an independent witness of what happened: it sees what travels and nothing of the client.
public final class Backend: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let farSide: FarSide
    private let simulation: Simulation

    /// A backend on which services answer, with its faults scheduled.
    ///
    /// The first service also answers on origins that no other has. Every stream of the backend is
    /// derived by name from `randomness`, the run's root. The observer must outlive the backend.
    public init(
        simulation: Simulation, plan: BackendPlan, services: [any Service],
        randomness: RandomStream, observer: any BackendObserver
    ) {
        self.simulation = simulation
        farSide = FarSide(
            simulation: simulation, plan: plan, services: services, randomness: randomness,
            observer: observer)
        schedule(observer)
    }

    /// The network of a client's session; a request's cause names its user.
    public var transport: any Transport { SimulatedTransport(farSide: farSide) }

    /// The network of a page in a web view: it takes no app connection and is not measured.
    ///
    /// Its messages travel in no time; their travel is part of the time that the user looks at the
    /// page.
    public var webViewTransport: any Transport { WebViewTransport(farSide: farSide) }

    /// Sums that prove that nothing got lost.
    public var counters: BackendCounters { farSide.counters }

    /// Measuring begins now: what ``BackendCounters/server`` tells covers only what follows.
    public func startMeasuring() {
        farSide.counters.server.restart(at: simulation.now.nanoseconds)
    }

    /// The load is over: how busy the server is from now on says nothing about it.
    public func stopMeasuring() {
        farSide.counters.server.stop(at: simulation.now.nanoseconds)
    }

    /// The exchanges that clients still wait for, in the order in which they handed them over.
    public var unended: [ExchangeRecord] { farSide.unended }

    /// Ends the world: a request that is sent from now on fails after a second, so that loops in
    /// clients end, and a service changes nothing for a request that still reaches it.
    public func close() { farSide.isClosed = true }

    /// How many exchanges are under way, those without a client included.
    public var inFlight: Int { farSide.inFlight }

    /// The laws of conservation, with their sums at this moment.
    ///
    /// - Complexity: O(the most exchanges that were ever under way at once).
    public var conservationLaws: [ConservationLaw] { farSide.conservationLaws }

    /// Makes sure that every law of conservation holds.
    ///
    /// - Throws: the laws that do not, with their sums.
    public func checkConservation() throws(ConservationError) {
        let violated = conservationLaws.filter { !$0.holds }
        guard violated.isEmpty else { throw ConservationError(violated: violated) }
    }

    /// Which endpoint a request is.
    public func endpoint(of request: URLRequest) -> Endpoint {
        Exchange(request, cause: RequestCause(), to: &farSide.services, at: simulation.now).endpoint
    }

    /// The user whose account a request's tokens belong to; `nil` when it shows no genuine one.
    public func owner(of shown: TokenTexts) -> UInt64? {
        (shown.access ?? shown.refresh).flatMap { farSide.tokens.owner(of: $0) }
    }

    /// The services' audits, which hold results against them when the run is over.
    public var audits: [any Audit] { farSide.services.all.flatMap(\.service.audits) }

    /// What a user types to sign in with the service on an origin, by default the first one's.
    ///
    /// - Precondition: the service has accounts.
    public func credentials(
        of user: UInt64, at origin: String = ""
    ) -> (email: String, password: String) {
        accounts(at: origin).credentials(of: user)
    }

    /// Makes a user one who signed in before the run with the service on an origin, by default the
    /// first one's; with tokens issued now, or just expired.
    ///
    /// - Precondition: the service has accounts.
    public func signIn(user: UInt64, at origin: String = "", expired: Bool) -> SignedInUser {
        signIn(user: user, at: origin, accessLifetime: expired ? 0 : nil)
    }

    /// The same with an access token that lives this many nanoseconds more; `nil` for a whole life.
    ///
    /// - Precondition: the service has accounts.
    public func signIn(
        user: UInt64, at origin: String = "", accessLifetime: Int64?
    ) -> SignedInUser {
        accounts(at: origin).signIn(
            user, accessLifetime: accessLifetime, at: simulation.now, tokens: farSide.tokens)
    }

    /// Makes every access token that was issued so far count as expired.
    public func expireAccessTokens() { farSide.tokens.expireAll(.access, at: simulation.now) }

    /// Makes every refresh token that was issued so far count as expired.
    public func revokeRefreshTokens() { farSide.tokens.expireAll(.refresh, at: simulation.now) }

    /// A token of a sign-in now, for code that is given its tokens from outside.
    public func issue(_ kind: TokenMint.Kind, to user: Int, isExpired: Bool = false) -> String {
        farSide.tokens.issue(
            kind, to: user, at: simulation.now, lifetime: isExpired ? 0 : nil
        ).token
    }

    private func accounts(at origin: String) -> any Accounts {
        let service = farSide.services.service(at: origin).service
        guard let accounts = service.accounts else {
            preconditionFailure("the service \(service.name) on '\(origin)' has no accounts")
        }
        return accounts
    }

    private func schedule(_ observer: any BackendObserver) {
        let faults = farSide.faults.announced
        let began = simulation.register { [unowned self, unowned observer] index in
            strike(faults[Int(index)])
            observer.faultStruck(faults[Int(index)].fault)
        }
        let ended = simulation.register { [unowned self] _ in farSide.changeCapacity() }
        let serving = farSide.plan.server.serving
        for start in Set((serving.stages + serving.pools.flatMap(\.stages)).map(\.start)).sorted() {
            simulation.schedule(ended, argument: 0, at: start)
        }
        for (index, armed) in faults.enumerated() {
            simulation.schedule(began, argument: UInt64(index), at: armed.fault.start)
            guard case .workers = armed.effect, armed.fault.end.nanoseconds < .max else {
                continue
            }
            simulation.schedule(ended, argument: UInt64(index), at: armed.fault.end)
        }
    }

    private func strike(_ armed: ArmedFault) {
        let now = simulation.now
        switch armed.effect {
        case .tokens(let kind): farSide.tokens.expireAll(kind, at: now, of: armed)
        case .workers: farSide.changeCapacity()
        case .wire, .work, .service, .clocks: break  // Asked whenever a request comes by.
        }
    }
}
