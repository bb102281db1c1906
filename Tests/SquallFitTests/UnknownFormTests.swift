import Testing

@testable import SquallFit

/// Forms that no server is known for: columns between other separators, names that are not in the
/// list, and lines in what exports make of them.
extension FormatTests {
    static let all = texts + objects + unknown + collected

    /// The columns that most configured forms have, with one separator.
    private static func columns(_ separator: String) -> @Sendable (Request) -> String {
        {
            [
                $0.iso($0.ended), $0.address, $0.method, $0.path, "200", "\(100 + $0.number)",
                $0.seconds($0.microseconds), "Shop/3 (iPhone; iOS 19)",
            ].joined(separator: separator)
        }
    }

    static let console = Form(
        "Caddy's console with the response's headers, whose date has seconds"
    ) {
        "\($0.iso($0.ended))\tINFO\thttp.log.access\thandled request\t{\"request\":"
            + " {\"remote_ip\": \"\($0.address)\", \"method\": \"\($0.method)\", \"uri\":"
            + " \"\($0.path)\"}, \"duration\": \($0.seconds($0.microseconds)), \"status\": 200,"
            + " \"resp_headers\": {\"Date\": [\"Mon, 21 Sep 2026 14:00:0\($0.number % 9) GMT\"]}}"
    }

    static let unknown: [Form] = [
        Form("columns between bars", columns("|")),
        Form("columns between bars and spaces", columns(" | ")),
        Form("columns between tabs", columns("\t")),
        Form("columns between commas, with a text in quotes") {
            columns(",")($0).replacing("Shop/3 (iPhone; iOS 19)", with: "\"Shop/3 (a, b)\"")
        },
        Form("a request line between semicolons") {
            "\($0.seconds($0.ended));\($0.address);\($0.line);200;\($0.seconds($0.microseconds))"
        },
        Form("a bar behind a word, as Beego has it", slack: 0.01) {
            "\($0.iso($0.ended)) [D] [router.go:1306]  |     \($0.address)| 200 |"
                + "  \($0.milliseconds)ms|   match| \($0.method)   \($0.path)   r:/*"
        },
        Form("Jetty's brackets around those of the configuration") {
            "\($0.address) - - [[\($0.bracket($0.ended))]] \"\($0.line)\" 200 120 \"-\""
                + " \"app/1\" \($0.microseconds)"
        },
        Form("Vert.x, with a date of RFC 1123", slack: 1) {
            let clock = $0.iso($0.ended).dropFirst(11).prefix(8)
            return "\($0.address) - - [Mon, 21 Sep 2026 \(clock) GMT] \"\($0.line)\" 200 120"
        },
        Form("Kibana's export", slack: 1) {
            let clock = $0.iso($0.ended).dropFirst(11).prefix(12)
            return "\"Sep 21, 2026 @ \(clock)\",\"\($0.address)\",\"\($0.method)\",\"\($0.path)\","
                + "\"200\""
        },
        Form(
            "Datadog's export",
            header: "Date,Host,@http.method,@http.url_details.path,@http.status_code,@duration,"
                + "@network.client.ip,Content\n"
        ) {
            "\"\($0.iso($0.ended))\",\"i-01\",\"\($0.method)\",\"\($0.path)\",\"200\","
                + "\"\($0.microseconds * 1_000)\",\"\($0.address)\",\"handled\""
        },
        Form("a line in a cell of a table") {
            "\"\($0.iso($0.ended))\",web,\""
                + ($0.combined + " \($0.seconds($0.microseconds))").replacing("\"", with: "\"\"")
                + "\",access"
        },
        Form("Fluentd, with a date, an hour and a zone before the object") {
            "\($0.iso($0.ended).replacing("T", with: " ").dropLast()) +0000 nginx.access: "
                + "{\"remote\":\"\($0.address)\",\"method\":\"\($0.method)\","
                + "\"path\":\"\($0.path)\",\"code\":\"200\","
                + "\"request_time\":\"\($0.seconds($0.microseconds))\"}"
        },
        Form("names of its own") {
            "{\"when\":\"\($0.iso($0.ended))\",\"peer\":\"\($0.address):\(40_000 + $0.number)\","
                + "\"upstream_addr\":\"10.0.0.\($0.number % 4):80\",\"verb_used\":\"\($0.method)\","
                + "\"requested\":\"\($0.path)\",\"http_code\":200,\"db\":\"0.1ms\","
                + "\"lasted\":\"\($0.milliseconds)ms\"}"
        },
        Form("nginx' time of a request, and at times one more for the server behind", slack: 0.2) {
            let span = $0.microseconds / 1_000
            return "\($0.combined) 0.00\(span) 0.00\(span + ($0.number % 6 == 0 ? 1 : 0)) ."
        },
        Form("nginx' times in words", slack: 0.2) {
            let span = "0.00\($0.microseconds / 1_000)"
            return "ts=\($0.seconds($0.ended)) method=\($0.method) uri=\($0.path) status=200"
                + " dur=\(span) urt=\(span) ip=\($0.address)"
        },
        console,
        Form("seconds since 1970 before all else") {
            "\($0.ended / 1_000_000) \($0.address) \($0.method) \($0.path) 200 120"
                + " \($0.seconds($0.microseconds)) pass"
        },
        Form("microseconds since 1970 between semicolons") {
            "\($0.ended);\($0.address);\($0.method);\($0.path);200;120;\($0.microseconds)"
        },
        Form("a name that ends like a unit") {
            "{\"time\":\"\($0.iso($0.ended))\",\"ip\":\"\($0.address)\","
                + "\"method\":\"\($0.method)\",\"path\":\"\($0.path)\",\"status\":200,"
                + "\"response_ms\":\($0.milliseconds)}"
        },
        Form("a duration with a longer name") {
            "{\"time\":\"\($0.iso($0.ended))\",\"ip\":\"\($0.address)\","
                + "\"method\":\"\($0.method)\","
                + "\"path\":\"\($0.path)\",\"status\":200,\"db_duration\":0.0001,"
                + "\"request_timetaken\":\($0.seconds($0.microseconds))}"
        },
        Form("Logstash's fields of a combined line, beside the file's path", slack: 1) {
            "{\"@timestamp\":\"\($0.iso($0.ended))\",\"clientip\":\"\($0.address)\","
                + "\"verb\":\"\($0.method)\",\"request\":\"\($0.path)\",\"response\":\"200\","
                + "\"path\":\"/var/log/nginx/access.log\"}"
        },
        Form("Apache as JSON, with the path as the request") {
            "{ \"time\":\"\($0.iso($0.ended))\", \"remoteIP\":\"\($0.address)\","
                + " \"request\":\"\($0.path)\", \"method\":\"\($0.method)\", \"status\":\"200\","
                + " \"duration_us\":\"\($0.microseconds)\" }"
        },
        Form("a line when a request comes, and one with the status when it ends") {
            let call =
                "\"method\":\"\($0.method)\",\"path\":\"\($0.path)\","
                + "\"ip\":\"\($0.address)\""
            return "{\"time\":\"\($0.iso($0.began))\",\"event\":\"request_started\",\(call)}\n"
                + "{\"time\":\"\($0.iso($0.ended))\",\"event\":\"request_finished\",\(call),"
                + "\"code\":200,\"elapsed\":\"\($0.milliseconds)ms\"}"
        },
        Form(
            "Zeek's http.log",
            header: "#separator \\x09\n#fields\tts\tuid\tid.orig_h\tid.resp_h\tmethod\turi"
                + "\tuser_agent\tstatus_code\n#types\ttime\tstring\taddr\taddr\n", slack: 1
        ) {
            "\($0.seconds($0.began))\tC\($0.number)\t\($0.address)\t10.0.0.1\t\($0.method)"
                + "\t\($0.path)\tShop/3 (iPhone; iOS 19)\t200"
        },
    ]
}

