import Testing

@testable import SquallFit

/// Files of other tools are refused by name, with what to give instead.
@Suite("Known formats")
struct KnownFormatTests {
    private static let heads = [
        "hey": "response-time,DNS+dialup,DNS,Request-write,status-code\n0.0046,0.0013,0.0004,0,200",
        "ab": "This is ApacheBench, Version 2.3 <$Revision: 1903618 $>\nBenchmarking 127.0.0.1",
        "siege": "{\t\"transactions\":\t250,\n\t\"availability\":\t100.00,\n}",
        "wrk": "Running 5s test @ http://a/\n  2 threads\n  Thread Stats   Avg      Stdev",
        "Locust": "Type,Name,Request Count,Failure Count,Median Response Time\nGET,/a,120,0,4",
        "HdrHistogram": "Value     Percentile TotalCount 1/(1-Percentile)\n\n  0.9  0.5  1  1",
    ]

    @Test(
        "A log with several lines for a request is refused with what to write",
        arguments: [
            ("Rails", "Started GET \"/a\" for ::1 at 2026-11-29 05:00:00 +0000\nProcessing by A#b"),
            ("Phoenix", "05:00:00.1 [info] GET /a\n05:00:00.2 [info] Sent 200 in 5ms"),
        ])
    func severalLines(server: String, head: String) {
        let problem = #expect(throws: LogProblem.self) { try reading(head + "\n") }
        #expect(problem?.description.contains("\(server)' own log") == true)
    }

    @Test("A file of a load tool is refused with what to give", arguments: heads.keys.sorted())
    func refused(tool: String) throws {
        let head = try #require(Self.heads[tool])
        let problem = #expect(throws: LogProblem.self) { try reading(head + "\n") }
        let text = problem?.description ?? ""
        #expect(text.contains(tool) && text.contains("access log of the server"), "\(text)")
    }

    @Test("Each row that is read has a pattern, and each other one says what to give")
    func rows() throws {
        for row in KnownFormat.all {
            #expect((row.pattern == nil) == (row.refusal != nil))
            #expect(row.pattern != nil || !row.marks.isEmpty)
            if let word = row.word { #expect(try KnownFormat.lines(word) != nil) }
        }
    }
}
