import SquallFormat
import Testing

@testable import SquallFit

/// A generator for mutants: the same ones in every run.
struct Mutations {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % max(1, limit)
    }

    /// A text with a few bytes changed, taken out, doubled or swapped for what hurts.
    mutating func mutant(of text: [UInt8]) -> [UInt8] {
        var bytes = text
        let nasty: [[UInt8]] = [
            Array("\"".utf8), [0], [0xff, 0xfe], Array("99999999999999999999".utf8),
            Array("-1".utf8), Array("\n".utf8), Array("{".utf8), Array("]".utf8), [0xc3],
            Array("\\u0000".utf8), Array("%".utf8), Array("NaN".utf8), Array("1e999".utf8),
        ]
        for _ in 0...below(6) where !bytes.isEmpty {
            let place = below(bytes.count)
            switch below(5) {
            case 0: bytes[place] = UInt8(below(256))
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(40)))
            case 2: bytes.insert(contentsOf: nasty[below(nasty.count)], at: place)
            case 3:
                let end = min(bytes.count, place + below(80))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.removeSubrange(place..<bytes.count)
            }
        }
        return bytes
    }
}

@Suite("Hostile logs")
struct HostileLogTests {
    static let seeds: [String] = [
        (0..<12).map {
            "10.0.0.\($0 % 3) - u\($0 % 3) [10/Oct/2023:13:55:\(10 + $0) +0000] \"GET /posts/\($0)"
                + "?page=2 HTTP/1.1\" \($0 % 5 == 0 ? 401 : 200) 512 \"-\" \"x\" 0.02\($0 % 10)"
        }.joined(separator: "\n"),
        (0..<8).map {
            #"{"time":"2023-10-10T11:55:3\#($0).5Z","method":"POST","path":"/token/refresh","#
                + #""status":200,"duration_ms":12.5,"user":"u1","request":{"headers":{"A":["b"]}}}"#
        }.joined(separator: "\n"),
        #"{"log":{"creator":{},"entries":[{"startedDateTime":"2023-10-10T13:55:36Z","time":3,"#
            + #""timings":{"wait":2},"request":{"method":"GET","url":"https://a/b?c=d"},"#
            + #""response":{"status":200,"content":{"size":9}}}]}}"#,
        #"{"resourceSpans":[{"scopeSpans":[{"spans":[{"kind":2,"startTimeUnixNano":"1696938936"#
            + #"000000000","endTimeUnixNano":"1696938936250000000","attributes":[{"key":"#
            + #""http.method","value":{"stringValue":"GET"}},{"key":"http.target","#
            + #""value":{"stringValue":"/a"}}]}]}]}]}"#,
        "#Fields: date time c-ip cs-method cs-uri-stem sc-status time-taken\n"
            + "2023-10-10 11:55:36 1.2.3.4 GET /posts/17 200 250\n",
        "# TYPE a histogram\na_seconds_bucket{route=\"/a\",le=\"0.1\"} 10\n"
            + "a_seconds_bucket{route=\"/a\",le=\"+Inf\"} 12\n",
    ]

