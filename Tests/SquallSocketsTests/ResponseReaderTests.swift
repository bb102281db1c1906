import Foundation
import SquallHTTP
import Testing

@testable import SquallSockets

@Suite("Response reader")
struct ResponseReaderTests {
    @Test("A response is the same in pieces of any size", arguments: [1, 2, 3, 7, 64, 4_096])
    func pieces(size: Int) throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 All right\r\n"
            + "Set-Cookie: a=1\r\nset-cookie: b=2\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;x=y\r\nabc\r\n00a\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
        let read = try Reading(text, size: size).get()
        #expect(read.interim == [103])
        #expect(read.head?.status == 200)
        #expect(read.head?.reason == "All right")
        #expect(read.head?.headers.values(for: "Set-Cookie") == ["a=1", "b=2"])
        #expect(read.body == "abc0123456789")
        #expect(read.hasEnded)
    }

    @Test("The head says where the body ends", arguments: endings)
    func framing(_ ending: Ending) throws {
        let read = try Reading(ending.text, isHead: ending.isHead).get()
        #expect(read.body == ending.body, "\(ending.name)")
        #expect(read.hasEnded == ending.hasEnded, "\(ending.name)")
        #expect(read.head?.keepsAlive == ending.keepsAlive, "\(ending.name)")
    }

    @Test("A head that is known means what it means when it is read", arguments: endings)
    func known(_ ending: Ending) throws {
        let known = KnownHeads()
        _ = try Reading(ending.text, known: known).get()
        let again = try Reading(ending.text, isHead: ending.isHead, known: known).get()
        #expect(again.text == (try Reading(ending.text, isHead: ending.isHead).get().text))
        #expect(again.head?.keepsAlive == ending.keepsAlive)
        let place = ending.text.utf8.count - (ending.isHead ? 0 : ending.body.utf8.count)
        let found = Array(ending.text.utf8).withUnsafeBytes { known.head(of: $0)?.count }
        #expect(found == place)
    }

    @Test("The eight newest heads are known")
    func newest() throws {
        let known = KnownHeads()
        let heads = (0..<12).map { "HTTP/1.1 200 OK\r\nDate: \($0)\r\nContent-Length: 0\r\n\r\n" }
        for head in heads { _ = try Reading(head, known: known).get() }
        let found = heads.map { head in
            Array(head.utf8).withUnsafeBytes { known.head(of: $0) != nil }
        }
        #expect(found == (0..<12).map { $0 >= 4 })
    }

    @Test("The end of a line is found behind any number of bytes", arguments: 0...20)
    func lineEnd(count: Int) throws {
        var (lines, used) = (LineScanner(), 0)
        let bytes = [UInt8](repeating: 0x8D, count: count) + Array("\r\n\r\n".utf8)
        let line = try bytes.withUnsafeBytes { try lines.line(in: $0, &used, upTo: 100) }
        #expect(line == 0..<count)
        #expect(used == count + 2)
    }

    struct Ending: CustomTestStringConvertible {
        let name, text, body: String
        var (hasEnded, keepsAlive, isHead) = (true, true, false)
        var testDescription: String { name }

        init(_ name: String, _ fields: String, _ body: String, status: String = "200 OK") {
            (self.name, self.body) = (name, body)
            text = "HTTP/1.1 \(status)\r\n\(fields)\r\n\(body)"
        }

        func with(_ change: (inout Ending) -> Void) -> Ending {
            var copy = self
            change(&copy)
            return copy
        }
    }

    static let endings = [
        Ending("a length", "Content-Length: 5\r\n", "hello"),
        Ending("a length twice", "Content-Length: 5\r\ncontent-length: 5\r\n", "hello"),
        Ending("no body", "Content-Length: 0\r\n", ""),
        Ending("204", "", "", status: "204 No Content"),
        Ending("304 with a length", "Content-Length: 9\r\n", "", status: "304 Not Modified"),
        Ending("HEAD", "Content-Length: 9\r\n", "").with { $0.isHead = true },
        Ending("HEAD in chunks", "Transfer-Encoding: chunked\r\n", "").with { $0.isHead = true },
        Ending("until the end", "", "all of it").with {
            ($0.hasEnded, $0.keepsAlive) = (false, false)
        },
        Ending("no phrase", "Content-Length: 1\r\n", "x", status: "200"),
        Ending("closing", "Connection: Close\r\nContent-Length: 1\r\n", "x").with {
            $0.keepsAlive = false
        },
    ]

    @Test(
        "A text that is no response, or an ambiguous one, is refused",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/2 200 OK\r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "SSH-2.0-OpenSSH\r\n",
            "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP/1.1 200 OK\r\n folded\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 2_000),
        ])
    func refused(text: String) {
        #expect(throws: ResponseProblem.self) { try Reading(text).get() }
    }

    @Test("Folded fields and bare line feeds of old servers are understood")
    func old() throws {
        let read = try Reading("HTTP/1.1 200 OK\nX: a\n  b\nContent-Length: 2\n\nok").get()
        #expect(read.head?.headers["X"] == "a b")
        #expect(read.body == "ok")
    }

    @Test("Mutants of responses are read or refused, the same whole and in pieces")
    func fuzz() {
        let asked = ProcessInfo.processInfo.environment["SQUALL_MUTANTS"].flatMap { UInt64($0) }
        var (whole, refused) = (0, 0)
        let known = KnownHeads()
        for seed in 0..<(asked ?? 500) {
            var random = MutantRandomness(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
            let mutant = Self.mutant(&random)
            let first = try? Reading(mutant, size: mutant.count + 1).get().text
            let second = try? Reading(mutant, size: 1 + random.below(9)).get().text
            #expect(first == second, "mutant \(seed)")
            for _ in 0..<2 {
                let third = try? Reading(mutant, known: known).get().text
                #expect(first == third, "mutant \(seed)")
            }
            if first == nil { refused += 1 } else { whole += 1 }
        }
        #expect(whole > 50)
        #expect(refused > 50)
    }

    private static func mutant(_ random: inout MutantRandomness) -> String {
        var bytes = Array(endings[random.below(endings.count)].text.utf8)
        if random.below(2) == 0 {
            bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            bytes += Array("5\r\nhello\r\nA;q=1\r\n0123456789\r\n0\r\nT: x\r\n\r\n".utf8)
        }
        for _ in 0..<1 + random.below(3) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[place] = UInt8(random.below(128))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: "\r\n".utf8, at: place)
            default: bytes.insert(contentsOf: bytes[place...].prefix(random.below(40)), at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What a text is read as, in pieces of a size.
private struct Reading {
    private(set) var interim: [Int] = []
    private(set) var head: ResponseHead?
    private(set) var body = ""
    private(set) var hasEnded = false
    private var problem: ResponseProblem?

    init(
        _ text: String, size: Int = 1 << 20, isHead: Bool = false,
        known: KnownHeads = KnownHeads()
    ) {
        let bytes = Array(text.utf8)
        var reader = ResponseReader(headBytes: 1_000, isHead: isHead, known: known)
        var (start, end) = (0, 0)
        while end < bytes.count, problem == nil, !hasEnded {
            end = min(bytes.count, end + size)
            bytes.withUnsafeBytes { all in
                let unread = UnsafeRawBufferPointer(rebasing: all[start..<end])
                var used = 0
                do throws(ResponseProblem) {
                    while !hasEnded, let part = try reader.read(unread, used: &used) {
                        take(part, unread)
                    }
                } catch { problem = error }
                start += used
            }
        }
    }

    private mutating func take(_ part: ResponseReader.Part, _ bytes: UnsafeRawBufferPointer) {
        switch part {
        case .interim(let head): interim.append(head.status)
        case .head(let head): self.head = head
        case .body(let place): body += String(decoding: bytes[place], as: UTF8.self)
        case .end: hasEnded = true
        }
    }

    func get() throws -> Reading {
        if let problem { throw problem }
        return self
    }

    var text: String {
        "\(interim) \(head?.status ?? 0) \(head?.headers ?? [])\n\(body) \(hasEnded)"
    }
}
