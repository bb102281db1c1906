import SquallHTTP
import SquallSockets

/// The way to a real server.
protocol UpstreamLink: AnyObject {
    /// Sends a request; `told` gets what happens to it, on this thread, from within ``enter(at:)``.
    func begin(
        _ request: OutgoingRequest, at now: Int64, told: @escaping (ResponseEvent) -> Void
    ) -> any UpstreamExchange

    /// Tells what has come.
    func enter(at now: Int64)
}

/// A request that is under way to a real server.
protocol UpstreamExchange: AnyObject {
    /// How many bytes of it wait to be sent.
    var backlog: Int { get }
    /// Sends the next piece of its body.
    func send(_ piece: [UInt8])
    /// Its body is whole.
    func finish()
    /// Lets the rest of the response wait, and takes it again.
    func pause()
    func resume()
    /// Gives it up; nothing more is told.
    func cancel(at now: Int64?)
}

extension ClientExchange: UpstreamExchange {}

/// The way by http or https, on the sockets of the server: bytes travel as they are.
final class SocketLink: UpstreamLink {
    private let client: SocketClient
    private let target: HTTPTarget

    /// - Throws: where the server's name has no address.
    init(_ plan: UpstreamPlan, watch: SocketWatch) throws(ResponseProblem) {
        var limits = ClientLimits()
        limits.responseNanoseconds = 300_000_000_000
        client = SocketClient(limits, watch: watch)
        target = try HTTPTarget(plan.address, trusting: plan.certificates)
    }

    func begin(
        _ request: OutgoingRequest, at now: Int64, told: @escaping (ResponseEvent) -> Void
    ) -> any UpstreamExchange { client.begin(request, to: target, at: now, told: told) }

    func enter(at now: Int64) { client.enter(at: now) }
}