    @Test("2,000 mutants are read, or refused in a sentence, and what is read can be fitted")
    func mutants() throws {
        var (read, refused) = (0, 0)
        for seed in 0..<2_000 {
            var mutations = Mutations(seed: seed)
            let mutant = mutations.mutant(of: Array(Self.seeds[seed % Self.seeds.count].utf8))
            do {
                let log = try reading(mutant, pieces: 1 + mutations.below(200))
                #expect(log.reading.broken <= log.reading.lines, "mutant \(seed)")
                let fit = TrafficFit(log)
                if fit.emptiness == nil { #expect(!FittedProfile(fit, file: "x").text.isEmpty) }
                read += 1
            } catch let problem as LogProblem {
                #expect(!problem.description.isEmpty)
                refused += 1
            }
        }
        #expect(read > 500 && refused > 100, "\(read) read, \(refused) refused")
    }

    @Test("Bytes of any kind, wrong encodings and nothing at all are refused")
    func binary() {
        var mutations = Mutations(seed: 5)
        let noise = (0..<100_000).map { _ in UInt8(mutations.below(256)) }
        #expect(throws: LogProblem.self) { try reading(noise) }
        let wide = Array("GET / HTTP/1.1".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(throws: LogProblem.self) { try reading([0xff, 0xfe] + wide) }
        #expect(throws: LogProblem.self) { try reading([UInt8]()) }
        #expect(throws: LogProblem.self) { try reading("\n\n\n") }
    }

    @Test("Records of other things than HTTP requests are refused with the methods that are read")
    func otherMethods() {
        let audit =
            #"{"time":"2025-01-01T00:00:00Z","verb":"create","requestURI":"/x","status":201}"#
        let problem = #expect(throws: LogProblem.self) { try reading(audit) }
        #expect(problem?.description.contains("none of its 1 request has a method") == true)
    }

    @Test(
        "A day so far away that its nanoseconds have no number is no time",
        arguments: [
            ("0000", false), ("1969", false), ("1970", true), ("2261", true), ("2262", false),
            ("9999", false),
        ])
    func farAway(year: String, isTime: Bool) {
        func isRead(_ text: String) -> Bool {
            Array(text.utf8).withUnsafeBufferPointer { LogTime.nanoseconds($0) != nil }
        }
        #expect(isRead("\(year)-12-31T23:59:60.999999999-2359") == isTime)
        #expect(isRead("31/Dec/\(year):23:59:60 -2359") == isTime)
    }

    @Test("A line without an end is passed over, and the lines behind it are read")
    func endless() throws {
        let line = "1.2.3.4 - - [10/Oct/2023:13:55:36 +0200] \"GET /a HTTP/1.1\" 200 5\n"
        let good = Array(String(repeating: line, count: 300).utf8)
        let endless = [UInt8](repeating: 0x61, count: 3 << 20)
        let log = try reading(good + endless + [0x0a] + good)
        #expect(log.reading.requests == 600 && log.reading.tooLong == 1)
    }
}

@Suite("Privacy of fits")
struct FitPrivacyTests {
    @Test("A fit shows no planted secret: addresses, users, tokens, queries, names")
    func secrets() throws {
        let secrets = [
            "203.0.113.77", "anna.schmidt", "s3cr3t-token", "eyJhbGciOi", "anna@example.com",
            "0171-5550199", "hush", "schmidt", "4111111111111111", "internal.example",
        ]
        var lines: [String] = []
        for number in 0..<400 {
            let person = ["anna.schmidt", "u1", "u2", "u3", "u4"][number % 5]
            let path = [
                "/users/anna@example.com/posts?token=s3cr3t-token&q=hush", "/posts/0171-5550199",
                "/cards/4111111111111111", "/posts?cursor=eyJhbGciOi", "/feed", "/people/schmidt",
                "https://internal.example/feed",
            ][number % 7]
            let isHers = path.contains("schmidt") && person != "anna.schmidt"
            lines.append(
                "203.0.113.77 - \(person) [10/Oct/2023:13:\(10 + number / 40):\(10 + number % 50)"
                    + " +0000] \"GET \(isHers ? "/feed" : path) HTTP/1.1\" 200 512"
                    + " \"https://internal.example/?s3cr3t-token\" \"hush\" 0.020")
            if number % 50 == 7 { lines.append("broken anna.schmidt 203.0.113.77 hush") }
        }
        let log = try reading(lines.joined(separator: "\n"), isStrict: true)
        let fit = TrafficFit(log)
        let document = FitDocument(fit, subject: "x", replay: "", comparison: nil)
        let texts = [
            FittedProfile(fit, file: "x").text, document.json.document, document.answer.html,
        ]
        for secret in secrets {
            for text in texts { #expect(!text.contains(secret), "\(secret)") }
        }
        #expect(texts[0].contains("\"/feed\"") && texts[0].contains("\"/{id}/{id}\""))
    }
}