/// What many lines show together of a log's form.
@Suite("Logs of unknown form")
struct UnknownFormTests {
    @Test("A logger that is set up twice has the figures of its lines once, and that is said")
    func twins() throws {
        func log(_ count: Int) -> String {
            (0..<90).map { number in
                let request = FormatTests.Request(number: number)
                let line = { "\(request.common) \(request.microseconds + $0)" }
                return (0..<count).map(line).joined(separator: "\n")
            }.joined(separator: "\n")
        }
        let (once, twice) = (try reading(log(1)), try reading(log(2)))
        #expect(once.reading.repeated == 0)
        #expect(twice.reading.repeated == 90 && twice.reading.requests == 90)
        #expect(twice.calls.map(\.count) == once.calls.map(\.count))
        let text = MadeTraffic.document(TrafficFit(twice))
        #expect(text.contains("logger that is set up twice"))
    }

    @Test("The time before an object is that of the line, and no date within it")
    func dates() throws {
        #expect(try !reading(FormatTests.console.log()).reading.isWholeSeconds)
    }

    @Test("Slow calls that are dated by their beginnings are no lines of two clocks")
    func slowBeginnings() throws {
        var traffic = MadeTraffic(seed: 23)
        traffic.add(users: 0..<12, until: 300)
        let slow = traffic.requests.enumerated().map { index, request in
            (request, span: index % 3 == 0 ? 2.5 : 0.01)
        }
        let lines = slow.sorted { $0.0.at + $0.span < $1.0.at + $1.span }.map { request, span in
            "{\"time\":\(1_700_000_000 + request.at),\"duration_s\":\(span),\"status\":200,"
                + "\"method\":\"GET\",\"path\":\"/a\",\"user\":\"u\(request.user)\"}"
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(!log.reading.areClocksMixed && log.reading.areBeginnings)
    }

    @Test("Lines of words without a time say to add one, and not to map it")
    func timeless() {
        let line = "05:00:00.1 [info] method=GET path=/a status=200 duration=0.4\n"
        let problem = #expect(throws: LogProblem.self) {
            try reading(String(repeating: line, count: 9))
        }
        let text = problem?.description ?? ""
        #expect(text.contains("container's log") && !text.contains("--format"), "\(text)")
    }
}
