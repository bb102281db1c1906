import CSockets
import SquallHTTP
import Testing

@testable import SquallSockets

/// A client, and a server that says what it was asked: verb, address and body.
final class ClientAndServer {
    let client: SocketClient
    let target: HTTPTarget
    /// The scripted server in place of the other one.
    let server: ScriptedServer?
    var now: Int64 = 1
    private let echo: SocketServer
    private let watch: SocketWatch
    static let largeCount = 3_000_000

    init(scripted: Bool = false, _ change: (inout ClientLimits) -> Void = { _ in }) throws {
        var limits = ClientLimits()
        change(&limits)
        watch = try SocketWatch()
        client = SocketClient(limits, watch: watch)
        var serverLimits = HTTPLimits()
        serverLimits.connections = 2_000
        echo = try SocketServer(serverLimits, origin: "http://a.test", watch: watch)
        var port: UInt16 = 0
        if scripted {
            let scripted = try ScriptedServer()
            (server, port) = (scripted, scripted.port)
        } else {
            server = nil
            port = try echo.listen(on: "127.0.0.1", port: 0)
        }
        target = try HTTPTarget(#require(ServerAddress("http://127.0.0.1:\(port)")))
    }

    func begin(
        _ path: String, method: HTTPMethod = .get,
        _ upload: OutgoingRequest.Upload = .whole(.empty), user: UInt64 = 0
    ) -> Got {
        let got = Got()
        let request = OutgoingRequest(method: method, target: path, upload: upload)
        got.exchange = client.begin(request, to: target, user: user, at: now) { got.take($0) }
        return got
    }

    func get(_ path: String, user: UInt64) throws -> Got {
        let got = begin(path, user: user)
        turn { got.hasEnded }
        if let problem = got.problem { throw problem }
        return got
    }

    func get(_ path: String) throws -> Got { try get(path, user: 0) }

    /// Lets both work until something holds; gives up after so many turns.
    func turn(until holds: () -> Bool) {
        var turns = 0
        while turns < 30_000, !holds() {
            step()
            turns += 1
        }
    }

    func step() {
        now += 1
        echo.wait(nanoseconds: 1_000_000)
        client.enter(at: now)
        echo.enter(at: now) { incoming, client in
            let request = incoming.request
            let target = request.url.path + (request.url.query.map { "?" + $0 } ?? "")
            let text = "\(request.method) \(target) \(request.body.text)"
            let body =
                target == "/large"
                ? Body(Array(repeating: 120, count: Self.largeCount)) : Body(text)
            echo.respond(to: client, status: 200, headers: [], body: body)
        }
        echo.send(at: now)
    }
}

/// What a request has got so far.
final class Got {
    var exchange: ClientExchange?
    private(set) var head: ResponseHead?
    private(set) var body: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var problem: ResponseProblem?
    private(set) var wishes = 0
    var pausesAt = Int.max

    var text: String { String(decoding: body, as: UTF8.self) }

    func send(_ text: String) { exchange?.send(Array(text.utf8)) }

    func take(_ event: ResponseEvent) {
        switch event {
        case .interim: break
        case .head(let head): self.head = head
        case .body(let piece):
            body += piece
            if body.count >= pausesAt { exchange?.pause() }
        case .wantsBody: wishes += 1
        case .ended: hasEnded = true
        case .failed(let problem): (self.problem, hasEnded) = (problem, true)
        }
    }
}

/// A server that says what a test tells it, whatever it is asked.
final class ScriptedServer {
    private var listener: Int32
    let port: UInt16
    private var connection: Int32 = -1

    init() throws {
        var port: UInt16 = 0
        listener = squall_listen("127.0.0.1", 0, &port)
        self.port = port
        try #require(listener >= 0)
    }

    deinit { close() }

    /// At most once for each file: its number soon belongs to another test.
    func close() {
        for file in [listener, connection] where file >= 0 { squall_close(file, 0) }
        (listener, connection) = (-1, -1)
    }

    /// Waits for a request, and says something.
    func answer(_ peers: ClientAndServer, _ text: String) {
        awaitRequest(peers)
        let bytes = Array(text.utf8)
        _ = squall_send(connection, bytes, UInt(bytes.count))
        peers.step()
    }

    /// Ends the connection, once a request has come.
    func hangUp(_ peers: ClientAndServer) {
        if peers.client.underWay > 0, connection < 0 { awaitRequest(peers) }
        squall_close(connection, 0)
        connection = -1
    }

    private func awaitRequest(_ peers: ClientAndServer) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        peers.turn {
            if connection < 0 { connection = max(-1, squall_accept(listener)) }
            return connection >= 0 && squall_receive(connection, &bytes, 4_096) > 0
        }
    }
}
