import SquallHTTP
import Testing

@testable import SquallSockets

@Suite("HTTP connection")
struct HTTPConnectionTests {
    @Test("Pipelined requests are handed over one at a time and answered in order")
    func pipelining() {
        let fed = FedConnection()
        fed.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(fed.next() == "/1")
        #expect(fed.next() == nil)
        fed.connection.respond(status: 200, headers: [], body: Body("one"))
        #expect(fed.connection.mayHaveRequest)
        #expect(fed.next() == "/2")
        fed.connection.respond(status: 204, headers: ["X": "y"], body: .empty)
        let first = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
        #expect(fed.sent == first + "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n")
        #expect(!fed.connection.isOutputOver)
    }

    @Test("A request begins when its first bytes come, also behind one that is under way")
    func beginning() {
        let connection = HTTPConnection(HTTPLimits(), origin: "http://a", at: 0)
        func receive(_ text: String, at now: Int64) {
            Array(text.utf8).withUnsafeBytes { connection.receive($0, at: now) }
        }
        receive("PUT /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", at: 1)
        #expect(connection.nextRequest(at: 1) == nil)
        receive("ok", at: 5)
        #expect(connection.nextRequest(at: 5) != nil && connection.requestBegan == 1)
        receive("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n", at: 7)
        #expect(connection.nextRequest(at: 7) == nil && connection.requestBegan == 1)
        connection.respond(status: 204, headers: [], body: .empty)
        #expect(connection.nextRequest(at: 9) != nil && connection.requestBegan == 7)
    }

    @Test("HEAD and 304 have no body; only HEAD tells the length it would have")
    func bodiless() {
        let fed = FedConnection()
        fed.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(fed.next() == "/")
        fed.connection.respond(status: 200, headers: [], body: Body("four"))
        #expect(fed.sent == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
        #expect(fed.next() == "/")
        fed.connection.respond(status: 304, headers: [], body: Body("four"))
        #expect(fed.sent == "HTTP/1.1 304 Not Modified\r\n\r\n")
    }

    @Test("A client that expects 100-continue gets it once, and not where its body is too long")
    func expectation() {
        let fed = FedConnection { $0.bodyBytes = 5 }
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
        fed.receive(head + "4\r\n\r\n")
        #expect(fed.next() == nil)
        #expect(fed.next() == nil)
        #expect(fed.sent == "HTTP/1.1 100 Continue\r\n\r\n")
        fed.receive("body")
        #expect(fed.next() == "/")
        fed.connection.respond(status: 200, headers: [], body: .empty)
        fed.receive(head + "6\r\n\r\n")
        #expect(fed.next() == nil)
        #expect(fed.sent.hasSuffix("\r\n\r\nthe body is longer than 5 bytes\n"))
        #expect(fed.connection.isOutputOver)
    }

