import SquallFormat
import Testing

@testable import SquallFit

/// One traffic in the forms of many servers: nine users, a request each 3.1 s, of 2.5 to 9.7 ms.
@Suite("Formats of logs")
struct FormatTests {
    /// A request of the traffic.
    struct Request {
        let number: Int
        var microseconds: Int { 2_500 + number * 7_919 % 7_200 }
        var address: String { "203.0.113.\(1 + number % 9)" }
        var path: String { ["/v1/items", "/v1/items/\(1_000 + number)", "/v1/me"][number % 3] }
        var method: String { number % 5 == 0 ? "POST" : "GET" }
        /// Its beginning in microseconds since 1970.
        var began: Int { 1_790_000_000_000_000 + number * 3_100_000 + number * 131 % 1_000 * 10 }
        var ended: Int { began + microseconds }
        var milliseconds: String { Self.decimal(microseconds, 3) }

        static func decimal(_ value: Int, _ digits: Int) -> String {
            var text = String(value)
            while text.count <= digits { text = "0" + text }
            return "\(text.dropLast(digits)).\(text.suffix(digits))"
        }

        /// Seconds since 1970 with six digits.
        func seconds(_ time: Int) -> String { Self.decimal(time, 6) }

        /// The time of day of a day of which only that matters.
        private func clock(_ time: Int) -> (text: String, fraction: String) {
            let second = time / 1_000_000 - 1_790_000_000
            func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
            let fraction = String(String(1_000_000 + time % 1_000_000).dropFirst())
            return ("14:\(two(second / 60 % 60)):\(two(second % 60))", fraction)
        }

        func iso(_ time: Int) -> String {
            "2026-09-21T\(clock(time).text).\(clock(time).fraction)Z"
        }
        func bracket(_ time: Int) -> String { "21/Sep/2026:\(clock(time).text) +0000" }
        func fine(_ time: Int) -> String {
            "21/Sep/2026:\(clock(time).text).\(clock(time).fraction.prefix(3))"
        }
        func syslog(_ time: Int) -> String { "Sep 21 \(clock(time).text)" }

        var line: String { "\(method) \(path) HTTP/1.1" }
        var common: String { "\(address) - - [\(bracket(ended))] \"\(line)\" 200 120" }
        var combined: String { common + " \"-\" \"app/1\"" }
        var haproxy: String {
            let idle = number % 7 * 900  // since the last response on a kept connection
            return "\(address):\(40_000 + number) [\(fine(began - idle * 1_000))] web~ api/n1"
                + " \(idle)/0/1/\(microseconds / 1_000)/\(microseconds / 1_000 + 1 + idle) 200 120"
                + " - - ---- 9/9/1/1/0 0/0 \"\(line)\""
        }
    }

    /// A form of lines.
    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var header = ""
        var users = 9
        /// How far a mean may be off, for rounded times.
        var slack = 0.03
        let line: @Sendable (Request) -> String

        init(
            _ name: String, header: String = "", users: Int = 9, slack: Double = 0.03,
            _ line: @escaping @Sendable (Request) -> String
        ) {
            (testDescription, self.header, self.users, self.line) = (name, header, users, line)
            self.slack = slack
        }

