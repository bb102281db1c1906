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

    private static let others = [
        "Rails' own log":
            "Started GET \"/a\" for ::1 at 2026-11-29 05:00:00 +0000\nProcessing by A#b",
        "Phoenix' own log": "05:00:00.1 [info] GET /a\n05:00:00.2 [info] Sent 200 in 5ms",
        "Mojolicious' own log":
            "[2026-11-29 05:00:00.1] [7] [trace] [a] GET \"/a\"\n"
            + "[2026-11-29 05:00:00.1] [7] [trace] [a] Routing to a callback",
        "varnishlog": "*   << Request  >> 2\n-   Begin          req 1 rxreq",
        "tcplog":
            "192.0.2.1:51625 [29/Nov/2026:11:48:48.083] web app/s1 1/0/15 138 -- 1/1/0/0/0 0/0",
        "error log of nginx": "2026/11/29 11:54:48 [notice] 28321#28321: start worker processes",
        "error log of Apache":
            "[Sun Nov 29 11:54:49.080592 2026] [proxy:debug] [pid 7:tid 7] a.c(7): AH1: a",
        "error log of Squid": "2026/11/29 11:54:50| Starting Squid Cache",
        "proxy.py's log":
            "2026-11-29 05:00:00,100 - pid:7 [I] server.access_log:391 - ::1:50000 -"
            + " GET a:80/b - 200 OK - 9 bytes - 5.58ms",
        "eventlet's log": "(7) wsgi starting up on http://::1:80\n(7) accepted ('::1', 46047)",
        "ASP.NET Core":
            "info: Microsoft.AspNetCore.Hosting.Diagnostics[1]\n"
            + "      Request starting HTTP/1.1 GET http://a/b - - -",
        "Rocket": "GET /a:\n   >> Matched: (home) GET /a\n   >> Outcome: Success(200 OK)",
        "Litestar":
            "INFO - a - HTTP Request: method=GET, path=/a\nINFO - a - HTTP Response: status_code=1",
        "koa-logger": "  <-- GET /a\n  --> GET /a 200 5ms 11b",
        "PHP's own server":
            "[Sun Nov 29 05:00:00 2026] PHP 8.2 Development Server (http://[::1]:80) started",
    ]

    @Test(
        "A log without a line for each request is refused with its name",
        arguments: others.keys.sorted())
    func severalLines(name: String) throws {
        let head = try #require(Self.others[name])
        let problem = #expect(throws: LogProblem.self) { try reading(head + "\n") }
        #expect(problem?.description.contains(name) == true)
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
            #expect(row.pattern != nil || !row.marks.isEmpty || row.form != nil)
            if let word = row.word { #expect(try KnownFormat.lines(word) != nil) }
        }
    }
}
