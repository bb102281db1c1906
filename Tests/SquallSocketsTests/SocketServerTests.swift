import Foundation
import SquallHTTP
import Testing

@testable import SquallSockets

@Suite("Socket server")
struct SocketServerTests {
    @Test("Requests are answered over a socket, on both loopback addresses")
    func answers() throws {
        for address in ["127.0.0.1", "::1"] {
            let peers = try ServerAndClients(address)
            guard let client = peers.connect() else { continue }
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            peers.turn { client.received.hasSuffix("/b") }
            #expect(client.received.contains("Content-Length: 2\r\n\r\n/aHTTP/1.1 200 OK"))
        }
    }

    @Test("A large response to a slow reader comes whole, and others are served meanwhile")
    func largeResponse() throws {
        let peers = try ServerAndClients()
        let (slow, other) = (try peers.client(), try peers.client())
        slow.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        peers.turn { peers.taken.count == 1 }
        other.send("GET /small HTTP/1.1\r\nHost: a\r\n\r\n")
        peers.turn { other.received.hasSuffix("/small") }
        peers.turn { slow.received.utf8.count > ServerAndClients.largeCount }
        #expect(slow.received.utf8.count > ServerAndClients.largeCount)
    }

    @Test("A client that has gone is told of; one that ended its output is not, and is answered")
    func leaving() throws {
        let peers = try ServerAndClients()
        peers.isHolding = true
        var left: [SocketServer.Client] = []
        peers.server.clientLeft = { left.append($0) }
        let (gone, waiting) = (try peers.client(), try peers.client())
        gone.send("GET /gone HTTP/1.1\r\nHost: a\r\n\r\n")
        waiting.send("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n")
        peers.turn { peers.taken.count == 2 }
        gone.close()
        waiting.endOutput()
        peers.turn { left.count == 1 }
        #expect(left.count == 1)
        #expect(peers.server.pending == 1)
        peers.release()
        peers.turn { waiting.received.hasSuffix("/waiting") }
        #expect(waiting.received.contains("Connection: close"))
    }

    @Test("A client that leaves its response unread is told from one that has read it")
    func unread() throws {
        let peers = try ServerAndClients()
        var ends: [Bool] = []
        peers.server.connectionEnded = { ends.append($1) }
        for reads in [true, false] {
            let client = try peers.client()
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            peers.turn { peers.taken.count == (reads ? 1 : 2) }
            if reads { peers.turn { client.received.hasSuffix("/a") } }
            client.close()
            peers.turn { ends.count == (reads ? 1 : 2) }
        }
        #expect(ends == [false, true])
    }

    @Test("A client that takes nothing of a response in pieces is told of when it is closed")
    func takesNothing() throws {
        let peers = try ServerAndClients()
        peers.isHolding = true
        var left: [SocketServer.Client] = []
        peers.server.clientLeft = { left.append($0) }
        let client = try peers.client()
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        peers.turn { peers.taken.count == 1 }
        let place = try #require(peers.taken.first).client
        peers.server.begin(ResponseStart(status: 200, headers: [], length: nil), to: place)
        let piece = [UInt8](repeating: 120, count: 20_000_000)
        piece.withUnsafeBytes { peers.server.append($0, to: place) }
        peers.server.send(at: 1)
        #expect(peers.server.backlog(of: place) > 0)
        peers.server.wait(nanoseconds: 0)
        peers.server.enter(at: 100_000_000_000) { _, _ in }
        #expect(left == [place])
        #expect(peers.server.pending == 0)
    }

    @Test("Unfinished bodies share one budget; beyond it a request is asked to come again")
    func heldBytes() throws {
        var limits = HTTPLimits()
        (limits.heldBytes, limits.bodyBytes) = (40_000, 40_000)
        let peers = try ServerAndClients(limits: limits)
        let clients = try (0..<3).map { _ in try peers.client() }
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n\r\n"
        let half = String(repeating: "b", count: 18_000)
        for client in clients.prefix(2) { client.send(head + half) }
        peers.turn { peers.server.heldBytes == 36_000 }
        clients[2].send(head + half)
        peers.turn { clients[2].received.contains("Retry-After: 1") }
        #expect(clients[2].received.hasPrefix("HTTP/1.1 503 "))
        #expect(peers.server.turnedAway == 1 && peers.server.heldBytes <= 36_000)
        clients[0].send(String(repeating: "b", count: 12_000))
        peers.turn { clients[0].received.hasSuffix("/a") }
        #expect(clients[0].received.hasSuffix("/a"))
        for client in clients { client.close() }
        peers.turn { peers.server.open == 0 }
        #expect(peers.server.heldBytes == 0)
    }

