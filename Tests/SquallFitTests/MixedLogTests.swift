import Testing

@testable import SquallFit

/// Logs whose lines are not all requests, or whose times are not those of responses.
@Suite("Mixed logs")
struct MixedLogTests {
    @Test("Messages of the same program are passed over, however many there are")
    func messages() throws {
        let lines = (0..<60).flatMap { number in
            let request = FormatTests.objects[1].line(FormatTests.Request(number: number))
            let message = "{\"time\":1790000000,\"msg\":\"a message that is not a request\"}"
            return [message, message, request, "{\"not\": json"]
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(log.reading.requests == 60 && log.reading.otherLines == 120)
        #expect(log.reading.broken == 60)
    }

    /// Requests of ten users that overlap, with the times when they came or were answered.
    private func overlapping(areBeginnings: Bool, name: String = "time") -> String {
        let requests = (0..<200).map { number in
            (came: number * 40, took: 20 + number * 37 % 300, number: number)
        }
        return requests.sorted { $0.came + $0.took < $1.came + $1.took }.map {
            let time = 1_790_000_000_000 + $0.came + (areBeginnings ? 0 : $0.took)
            return "{\"\(name)\":\(time),\"method\":\"GET\",\"path\":\"/a\",\"status\":200,"
                + "\"took_ms\":\($0.took),\"user\":\"u\($0.number % 10)\"}"
        }.joined(separator: "\n")
    }

    @Test(
        "The order of lines shows whether times are those of requests or of responses",
        arguments: [false, true])
    func order(areBeginnings: Bool) throws {
        let text = overlapping(areBeginnings: areBeginnings)
        let newestFirst = text.split(separator: "\n").reversed().joined(separator: "\n")
        #expect(try reading(newestFirst).reading.areBeginnings == areBeginnings)
        let log = try reading("\u{feff}" + text)
        #expect(log.reading.areBeginnings == areBeginnings && log.reading.broken == 0)
        let began = log.requests.map { $0.began / 1_000_000 - 1_790_000_000_000 }.sorted()
        #expect(began == (0..<200).map { $0 * 40 })
        #expect(log.reading.span.last == log.requests.map(\.ended).max())
    }

    @Test("A log entry of Google Cloud has the time when its request came")
    func google() throws {
        let text = overlapping(areBeginnings: true, name: "timestamp")
            .replacing("{\"timestamp", with: "{\"insertId\":\"a\",\"timestamp")
        let log = try reading(text)
        #expect(log.requests.map(\.began).min() == 1_790_000_000_000_000_000)
        #expect(!log.reading.areBeginnings)
    }

    @Test("An identifier of each request is no user")
    func identifiers() throws {
        let lines = (0..<20).map { number in
            "203.0.113.\(number % 4) - req\(number) [21/Sep/2026:14:13:20 +0000]"
                + " \"GET /a HTTP/1.1\" 200 1"
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(Set(log.requests.map(\.person)).count == 4)
    }

    @Test("Lines of many shapes are read as the combined ones that most of them are")
    func mixed() throws {
        let tails = ["", " 1", " a b", " c d e", " \"f\""]
        let lines = (0..<60).map { number in
            number % 3 == 0
                ? "an error of \(number)"
                : FormatTests.Request(number: number).combined + tails[number % 5]
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(log.reading.requests == 40 && log.reading.broken == 20)
    }

    @Test("Where two addresses send everything, calls arrive, and no users or network are invented")
    func noUsers() throws {
        let lines = (0..<600).map { number in
            let request = FormatTests.Request(number: number)
            return request.common.replacing(request.address, with: "10.0.0.\(number % 2)") + " 5000"
        }
        let fit = TrafficFit(try reading(lines.joined(separator: "\n")))
        #expect(fit.visits == nil && fit.tokens.refresh == nil && fit.endpoints.count == 6)
        let text = FittedProfile(fit, file: "x").text
        #expect(
            text.contains("\"up\": { \"constant\": \"0s\" }")
                && !text.contains("needsToken\": true"))
    }

    @Test("The only address of a line is the client's, though Twisted quotes it")
    func quotedAddress() throws {
        let lines = (0..<60).map { number in
            let line = FormatTests.Request(number: number).combined
            let end = line.firstIndex(of: " ") ?? line.endIndex
            return "2026-09-21 14:13:20+0000 [-] \"\(line[..<end])\"\(line[end...])"
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(log.reading.requests == 60 && log.reading.identity.evidence == .address)
    }

    @Test("Jaeger's spans are read")
    func jaeger() throws {
        let spans = (0..<20).map { number in
            "{\"startTime\":\(1_700_000_000_000_000 + number * 1_000_000),"
                + "\"duration\":\(5_000 + number),"
                + "\"tags\":[{\"key\":\"span.kind\",\"value\":\"server\"},"
                + "{\"key\":\"http.method\",\"value\":\"GET\"},{\"key\":\"http.status_code\","
                + "\"value\":200},{\"key\":\"http.target\",\"value\":\"/v1/items\"}]}"
        }
        let log = try reading(
            "{\"data\":[{\"traceID\":\"a\",\"spans\":[\(spans.joined(separator: ","))]}]}")
        #expect(log.reading.requests == 20 && log.requests.first?.duration == 5_000_000)
    }
}
