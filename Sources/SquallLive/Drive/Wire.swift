import SquallHTTP
import SquallSockets

/// What carries requests to the server: connections of this process, or a test's own.
protocol Wire: AnyObject {
    /// Sends a request on a connection of one lane; `told` is called once, from within
    /// ``enter(at:)``, unless the request is given up by what is returned.
    func begin(
        _ request: OutgoingRequest, connectionsOf lane: UInt64, at now: Int64,
        told: @escaping (Result<WireResponse, WireProblem>) -> Void
    ) -> () -> Void
    /// Comes back when something has come, or after this long.
    func wait(nanoseconds: Int64)
    /// Tells what has come.
    func enter(at now: Int64)
    /// The number of open connections.
    var open: Int { get }
    /// The most that were open at once, and the number made in all.
    var openMost: Int { get }
    var made: Int { get }
    /// The number of requests that were sent again on another connection.
    var sentAgain: Int { get }
    /// The watch that wakes ``wait(nanoseconds:)``, for programs that wait for other sockets as
    /// well; `nil` for a wire without sockets.
    var watch: SocketWatch? { get }
}

extension Wire {
    var watch: SocketWatch? { nil }
    var sentAgain: Int { 0 }
}

/// A response as it came.
struct WireResponse {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]
}

/// A request that got no response.
struct WireProblem: Error {
    let code: TransportError.Code
    /// The system's own words.
    var text = ""
    /// True where this process had no file left for the connection.
    var lacksDescriptor = false
}

/// Connections of this process, those of one lane apart from all others.
final class SocketWire: Wire {
    private let sockets: SocketWatch
    private let client: SocketClient
    private let target: HTTPTarget
    private(set) var openMost = 0

    /// Connections to a target.
    ///
    /// - Throws: `SocketServer.Problem` where sockets cannot be used.
    init(_ target: HTTPTarget, totalNanoseconds: Int64) throws {
        self.target = target
        sockets = try SocketWatch()
        var limits = ClientLimits()
        // Time-outs are those of the profile's clients.
        limits.connectNanoseconds = .max / 4
        limits.responseNanoseconds = .max / 4
        limits.idleNanoseconds = .max / 4
        limits.totalNanoseconds = totalNanoseconds
        client = SocketClient(limits, watch: sockets)
    }

    var watch: SocketWatch? { sockets }
    var open: Int { client.open }
    var made: Int { client.connected }
    var sentAgain: Int { client.sentAgain }

    func begin(
        _ request: OutgoingRequest, connectionsOf lane: UInt64, at now: Int64,
        told: @escaping (Result<WireResponse, WireProblem>) -> Void
    ) -> () -> Void {
        let exchange = client.exchange(request, to: target, user: lane, at: now) { result in
            switch result {
            case .success(let response):
                told(
                    .success(
                        WireResponse(
                            status: response.head.status, headers: response.head.headers,
                            body: response.body)))
            case .failure(let problem): told(.failure(WireProblem(problem)))
            }
        }
        openMost = max(openMost, client.open)
        return { exchange.cancel() }
    }

    func wait(nanoseconds: Int64) { sockets.wait(nanoseconds: nanoseconds) }

    func enter(at now: Int64) { client.enter(at: now) }
}

extension WireProblem {
    init(_ problem: ResponseProblem) {
        code =
            switch problem.kind {
            case .unreachable, .outOfFiles: .cannotConnectToHost
            case .untrusted: .secureConnectionFailed
            case .broken: .networkConnectionLost
            case .timedOut: .timedOut
            case .malformed: .cannotParseResponse
            }
        text = problem.text
        lacksDescriptor = problem.kind == .outOfFiles
    }
}
