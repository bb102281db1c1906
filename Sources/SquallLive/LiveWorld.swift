import SquallBackend
import SquallHTTP
import SquallKernel
import SquallRaces
import SquallServices

/// The backend of a setup in a simulation of its own, from the beginning of its time, and what
/// judges and counts its clients.
final class LiveWorld {
    let simulation: Simulation
    let backend: Backend
    let judge: LiveJudge
    /// The real server, where there is one.
    let upstream: UpstreamService?
    var tally = LiveTally()
    private var expires: EventHandler?

    init(_ setup: LiveSetup) {
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
        guard let span = setup.expireEveryNanoseconds else { return }
        expires = simulation.register { [unowned self] _ in
            expireAccessTokens()
            expireLater(after: span)
        }
        expireLater(after: span)
    }

    /// Lets every access token expire that was issued so far.
    func expireAccessTokens() {
        backend.expireAccessTokens()
        upstream?.expire()
    }

    private func expireLater(after span: Int64) {
        guard let expires else { return }
        let end = simulation.now.advanced(byNanoseconds: span)
        simulation.schedule(expires, argument: 0, at: end)
    }

    /// Lets a request enter now; `told` gets its outcome.
    func take(
        _ request: URLRequest, connection: UInt64,
        told: @escaping (Result<TransportResponse, TransportError>) -> Void
    ) -> Backend.LiveExchange {
        let began = simulation.now.nanoseconds
        // Known before anything is told: an answer takes an event at least.
        var endpoint = ""
        let exchange = judge.exchange(request, connection: connection) { [unowned self] result in
            let status = (try? result.get().head.statusCode) ?? 0
            tally.ended(
                endpoint, status, afterNanoseconds: simulation.now.nanoseconds - began)
            told(result)
        }
        endpoint = exchange.endpoint.name
        return exchange
    }
}