        func log(count: Int = 90) -> String {
            header + (0..<count).map { line(Request(number: $0)) }.joined(separator: "\n") + "\n"
        }
    }

    private static func object(_ members: String...) -> String {
        "{" + members.joined(separator: ",") + "}"
    }

    static let texts: [Form] = [
        Form("nginx", slack: 0.2) { "\($0.combined) 0.00\($0.microseconds / 1_000)" },
        Form("nginx main with forwarded", slack: 0.2) {
            $0.common.replacing($0.address, with: "10.0.0.7")
                + " \"-\" \"app/1\" \"\($0.address), 10.0.0.7\" 0.00\($0.microseconds / 1_000)"
        },
        Form("morgan") { "\($0.combined) - \($0.milliseconds) ms" },
        Form("Tomcat", slack: 0.2) { "\($0.common) \($0.microseconds / 1_000)" },
        Form("Apache with %D") { "\($0.combined) \($0.microseconds)" },
        Form("Traefik CLF", slack: 0.2) {
            "\($0.combined) \($0.number) \"r@docker\" \"http://10.0.0.1:80\""
                + " \($0.microseconds / 1_000)ms"
        },
        Form("HAProxy", slack: 0.2) { $0.haproxy },
        Form("HAProxy by syslog", slack: 0.2) {
            "<134>\($0.syslog($0.ended)) lb haproxy[14]: \($0.haproxy)"
        },
        Form("HAProxy with format iso, whose time alone stands before it", slack: 0.2) {
            "\($0.iso($0.ended)) \($0.haproxy)"
        },
        Form("HAProxy's httpslog", slack: 0.2) { $0.haproxy + " 0/-/-/-/0 -/-/-" },
        Form("HAProxy's clf", slack: 0.2) {
            "\($0.address) - - [\($0.bracket($0.began))] \"\($0.line)\" 200 120 \"\" \"\" 32768 86"
                + " \"web\" \"app\" \"s1\" 0 0 1 \($0.microseconds / 1_000) 9 ---- 1 1 0 \"\" \"\" "
        },
        Form("nginx with the server behind it first", slack: 0.3) {
            "\($0.iso($0.ended)) 10.0.0.\($0.number % 2):80 0.00\($0.microseconds / 1_000)"
                + " 0.00\($0.microseconds / 1_000) \($0.address) \"\($0.line)\" 200"
        },
        Form("Tomcat's time with its unit, where others have bytes", slack: 0.2) {
            "[\($0.bracket($0.ended))] exec-1 \($0.address) \($0.method) \($0.path) 200"
                + " \($0.microseconds / 1_000) ms"
        },
        Form("LTSV") {
            "time:\($0.iso($0.ended))\thost:\($0.address)\treq:\($0.line)\tstatus:200\tsize:120"
                + "\treqtime:\($0.seconds($0.microseconds))"
        },
        Form("Caddy's console") {
            "2026/09/21 \($0.iso($0.ended).dropFirst(11).dropLast())\tINFO\tlog\thandled\t"
                + object(
                    "\"request\":{\"remote_ip\":\"\($0.address)\",\"method\":\"\($0.method)\","
                        + "\"uri\":\"\($0.path)\"}", "\"status\":200",
                    "\"duration\":\($0.seconds($0.microseconds))")
        },
        Form("logfmt in syslog of RFC 5424, which alone tells the time") {
            "<134>1 \($0.iso($0.ended)) lb app 14 - - method=\($0.method) path=\($0.path)"
                + " status=200 elapsed=\($0.milliseconds)ms remote=\($0.address):1"
        },
        Form("logfmt in rsyslog's lines, which alone tell the time") {
            "\($0.iso($0.ended)) lb app[14]: method=\($0.method) path=\($0.path)"
                + " status=200 elapsed=\($0.milliseconds)ms remote=\($0.address):1"
        },
        Form("nginx proxy manager", users: 9, slack: 1) {
            "[\($0.bracket($0.ended))] - 200 200 - \($0.method) https api.example \"\($0.path)\""
                + " [Client \($0.address)] [Length 120] [Gzip -] [Sent-to 10.0.0.2] \"app/1\" \"-\""
        },
        Form("uvicorn in a container", slack: 1) {
            "\($0.iso($0.ended)) stdout F INFO:     \($0.address):5\($0.number) - \"\($0.line)\" "
                + ($0.number % 7 == 0 ? "404 Not Found" : "200 OK")
        },
        Form("docker compose", slack: 0.2) {
            "web-1  | \($0.combined) 0.00\($0.microseconds / 1_000)"
        },
        Form("Docker json-file", slack: 0.2) {
            let line = "\($0.combined) 0.00\($0.microseconds / 1_000)"
            return "{\"log\":\"\(line.replacing("\"", with: "\\\""))\\n\",\"stream\":\"stdout\","
                + "\"time\":\"\($0.iso($0.ended))\"}"
        },
        Form("lograge") {
            "I, [\($0.iso($0.ended).dropLast()) #7]  INFO -- : method=\($0.method) path=\($0.path)"
                + " format=json status=200 duration=\($0.milliseconds) view=0.1"
                + " user_id=u\($0.address)"
        },
        Form("logfmt") {
            "time=\($0.iso($0.ended)) level=info msg=\"a request\" method=\($0.method)"
                + " path=\($0.path) status=200 elapsed=\($0.milliseconds)ms remote=\($0.address):1"
        },
        Form("Heroku's router, with two times", slack: 0.2) {
            "\($0.iso($0.ended)) heroku[router]: at=info method=\($0.method) path=\"\($0.path)\""
                + " host=a.example fwd=\"\($0.address)\" dyno=web.1 connect=1ms"
                + " service=\($0.microseconds / 1_000)ms status=200 bytes=120 protocol=https"
        },
        Form("Actix") {
            "[\($0.iso($0.ended)) INFO  actix_web::middleware::logger] \($0.address)"
                + " \"\($0.line)\" 200 120 \"-\" \"app/1\" \($0.seconds($0.microseconds))"
        },
        Form("tower-http", users: 0, slack: 0.2) {
            "\($0.iso($0.ended)) DEBUG request{method=\($0.method) version=HTTP/1.1"
                + " uri=\($0.path)}: tower_http::trace: finished"
                + " latency=\($0.microseconds / 1_000) ms status=200"
        },
        Form("Monolog, whose time stands before the object", slack: 0.2) {
            "[\($0.iso($0.ended))] app.INFO: request "
                + object(
                    "\"method\":\"\($0.method)\"", "\"path\":\"\($0.path)\"", "\"status\":200",
                    "\"ip\":\"\($0.address)\"", "\"duration_ms\":\($0.microseconds / 1_000)")
        },
        Form("uWSGI", slack: 0.2) {
            "[pid: 7|app: 0|req: 1/1] \($0.address) () {38 vars in 696 bytes}"
                + " [Mon \($0.syslog($0.began)) 2026] \($0.method) \($0.path)"
                + " => generated 120 bytes in \($0.microseconds / 1_000) msecs (HTTP/1.1 200)"
                + " 9 headers in 378 bytes"
        },
        Form(
            "IIS with quotes",
            header: "#Fields:  date-local time-local  cs-method cs-uri-stem c-ip cs(User-Agent)"
                + " sc-status TimeTakenMS\n", slack: 0.2
        ) {
            "\($0.iso($0.ended).replacing("T", with: " ").dropLast()) \($0.method) \($0.path)"
                + " \"\($0.address)\" \"Mozilla/5.0 (a b)\" 200 \($0.microseconds / 1_000)"
        },
        Form("CSV", header: "time,method,path,status,duration_ms,user\n") {
            "\($0.iso($0.ended)),\($0.method),\"\($0.path)\",200,\($0.milliseconds),u\($0.address)"
        },
        Form(
            "JMeter",
            header: "timeStamp,elapsed,label,responseCode,threadName,bytes,URL,Latency\n",
            slack: 0.2
        ) {
            "\($0.began / 1_000),\($0.microseconds / 1_000),x,200,t\($0.address),120,"
                + "http://api.example\($0.path),3"
        },
    ]

    static let objects: [Form] = [
        Form("Traefik") {
            object(
                "\"ClientHost\":\"\($0.address)\"", "\"DownstreamStatus\":200",
                "\"Duration\":\($0.microseconds)000", "\"OriginDuration\":\($0.microseconds)",
                "\"RequestMethod\":\"\($0.method)\"", "\"RequestPath\":\"\($0.path)\"",
                "\"time\":\"\($0.iso($0.ended))\"")
        },
        Form("slog") {
            object(
                "\"time\":\"\($0.iso($0.ended))\"", "\"msg\":\"request\"",
                "\"method\":\"\($0.method)\"", "\"path\":\"\($0.path)\"", "\"status\":200",
                "\"duration\":\($0.microseconds)000", "\"user\":\"\($0.address)\"")
        },
        Form("echo") {
            object(
                "\"time\":\"\($0.iso($0.ended))\"", "\"remote_ip\":\"\($0.address)\"",
                "\"method\":\"\($0.method)\"", "\"uri\":\"\($0.path)\"", "\"status\":200",
                "\"latency\":\($0.microseconds)000", "\"latency_human\":\"\($0.milliseconds)ms\"")
        },
        Form("Go's address with a port") {
            object(
                "\"ts\":\($0.seconds($0.ended))", "\"method\":\"\($0.method)\"",
                "\"path\":\"\($0.path)\"", "\"status\":200", "\"took\":\($0.milliseconds)",
                "\"remote_addr\":\"[::\($0.number % 9)]:\(40_000 + $0.number)\"")
        },
        Form("Envoy in a container", slack: 0.2) {
            "\($0.iso($0.ended)) stdout F "
                + object(
                    "\"start_time\":\"\($0.iso($0.began))\"", "\"method\":\"\($0.method)\"",
                    "\"path\":\"\($0.path)\"", "\"response_code\":200",
                    "\"duration\":\($0.microseconds / 1_000)",
                    "\"downstream_remote_address\":\"\($0.address):4\($0.number)\"")
        },
        Form("Caddy") {
            object(
                "\"ts\":\($0.seconds($0.ended))", "\"logger\":\"http.log.access\"",
                "\"request\":{\"remote_ip\":\"\($0.address)\",\"method\":\"\($0.method)\","
                    + "\"uri\":\"\($0.path)\"}", "\"duration\":0.00\($0.microseconds)",
                "\"resp_headers\":{\"Server\":[\"Caddy\"]}", "\"status\":200")
        },
        Form("Cloudflare", slack: 0.2) {
            object(
                "\"ClientIP\":\"\($0.address)\"", "\"ClientRequestMethod\":\"\($0.method)\"",
                "\"ClientRequestURI\":\"\($0.path)\"", "\"EdgeResponseStatus\":200",
                "\"EdgeStartTimestamp\":\($0.began)000", "\"EdgeEndTimestamp\":\($0.ended)000",
                "\"OriginResponseDurationMs\":\($0.microseconds / 1_000)")
        },
        Form("Logstash", slack: 0.2) {
            let line = "\($0.combined) 0.00\($0.microseconds / 1_000)"
            return object(
                "\"message\":\"\(line.replacing("\"", with: "\\\""))\"",
                "\"path\":\"/var/log/nginx/access.log\"", "\"@version\":\"1\"",
                "\"@timestamp\":\"\($0.iso($0.ended))\"")
        },
        Form("API Gateway", slack: 0.2) {
            object(
                "\"requestId\":\"a\($0.number)\"", "\"ip\":\"\($0.address)\"",
                "\"requestTime\":\"\($0.bracket($0.began))\"", "\"httpMethod\":\"\($0.method)\"",
                "\"path\":\"\($0.path)\"", "\"status\":\"200\"",
                "\"responseLatency\":\"\($0.microseconds / 1_000)\"")
        },
        Form("Fastify, with two lines for a request") {
            object(
                "\"time\":\($0.began / 1_000)", "\"reqId\":\"req-\($0.number)\"",
                "\"req\":{\"method\":\"\($0.method)\",\"url\":\"\($0.path)\","
                    + "\"remoteAddress\":\"\($0.address)\"}")
                + "\n"
                + object(
                    "\"time\":\($0.ended / 1_000)", "\"reqId\":\"req-\($0.number)\"",
                    "\"res\":{\"statusCode\":200}", "\"responseTime\":\($0.milliseconds)")
        },
        Form("Serilog") {
            object(
                "\"@t\":\"\($0.iso($0.ended))\"", "\"@mt\":\"HTTP {RequestPath}\"",
                "\"RequestMethod\":\"\($0.method)\"", "\"RequestPath\":\"\($0.path)\"",
                "\"StatusCode\":200", "\"Elapsed\":\($0.milliseconds)",
                "\"ClientIp\":\"\($0.address)\"")
        },
        Form("k6", users: 0) {
            object(
                "\"metric\":\"http_req_duration\"", "\"type\":\"Point\"",
                "\"data\":{\"time\":\"\($0.iso($0.ended))\",\"value\":\($0.milliseconds),"
                    + "\"tags\":{\"method\":\"\($0.method)\",\"status\":\"200\","
                    + "\"name\":\"http://a\($0.path)\",\"url\":\"http://a\($0.path)\"}}")
                + "\n" + object("\"metric\":\"http_reqs\"", "\"type\":\"Point\"", "\"data\":{}")
        },
    ]

    @Test("Users, calls and times of each form are the traffic's", arguments: all)
    func forms(form: Form) throws {
        let log = try reading(form.log())
        #expect(log.reading.requests == 90 && log.reading.broken == 0)
        #expect(abs(log.span - 275_900_000_000) < 1_100_000_000)
        #expect(Set(log.calls.map(\.path)) == ["/v1/items", "/v1/items/{id}", "/v1/me"])
        #expect(Set(log.requests.map(\.person)).subtracting([0]).count == form.users)
        guard form.slack < 1 else { return }
        let mean = (0..<90).reduce(0) { $0 + Double(Request(number: $1).microseconds) } / 90
        let seen = log.requests.reduce(0) { $0 + Double($1.duration) } / 90_000
        #expect(abs(seen / mean - 1) <= form.slack, "mean \(seen) µs, true \(mean) µs")
    }

    @Test("A hostile line takes nothing from the others", arguments: [0, 45])
    func hostile(place: Int) throws {
        let bad =
            #"203.0.113.1 - - [21/Sep/2026:14:13:20 +0000] "GET /search?a=\"x\" y" HTTP/1.1" 200 1"#
        for rest in ["", " \"-\" \"app/1\" 0.005"] {
            var lines = (0..<90).map { number in
                let request = Request(number: number)
                return rest.isEmpty ? request.common : request.combined + " 0.005"
            }
            lines.insert(bad + rest, at: place)
            lines.insert("\\x16\\x03 hello", at: place)
            let log = try reading(lines.joined(separator: "\n"))
            #expect(log.reading.requests == 91 && log.reading.broken == 1)
            #expect(log.reading.withDuration == (rest.isEmpty ? 0 : 91))
        }
    }

    @Test("How a unit was read is told, and a median above a minute is refused with the way out")
    func units() throws {
        let slog = Self.objects[1].log()
        let fit = TrafficFit(try reading(slog))
        let document = FitDocument(fit, subject: "x", replay: "", comparison: nil)
        #expect(document.json.document.contains("`duration` was read as nanoseconds"))
        let slow = slog.replacing("000,\"user\"", with: "000000000,\"user\"")
        let problem = #expect(throws: LogProblem.self) { try reading(slow) }
        #expect(problem?.description.contains("'json duration=duration:ns'") == true)
        let given = try reading(slog, format: "json duration=duration:us")
        #expect(given.reading.units.first?.median ?? 0 > 1e9)
    }

    @Test("A number that could be of two units is read in the one that the users' next calls allow")
    func clock() throws {
        let lines = (0..<200).map { number in
            "{\"time\":\(1_700_000_000_000 + number / 4 * 120),\"method\":\"GET\","
                + "\"path\":\"/feed\",\"status\":200,\"took\":\(55 + number % 9).451,"
                + "\"user\":\"u\(number % 4)\"}"
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(log.reading.units.first?.unit.power == 6)
    }

    @Test(
        "A log's missing field is named with the fields there are, and other tools' files by name")
    func missing() {
        func problem(_ text: String) -> String {
            do { _ = try reading(text) } catch { return "\(error)" }
            return ""
        }
        let lines = String(
            repeating: "{\"at\":1700000000,\"where\":\"/a\",\"verb\":\"GET\"}\n", count: 9)
        #expect(problem(lines).contains("the fields at, where, verb"))
        #expect(problem(lines).contains("--format 'json path=where time=at'"))
        let gatling = "RUN\ta.B\tb\t1700000000000\t \t3.9\nREQUEST\t\thome\t1\t2\tOK\t \n"
        #expect(problem(gatling).contains("Gatling"))
        #expect(problem("<testResults version=\"1.2\"><httpSample t=\"3\"/>\n").contains("JMeter"))
        let error = "2026/09/21 20:47:03 [error] 7#230: *9 open() \"/x\" failed (2: No such file),"
        let place = " client: 203.0.113.1, server: , request: \"GET /x HTTP/1.1\"\n"
        #expect(problem(String(repeating: error + place, count: 9)).contains("log of nginx"))
        let words = String(repeating: "t=2026-09-21T14:13:20Z lvl=info msg=hello\n", count: 9)
        #expect(problem(words).contains("--format 'logfmt path=NAME'"))
        let uvicorn = "INFO:     203.0.113.1:5000 - \"GET /a HTTP/1.1\" 200 OK\n"
        #expect(problem(String(repeating: uvicorn, count: 9)).contains("no time"))
    }

    @Test(
        "Static files, health checks and robots are left out and counted; --include takes them in")
    func filter() throws {
        let paths = ["/v1/items", "/logo.png", "/healthz", "/api/style.css?v=1", "/v1/me"]
        let lines = (0..<100).map { number in
            let request = Request(number: number)
            let agent = number % 10 == 0 ? "Mozilla/5.0 (compatible; AnyBot/2.1)" : "app/1"
            return request.common.replacing(request.path + " ", with: paths[number % 5] + " ")
                + " \"-\" \"\(agent)\""
        }
        func read(_ filter: RequestFilter) throws -> TrafficLog.Reading {
            var text: [UInt8]? = Array(lines.joined(separator: "\n").utf8)
            var reader = try LogReader(filter: filter)
            try reader.read {
                defer { text = nil }
                return text
            }
            return try reader.finish().reading
        }
        let reading = try read(RequestFilter())
        #expect(reading.leftOut == [.staticFile: 40, .healthCheck: 20, .robot: 10])
        #expect(reading.requests == 30)
        #expect(try read(RequestFilter(include: ["*"])).requests == 100)
        #expect(try read(RequestFilter(include: ["/v1/*"])).requests == 40)
        #expect(try read(RequestFilter(exclude: ["GET /v1/me"])).leftOut[.excluded] ?? 0 > 0)
    }
}