    @Test("A connection ends after its last response, and HTTP/1.0 must ask for more than one")
    func endings() {
        for (head, isOver) in [
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n", true),
            ("GET / HTTP/1.0\r\n\r\n", true),
            ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false),
        ] {
            let fed = FedConnection()
            fed.receive(head)
            #expect(fed.next() == "/")
            fed.connection.respond(status: 200, headers: [], body: .empty)
            #expect(fed.sent.contains("Connection: close") == isOver)
            #expect(fed.connection.isOutputOver == isOver)
        }
    }

    @Test("A client that only ended its output still gets its responses")
    func halfClosed() {
        let fed = FedConnection()
        fed.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(fed.next() == "/1")
        fed.connection.endInput()
        #expect(!fed.connection.isOver)
        fed.connection.respond(status: 200, headers: [], body: .empty)
        #expect(fed.next() == "/2")
        fed.connection.respond(status: 200, headers: [], body: .empty)
        #expect(fed.sent.hasSuffix("Connection: close\r\n\r\n"))
        #expect(fed.connection.isOutputOver)
    }

    @Test("Input beyond what is answered waits with its sender")
    func backpressure() {
        let fed = FedConnection()
        fed.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(fed.next() == "/")
        #expect(fed.connection.wantsInput)
        fed.receive(String(repeating: "x", count: 70_000))
        #expect(!fed.connection.wantsInput)
        fed.connection.respond(status: 200, headers: [], body: .empty)
        #expect(!fed.connection.wantsInput)
        _ = fed.sent
        #expect(fed.connection.wantsInput)
    }

    @Test("Slow heads and bodies are answered 408, slow readers and idle connections closed")
    func slowness() {
        let second: Int64 = 1_000_000_000
        func verdict(after text: String, _ seconds: Int64) -> HTTPConnection.Slowness? {
            let fed = FedConnection()
            fed.receive(text)
            _ = fed.next()
            return fed.connection.slowness(at: seconds * second)
        }
        #expect(verdict(after: "", 74) == nil)
        #expect(verdict(after: "", 76) == .close)
        #expect(verdict(after: "GET / HTTP/1.1\r\nHost: a\r\n", 9) == nil)
        #expect(verdict(after: "GET / HTTP/1.1\r\nHost: a\r\n", 11) == .refuse)
        #expect(verdict(after: "\r\n", 11) == nil)
        let upload = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx"
        #expect(verdict(after: upload, 74) == nil)
        #expect(verdict(after: upload, 76) == .refuse)
        #expect(verdict(after: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 999) == nil)
    }

    @Test("A response in pieces has its length, chunks, or the end of an old client's connection")
    func pieces() {
        func sent(_ head: String, _ length: Int?, status: Int = 200) -> (String, isOver: Bool) {
            let fed = FedConnection()
            fed.receive(head)
            _ = fed.next()
            fed.connection.begin(
                ResponseStart(status: status, reason: "Fine", headers: ["X": "y"], length: length),
                isLast: false)
            for piece in ["ab", "", "c"] {
                Array(piece.utf8).withUnsafeBytes { fed.connection.append($0) }
            }
            fed.connection.endResponse()
            return (fed.sent, fed.connection.isOutputOver)
        }
        let (get, start) = ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 Fine\r\nX: y\r\n")
        #expect(sent(get, 3) == (start + "Content-Length: 3\r\n\r\nabc", false))
        let chunked = start + "Transfer-Encoding: chunked\r\n\r\n"
        #expect(sent(get, nil) == (chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", false))
        let old = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        #expect(sent(old, nil) == (start + "Connection: close\r\n\r\nabc", true))
        let head = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(sent(head, 3) == (start + "Content-Length: 3\r\n\r\n", false))
        #expect(sent(head, nil) == (chunked, false))
        #expect(sent(get, 0, status: 304) == ("HTTP/1.1 304 Fine\r\nX: y\r\n\r\n", false))
    }

    @Test("A long body is handed over with its beginning, and the rest as it is taken")
    func upload() throws {
        let fed = FedConnection { $0.wholeBytes = 4 }
        fed.receive("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabcdef")
        #expect(fed.next() == "/a")
        #expect(try fed.connection.takeBody() == nil)
        fed.receive("ghiGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
        let rest = try #require(try fed.connection.takeBody())
        #expect(String(decoding: rest.bytes, as: UTF8.self) == "ghi")
        #expect(rest.isEnd)
        #expect(try fed.connection.takeBody() == nil)
        fed.connection.respond(status: 200, headers: [], body: .empty)
        #expect(fed.next() == "/b")
        #expect(!fed.connection.isOutputOver)
    }

    @Test("A response before the end of a body ends the connection, once the client has heard it")
    func earlyResponse() {
        let fed = FedConnection { $0.wholeBytes = 4 }
        fed.receive("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\nabcdef")
        #expect(fed.next() == "/a")
        fed.connection.respond(status: 401, headers: [], body: .empty)
        #expect(fed.sent.contains("Connection: close"))
        #expect(fed.connection.isOutputOver)
        fed.connection.linger(at: 0)
        fed.receive("more of it")
        #expect(fed.connection.wantsInput)
        #expect(!fed.connection.isOver)
    }

    @Test("A body that never ends whole is a problem of its request")
    func brokenUpload() {
        let fed = FedConnection { $0.wholeBytes = 4 }
        fed.receive("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde")
        #expect(fed.next() == "/")
        fed.receive("zzz")
        #expect(throws: RequestProblem.self) { try fed.connection.takeBody() }
        let other = FedConnection { $0.wholeBytes = 4 }
        other.receive("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabcdef")
        #expect(other.next() == "/")
        other.connection.endInput()
        #expect(throws: RequestProblem.self) { try other.connection.takeBody() }
    }

    @Test("A field with a line break cannot add a field or a response")
    func splitting() {
        let fed = FedConnection()
        fed.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = fed.next()
        fed.connection.respond(
            status: 200, headers: ["X": "a\r\nY: b\r\n\r\nHTTP/1.1 200 OK"], body: .empty)
        #expect(fed.sent.hasPrefix("HTTP/1.1 200 OK\r\nX: a  Y: b    HTTP/1.1 200 OK\r\nCont"))
    }
}

/// A connection whose bytes are texts, at the beginning of time.
private final class FedConnection {
    let connection: HTTPConnection

    init(_ change: (inout HTTPLimits) -> Void = { _ in }) {
        var limits = HTTPLimits()
        change(&limits)
        connection = HTTPConnection(limits, origin: "http://a.test", at: 0)
    }

    func receive(_ text: String) {
        Array(text.utf8).withUnsafeBytes { connection.receive($0, at: 0) }
    }

    /// The path of the next request.
    func next() -> String? { connection.nextRequest(at: 0)?.request.url.path }

    /// What is to be sent, which is sent with this.
    var sent: String {
        let bytes = connection.output[connection.sent...]
        defer { connection.advance(by: bytes.count, at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
