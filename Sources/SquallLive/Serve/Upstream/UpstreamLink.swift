import SquallHTTP
import SquallSockets

/// The way to a real server, by http or https, on the sockets of the proxy: bytes travel as they
/// are.
final class UpstreamLink {
    private let client: SocketClient
    private let target: HTTPTarget

    /// - Throws: where the server's name has no address.
    init(_ plan: UpstreamPlan, watch: SocketWatch) throws(ResponseProblem) {
        var limits = ClientLimits()
        limits.responseNanoseconds = 300_000_000_000
        client = SocketClient(limits, watch: watch)
        target = try HTTPTarget(plan.address, trusting: plan.certificates)
    }

    /// Sends a request; `told` gets what happens to it, on this thread, from within ``enter(at:)``.
    func begin(
        _ request: OutgoingRequest, at now: Int64, told: @escaping (ResponseEvent) -> Void
    ) -> ClientExchange { client.begin(request, to: target, at: now, told: told) }

    /// Tells what has come.
    func enter(at now: Int64) { client.enter(at: now) }
}
