import Foundation
import SquallHTTP
import Testing

@testable import SquallSockets

@Suite("Request reader")
struct RequestReaderTests {
    @Test("A request is the same in pieces of any size", arguments: [1, 2, 3, 7, 64, 4_096])
    func pieces(size: Int) throws {
        let text =
            "POST /v1/a%20b?x=1&y HTTP/1.1\r\nHost: a\r\ncontent-type:  text/plain \r\n"
            + "Content-Length: 5\r\n\r\nhello"
            + "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
            + "3;x=y\r\nabc\r\n00a\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\nGET / HTTP/1.0\r\n\r\n"
        let requests = try read(text, size: size)
        #expect(requests.map(\.request.method) == [.post, .put, .get])
        #expect(requests.map(\.request.url.path) == ["/v1/a%20b", "/c", "/"])
        #expect(requests.map(\.request.url.query) == ["x=1&y", nil, nil])
        #expect(requests.map(\.request.body.text) == ["hello", "abc0123456789", ""])
        #expect(requests[0].request.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        #expect(requests.map(\.keepsAlive) == [true, true, false])
    }

    @Test("A request that two readers could understand differently is refused", arguments: smuggled)
    func smuggling(_ attack: Attack) {
        #expect(
            problem(of: attack.text)?.status == attack.status, "\(attack.text.debugDescription)")
    }

    /// Bytes that must not be taken for a request, and the status that says so.
    struct Attack: CustomTestStringConvertible {
        let name: String
        let status: Int
        let text: String
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ status: Int = 400) {
            (self.name, self.status, self.text) = (name, status, text)
        }

        /// A request with fields beside Host.
        static func fields(_ name: String, _ fields: String, _ status: Int = 400) -> Attack {
            Attack(name, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n0\r\n\r\n", status)
        }
    }

    static let smuggled: [Attack] = [
        .fields("two lengths", "Content-Length: 3\r\nContent-Length: 5"),
        .fields("two equal lengths", "Content-Length: 5\r\nContent-Length: 5"),
        .fields("a list of lengths", "Content-Length: 5, 5"),
        .fields("a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked"),
        .fields("chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 5"),
        .fields("chunks twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        .fields("another coding", "Transfer-Encoding: gzip, chunked", 501),
        .fields("a coding behind a vertical tab", "Transfer-Encoding: \u{0b}chunked"),
        .fields("a signed length", "Content-Length: +5"),
        .fields("a negative length", "Content-Length: -5"),
        .fields("a hexadecimal length", "Content-Length: 0x5"),
        .fields("an empty length", "Content-Length:"),
        .fields("a huge length", "Content-Length: 99999999999999999999999"),
        .fields("a long body", "Content-Length: 999999999999", 413),
        .fields("a folded field", "X: a\r\n b"),
        .fields("a space before the colon", "X : a"),
        .fields("a field without a name", ": a"),
        .fields("a field without a colon", "X"),
        .fields("a NUL in a value", "X: a\0b"),
        .fields("a NUL in a name", "X\0: a"),
        .fields("a control character", "X: a\u{1}b"),
        .fields("a bare LF", "X: a\nY: b"),
        .fields("a bare CR", "X: a\rY: b"),
        .fields("two hosts", "Host: b"),
        .fields("another expectation", "Expect: 200-ok", 417),
        Attack("no host", "GET / HTTP/1.1\r\n\r\n"),
        Attack("a folded first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        Attack("bare LF everywhere", "GET / HTTP/1.1\nHost: a\n\n"),
        Attack("three spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Attack("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n"),
        Attack("a relative target", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Attack("a high byte in the target", "GET /\u{e4} HTTP/1.1\r\nHost: a\r\n\r\n"),
        Attack("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        Attack("a tunnel", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        Attack("TLS", "\u{16}\u{3}\u{1}\0\u{1}"),
        chunks("a huge chunk size", "fffffffffffffff\r\n", 413),
        chunks("a chunk size of 17 digits", "11111111111111111\r\n", 413),
        chunks("a chunk size beyond a word", "ffffffffffffffffffff\r\n", 413),
        chunks("a negative chunk size", "-1\r\n"),
        chunks("a chunk size with 0x", "0x5\r\nhello\r\n"),
        chunks("no chunk size", "\r\nhello\r\n"),
        chunks("a chunk longer than its size", "3\r\nhello\r\n"),
        chunks("a chunk with a bare LF", "5\nhello\r\n"),
        chunks("an endless chunk line", "5;" + String(repeating: "x", count: 999)),
        chunks("a folded trailer", "0\r\n x\r\n\r\n"),
    ]

    private static func chunks(_ name: String, _ body: String, _ status: Int = 400) -> Attack {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        return Attack(name, head + body, status)
    }

    @Test("Heads and bodies have limits, also while they have not ended")
    func limits() {
        var limits = HTTPLimits()
        (limits.headBytes, limits.bodyBytes) = (300, 10)
        let long = String(repeating: "x", count: 400)
        let start = "POST / HTTP/1.1\r\nHost: a\r\n"
        #expect(problem(of: "GET /" + long, limits)?.status == 431)
        #expect(problem(of: start + "X: " + long, limits)?.status == 431)
        #expect(problem(of: start + "Content-Length: 11\r\n\r\n", limits)?.status == 413)
        let chunked = start + "Transfer-Encoding: chunked\r\n\r\n"
        #expect(problem(of: chunked + "8\r\n12345678\r\n3\r\n", limits)?.status == 413)
        let fields = (0..<300).map { "X\($0): 1\r\n" }.joined()
        #expect(problem(of: start + fields)?.status == 431)
    }

    @Test("Mutants of requests are read or refused, and nothing is read beyond them")
    func fuzz() {
        var tally = FuzzTally()
        let asked = ProcessInfo.processInfo.environment["SQUALL_MUTANTS"].flatMap { UInt64($0) }
        for seed in 0..<(asked ?? 500) { tally.play(seed) }
        #expect(tally.refused > 100)
        #expect(tally.read > 50)
        #expect(tally.differences.isEmpty)
    }

    private func read(_ text: String, size: Int) throws -> [IncomingRequest] {
        try FuzzTally.outcome(of: Array(text.utf8), pieces: { _ in size }).get()
    }

    private func problem(of text: String, _ limits: HTTPLimits = HTTPLimits()) -> RequestProblem? {
        switch FuzzTally.outcome(of: Array(text.utf8), limits, pieces: { _ in 1 << 20 }) {
        case .failure(let problem): problem
        case .success: nil
        }
    }
}

/// Reads mutants whole and in pieces, which must come to the same.
///
/// `SQUALL_MUTANTS=100000 swift test --filter RequestReaderTests` plays more of them.
struct FuzzTally {
    private(set) var (read, refused) = (0, 0)
    private(set) var differences: [UInt64] = []

    private static let seeds = [
        "GET /v1/posts?limit=5 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n\r\n",
        "POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n{\"a\":\"b\"} \r\n",
        "PUT /f HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
            + "5\r\nhello\r\nA;q=1\r\n0123456789\r\n0\r\nT: x\r\n\r\n",
        "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    ].map { Array($0.utf8) }

    /// Pieces that make sense somewhere, and sense nowhere.
    private static let words = [
        "\r\n", "\n", "\r", "\0", " ", "\t", ":", "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked",
        "0\r\n\r\n", "ffffffffffffffff", "HTTP/1.1", "Host: b\r\n", "-1", "\u{7f}", "é", ",", ";",
    ].map { Array($0.utf8) }

    mutating func play(_ seed: UInt64) {
        var random = MutantRandomness(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        let mutant = Self.mutant(&random)
        let whole = Self.outcome(of: mutant) { _ in mutant.count + 1 }
        let inPieces = Self.outcome(of: mutant) { _ in 1 + random.below(9) }
        if Self.text(whole) != Self.text(inPieces) { differences.append(seed) }
        switch whole {
        case .success(let requests): read += requests.count
        case .failure: refused += 1
        }
    }

    private static func mutant(_ random: inout MutantRandomness) -> [UInt8] {
        var bytes = seeds[random.below(seeds.count)]
        if random.below(3) == 0 { bytes += seeds[random.below(seeds.count)] }
        for _ in 0..<1 + random.below(4) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(6) {
            case 0: bytes[place] = UInt8(random.below(256))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: words[random.below(words.count)], at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + random.below(20)))
            case 4: bytes.insert(contentsOf: bytes[place...].prefix(random.below(40)), at: place)
            default: bytes.swapAt(place, random.below(bytes.count))
            }
        }
        return bytes
    }

    /// What bytes that come in pieces of some sizes are read as.
    static func outcome(
        of bytes: [UInt8], _ limits: HTTPLimits = HTTPLimits(), pieces: (Int) -> Int
    ) -> Result<[IncomingRequest], RequestProblem> {
        var reader = RequestReader(limits, origin: "http://a.test")
        var (requests, start, end) = ([IncomingRequest](), 0, 0)
        while end < bytes.count {
            end = min(bytes.count, end + pieces(end))
            let result = bytes.withUnsafeBytes { all -> RequestProblem? in
                while true {
                    var used = 0
                    let unread = UnsafeRawBufferPointer(rebasing: all[start..<end])
                    do throws(RequestProblem) {
                        let request = try reader.read(unread, used: &used)
                        start += used
                        guard let request else { return nil }
                        requests.append(request)
                    } catch { return error }
                }
            }
            if let result { return .failure(result) }
        }
        return .success(requests)
    }

    private static func text(_ outcome: Result<[IncomingRequest], RequestProblem>) -> String {
        switch outcome {
        case .failure(let problem): "\(problem.status)"
        case .success(let requests):
            requests.map { "\($0.request.method) \($0.request.url) \($0.request.body.text)" }
                .joined(separator: "\n")
        }
    }
}

/// Numbers from a seed, by xorshift.
struct MutantRandomness {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 11) % bound
    }
}
