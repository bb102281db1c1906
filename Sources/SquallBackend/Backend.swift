public import SquallHTTP
public import SquallKernel

/// The far side of every client's transport: network, server, tokens, payments.
///
/// **Start here** to read this module. A request goes `Network/FarSide` (connection, latency) →
/// `Server/ServerQueue` (workers, line) → `Contract/Contract` (the answer) and back. The server is
/// an independent opinion of the protocol: it sees what travels and nothing of the client.
public final class Backend: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let farSide: FarSide
    private let simulation: Simulation
    private let provider: PaymentProvider

    /// A backend with its content written and its faults scheduled.
    ///
    /// Every stream of the backend is derived by name from `randomness`, the run's root. The
    /// observer must outlive the backend.
    public init(
        simulation: Simulation, configuration: BackendConfiguration, randomness: RandomStream,
        observer: any BackendObserver
    ) {
        let contract = Contract(configuration, randomness: randomness)
        self.simulation = simulation
        farSide = FarSide(
            simulation: simulation, configuration: configuration, contract: contract,
            randomness: randomness, observer: observer)
        provider = PaymentProvider(
            farSide: farSide, plan: configuration.payments, randomness: randomness)
        schedule(observer)
    }

    /// What a client's session gets as its network; the cause of a request tells whose it is.
    public var transport: any Transport { SimulatedTransport(farSide: farSide) }

    /// The payment provider's page.
    public var paymentProvider: PaymentProvider { provider }

    /// Sums whose balance proves that nothing got lost.
    public var counters: BackendCounters { farSide.counters }

    /// How many exchanges are under way, those without a client included.
    public var inFlight: Int { farSide.inFlight }

    /// The laws of conservation, with their sums at this moment.
    ///
    /// - Complexity: O(the most exchanges that were ever under way at once).
    public var balances: [Balance] { farSide.balances }

    /// Makes sure that every law of conservation holds.
    ///
    /// - Throws: the laws that do not, with their sums.
    public func checkConservation() throws(ConservationError) {
        let violated = balances.filter { !$0.isEven }
        guard violated.isEmpty else { throw ConservationError(violated: violated) }
    }

    /// Every charge, for finding those that were made twice or for nothing.
    public var paymentAudit: PaymentAudit { farSide.contract.ledger.audit }

    /// What a user types to sign in.
    public func credentials(of user: UInt64) -> (email: String, password: String) {
        let users = farSide.contract.users
        return (users.email(Int(user)), users.password(Int(user)))
    }

    /// Makes a user one who signed in before the run, with tokens issued now, or just expired.
    public func signIn(user: UInt64, expired: Bool) -> SignedInUser {
        let users = farSide.contract.users
        let now = simulation.now
        let access = farSide.contract.tokens.issue(
            .access, to: Int(user), at: now, lifetime: expired ? 0 : nil)
        let refresh = farSide.contract.tokens.issue(.refresh, to: Int(user), at: now)
        return SignedInUser(
            userID: users.id(Int(user)), email: users.email(Int(user)),
            nick: users.nick(Int(user)), accessToken: access.token, refreshToken: refresh.token,
            accessExpiry: access.expiry)
    }

    private func schedule(_ observer: any BackendObserver) {
        let faults = farSide.faults.announced
        let began = simulation.register { [unowned self, unowned observer] index in
            strike(faults[Int(index)])
            observer.faultStruck(faults[Int(index)].fault)
        }
        let ended = simulation.register { [unowned self] _ in farSide.changeCapacity() }
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
        case .tokens(let kind): farSide.contract.tokens.expireAll(kind, at: now, of: armed)
        case .workers: farSide.changeCapacity()
        case .wire, .work, .clocks: break  // Looked up whenever a request comes by.
        }
    }
}

/// What a sign-in brings.
public struct SignedInUser: Sendable, Hashable {
    /// The server's identifier of the user.
    public let userID: String
    /// The e-mail address.
    public let email: String
    /// The name others see.
    public let nick: String
    /// The short-lived token.
    public let accessToken: String
    /// The token that buys new access tokens.
    public let refreshToken: String
    /// When the access token expires.
    public let accessExpiry: Instant
}

/// The network as a client's session sees it.
private struct SimulatedTransport: Transport {
    let farSide: FarSide

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let exchange = Exchange(request, cause: cause, at: farSide.simulation.now)
        let result: Exchange.Result = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                guard !Task.isCancelled else {
                    return continuation.resume(returning: .failure(TransportError(.cancelled)))
                }
                exchange.continuation = continuation
                farSide.begin(exchange)
            }
        } onCancel: {
            farSide.cancel(exchange)
        }
        return try result.get()
    }
}