    @Test("Connections and requests beyond the limits are answered 503")
    func limits() throws {
        var limits = HTTPLimits()
        (limits.connections, limits.pendingRequests) = (2, 1)
        let peers = try ServerAndClients(limits: limits)
        peers.isHolding = true
        let clients = [try peers.client(), try peers.client(), try peers.client()]
        peers.turn { clients[2].received.contains("503") }
        #expect(clients[2].received.contains("there are 2 connections already"))
        clients[0].send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        peers.turn { peers.server.pending == 1 }
        clients[1].send("GET /more HTTP/1.1\r\nHost: a\r\n\r\n")
        peers.turn { clients[1].received.contains("503") }
        #expect(peers.server.turnedAway == 2)
    }

    @Test("A socket server ends when every request under way is done, and idle connections at once")
    func ending() throws {
        let peers = try ServerAndClients()
        peers.isHolding = true
        let (busy, idle) = (try peers.client(), try peers.client())
        busy.send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
        peers.turn { peers.taken.count == 1 && peers.server.open == 2 }
        peers.server.endSoon()
        #expect(peers.server.open == 1)
        peers.turn { idle.received.isEmpty && idle.hasEnded }
        #expect(peers.connect() == nil)
        peers.release()
        peers.turn { !busy.received.isEmpty && busy.hasEnded }
        #expect(busy.received.hasSuffix("/busy"))
        for client in [busy, idle] { client.close() }
        peers.turn { peers.server.open == 0 }
        #expect(peers.server.open == 0)
    }
}

/// A server whose responses are the paths that were asked for, on a free port.
private final class ServerAndClients {
    let server: SocketServer
    let address: String
    private let port: UInt16
    /// Whether requests wait for ``release()``.
    var isHolding = false
    private(set) var taken: [(path: String, client: SocketServer.Client)] = []
    static let largeCount = 3_000_000

    init(_ address: String = "127.0.0.1", limits: HTTPLimits = HTTPLimits()) throws {
        self.address = address
        server = try SocketServer(limits, origin: "http://a.test")
        port = (try? server.listen(on: address, port: 0)) ?? 0
    }

    /// A client; `nil` where the machine does not have the address.
    func connect() -> TestClient? { TestClient(address, port) }

    func client() throws -> TestClient { try #require(connect()) }

    /// Lets the server work until something holds; gives up after so many turns.
    func turn(until holds: () -> Bool) {
        for now in 0..<3_000 as Range<Int64> where !holds() {
            server.wait(nanoseconds: 1_000_000)
            server.enter(at: now) { incoming, client in
                taken.append((incoming.request.url.path, client))
                if !isHolding { respond(incoming.request.url.path, client) }
            }
            server.send(at: now)
        }
    }

    func release() {
        isHolding = false
        for (path, client) in taken { respond(path, client) }
    }

    private func respond(_ path: String, _ client: SocketServer.Client) {
        let body =
            path == "/large" ? Body(Array(repeating: 120, count: Self.largeCount)) : Body(path)
        server.respond(to: client, status: 200, headers: [], body: body)
    }
}

/// A socket that never waits.
private final class TestClient {
    private let file: Int32
    private var bytes: [UInt8] = []
    private(set) var hasEnded = false

    init?(_ address: String, _ port: UInt16) {
        var (old, new) = (sockaddr_in(), sockaddr_in6())
        let isOld = inet_pton(AF_INET, address, &old.sin_addr) == 1
        inet_pton(AF_INET6, address, &new.sin6_addr)
        (old.sin_family, new.sin6_family) = (sa_family_t(AF_INET), sa_family_t(AF_INET6))
        (old.sin_port, new.sin6_port) = (port.bigEndian, port.bigEndian)
        file = socket(isOld ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        let result =
            isOld
            ? withUnsafeBytes(of: &old) { Self.connect(file, $0) }
            : withUnsafeBytes(of: &new) { Self.connect(file, $0) }
        guard result == 0 else {
            Glibc.close(file)
            return nil
        }
        _ = fcntl(file, F_SETFL, O_NONBLOCK)
    }

    private static func connect(_ file: Int32, _ address: UnsafeRawBufferPointer) -> Int32 {
        guard let base = address.baseAddress else { return -1 }
        return Glibc.connect(
            file, base.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
    }

    deinit { close() }

    private var isClosed = false

    func close() {
        if !isClosed { Glibc.close(file) }
        isClosed = true
    }

    func endOutput() { shutdown(file, Int32(SHUT_WR)) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Everything that has come.
    var received: String {
        read()
        return String(decoding: bytes, as: UTF8.self)
    }

    private func read() {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while !hasEnded, !isClosed {
            let count = recv(file, &part, part.count, 0)
            guard count > 0 else {
                hasEnded = count == 0 || errno != EAGAIN
                return
            }
            bytes += part[..<count]
        }
    }
}
