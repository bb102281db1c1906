import CSockets
import SquallHTTP
import Testing

@testable import SquallSockets

@Suite("Socket client")
struct SocketClientTests {
    @Test("Requests of one user follow each other on one connection, others have their own")
    func keepAlive() throws {
        let peers = try ClientAndServer()
        for _ in 0..<3 { #expect(try peers.get("/a", user: 1).text == "GET /a ") }
        #expect(peers.client.connected == 1)
        #expect(try peers.get("/b?c=%20", user: 2).text == "GET /b?c=%20 ")
        #expect(peers.client.connected == 2)
    }

    @Test("A target that refuses connections is known before a request is sent to it")
    func refusal() throws {
        let peers = try ClientAndServer()
        #expect(peers.target.refusal(within: 1_000_000_000) == nil)
        // Nobody listens on port 1 of this machine.
        let nobody = try HTTPTarget(#require(ServerAddress("http://127.0.0.1:1")))
        let reason = try #require(nobody.refusal(within: 1_000_000_000))
        #expect(reason.hasPrefix("127.0.0.1:1 cannot be reached: "))
    }

    @Test("Bodies travel whole and in pieces, with and without a length")
    func uploads() throws {
        let peers = try ClientAndServer()
        let whole = peers.begin("/w", method: .post, .whole(Body("whole")))
        let counted = peers.begin("/l", method: .put, .pieces(length: 6))
        let chunked = peers.begin("/c", method: .patch, .pieces(length: nil))
        for exchange in [counted, chunked] {
            exchange.send("abc")
            peers.turn { exchange.exchange?.backlog == 0 }
            exchange.send("def")
            exchange.exchange?.finish()
        }
        peers.turn { whole.hasEnded && counted.hasEnded && chunked.hasEnded }
        #expect(whole.text == "POST /w whole")
        #expect(counted.text == "PUT /l abcdef")
        #expect(chunked.text == "PATCH /c abcdef")
    }

    @Test("HEAD has the length of what GET would bring, and no body")
    func head() throws {
        let peers = try ClientAndServer()
        let got = peers.begin("/four", method: .head)
        peers.turn { got.hasEnded }
        #expect(got.head?.length == 11)
        #expect(got.text == "")
        #expect(try peers.get("/next").text == "GET /next ")
        #expect(peers.client.connected == 1)
    }

    @Test("A paused response waits with its server, and goes on where it stopped")
    func backpressure() throws {
        let peers = try ClientAndServer()
        let got = peers.begin("/large")
        got.pausesAt = 100_000
        peers.turn { got.exchange?.isPaused == true }
        let held = got.body.count
        for _ in 0..<50 { peers.step() }
        #expect(got.body.count == held)
        #expect(held < 300_000)
        got.pausesAt = .max
        got.exchange?.resume()
        peers.turn { got.hasEnded }
        #expect(got.body.count == ClientAndServer.largeCount)
    }

    @Test("A piece of an upload that waits to be sent is told of when it is gone")
    func wantsBody() throws {
        let peers = try ClientAndServer()
        let got = peers.begin("/up", method: .post, .pieces(length: 8_000_000))
        peers.turn { got.wishes == 1 }
        got.exchange?.send(Array(repeating: 120, count: 8_000_000))
        #expect(got.exchange?.backlog ?? 0 > 0)
        peers.turn { got.wishes == 2 }
        #expect(got.exchange?.backlog == 0)
        got.exchange?.finish()
        peers.turn { got.hasEnded }
        #expect(got.text.hasPrefix("POST /up xxx"))
    }

    @Test("A request that changes nothing is sent again where its connection had been closed")
    func closedMeanwhile() throws {
        for (method, isSentAgain) in [(HTTPMethod.get, true), (.post, false)] {
            let peers = try ClientAndServer(scripted: true)
            let first = peers.begin("/1")
            peers.server?.answer(peers, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
            peers.turn { first.hasEnded }
            let second = peers.begin("/2", method: method)
            // It ends when the request is on its way, which the client could not see.
            peers.server?.hangUp(peers)
            if isSentAgain {
                peers.server?.answer(peers, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2")
            }
            peers.turn { second.hasEnded }
            #expect(second.text == (isSentAgain ? "2" : ""))
            #expect((second.problem?.kind == .broken) == !isSentAgain)
            #expect(peers.client.sentAgain == (isSentAgain ? 1 : 0))
        }
    }

    @Test("Broken, late and unreachable responses have their problems", arguments: problems)
    func failures(_ expected: ResponseProblem.Kind, _ response: String, _ seconds: Int64) throws {
        let peers = try ClientAndServer(scripted: true)
        let got = peers.begin("/")
        peers.server?.answer(peers, response)
        if expected == .broken { peers.server?.hangUp(peers) }
        peers.now += seconds * 1_000_000_000
        peers.turn { got.hasEnded }
        #expect(got.problem?.kind == expected)
        #expect(peers.client.open == 0)
        #expect(peers.client.underWay == 0)
    }

    static let problems: [(ResponseProblem.Kind, String, Int64)] = [
        (.broken, "", 0), (.broken, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", 0),
        (.broken, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx", 0),
        (.malformed, "SSH-2.0-x\r\n", 0), (.timedOut, "", 130),
        (.timedOut, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", 70),
    ]

    @Test("A body without a length ends with its connection")
    func untilEnd() throws {
        let peers = try ClientAndServer(scripted: true)
        let got = peers.begin("/")
        peers.server?.answer(peers, "HTTP/1.0 200 OK\r\n\r\nall of it")
        peers.server?.hangUp(peers)
        peers.turn { got.hasEnded }
        #expect(got.text == "all of it")
        #expect(got.problem == nil)
    }

    @Test("A port on which no server listens is a problem of the request, not of the caller")
    func unreachable() throws {
        let peers = try ClientAndServer(scripted: true)
        peers.server?.close()
        let got = peers.begin("/")
        peers.turn { got.hasEnded }
        #expect(got.problem?.kind == .unreachable)
        #expect(got.problem?.text.contains("cannot be reached") == true)
        #expect(throws: ResponseProblem.self) {
            let name = String(repeating: "x", count: 300)
            _ = try HTTPTarget(#require(ServerAddress("http://\(name):1")))
        }
        #expect(ServerAddress("http://[::1]:80")?.authority == "[::1]")
    }

    @Test("A cancelled request is told nothing more, and the next one has another connection")
    func cancelling() throws {
        let peers = try ClientAndServer()
        let large = peers.begin("/large")
        peers.turn { !large.body.isEmpty }
        large.exchange?.cancel()
        let next = peers.begin("/next")
        peers.turn { next.hasEnded }
        #expect(next.text == "GET /next ")
        #expect(!large.hasEnded)
        #expect(peers.client.connected == 2)
        #expect(peers.client.underWay == 0)
    }

    @Test("A thousand users have a thousand connections")
    func many() throws {
        let peers = try ClientAndServer()
        let got = (0..<1_000).map { peers.begin("/\($0)", user: UInt64($0)) }
        peers.turn { got.allSatisfy(\.hasEnded) }
        #expect(got.compactMap(\.problem).isEmpty)
        #expect(got.indices.allSatisfy { got[$0].text == "GET /\($0) " })
        #expect(peers.client.open == 1_000)
    }
}
