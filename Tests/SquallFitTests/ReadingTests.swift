import Testing

@testable import SquallFit

/// A log in memory, in pieces of any size; strictly as the command reads it, or with every request
/// and all words of paths.
func reading(
    _ text: some Sequence<UInt8>, format: String? = nil, pieces: Int = 1 << 16,
    isStrict: Bool = false
) throws -> TrafficLog {
    let bytes = Array(text)
    var place = 0
    var reader =
        isStrict
        ? try LogReader(format: format)
        : try LogReader(format: format, filter: RequestFilter(include: ["*"]), keepsWords: true)
    try reader.read {
        defer { place += pieces }
        return place < bytes.count ? Array(bytes[place..<min(bytes.count, place + pieces)]) : nil
    }
    return try reader.finish()
}

func reading(
    _ text: String, format: String? = nil, pieces: Int = 1 << 16, isStrict: Bool = false
) throws -> TrafficLog {
    try reading(Array(text.utf8), format: format, pieces: pieces, isStrict: isStrict)
}

@Suite("Reading logs")
struct ReadingTests {
    private static let forms: [(name: String, text: String, duration: Int64, path: String)] = [
        (
            "nginx with the request's time",
            """
            1.2.3.4 - - [10/Oct/2023:13:55:36 +0200] "GET /posts/17?page=2 HTTP/1.1" 200 2326 "-" \
            "curl" 0.250
            """, 250_000_000, "/posts/{id}"
        ),
        (
            "combined with keys and values",
            """
            1.2.3.4 - anna [10/Oct/2023:13:55:36 +0200] "GET /posts/17 HTTP/1.1" 200 2326 "-" \
            "Mozilla (a b)" rt=0.250 uct="0.000" urt="0.249"
            """, 250_000_000, "/posts/{id}"
        ),
        (
            "Envoy",
            #"{"start_time":"2023-10-10T11:55:36.000Z","method":"GET","path":"/posts/17","#
                + #""response_code":200,"duration":250,"bytes_sent":2326}"#, 250_000_000,
            "/posts/{id}"
        ),
        (
            "Caddy",
            #"{"level":"info","ts":1696938936.25,"request":{"remote_ip":"1.2.3.4","method":"GET","#
                + #""uri":"/posts/17","headers":{"A":["x"]}},"user_id":"","duration":0.25,"#
                + #""size":2326,"status":200}"#, 250_000_000, "/posts/{id}"
        ),
        (
            "a load balancer of Amazon",
            """
            https 2023-10-10T11:55:36.250000Z app/x/1 1.2.3.4:2817 10.0.0.1:80 0.000 0.249 0.001 \
            200 200 34 2326 "GET https://a.example:443/posts/17 HTTP/1.1" "curl" - - x
            """, 250_000_000, "/posts/{id}"
        ),
        (
            "Gin",
            #"[GIN] 2023/10/10 - 11:55:36 | 200 |     250.0ms |    1.2.3.4 | GET      "/posts/17""#,
            250_000_000, "/posts/{id}"
        ),
        (
            "chi",
            "2023/10/10 11:55:36 \"GET http://a.example/posts/17 HTTP/1.1\" from 1.2.3.4:2817 - 200"
                + " 12B in 250.0ms", 250_000_000, "/posts/{id}"
        ),
        (
            "WEBrick",
            "1.2.3.4 - - [10/Oct/2023:11:55:36 UTC] \"GET /posts/17 HTTP/1.1\" 200 12 0.250",
            250_000_000, "/posts/{id}"
        ),
        (
            "CloudFront",
            "#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status sc-bytes"
                + " x-edge-result-type time-taken\n"
                + "2023-10-10\t11:55:36\t1.2.3.4\tGET\t/posts/17\t200\t2326\tMiss\t0.250",
            250_000_000, "/posts/{id}"
        ),
        (
            "HAR",
            #"{"log":{"creator":{},"entries":[{"startedDateTime":"2023-10-10T13:55:36.000+02:00","#
                + #""time":300,"timings":{"wait":250},"request":{"method":"GET","url":"#
                + #""https://a.example/posts/17"},"response":{"status":200,"content":{}}}]}}"#,
            250_000_000, "/posts/{id}"
        ),
        (
            "OpenTelemetry",
            #"{"resourceSpans":[{"scopeSpans":[{"spans":[{"kind":2,"startTimeUnixNano":"#
                + #""1696938936000000000","endTimeUnixNano":"1696938936250000000","attributes":["#
                + #"{"key":"http.request.method","value":{"stringValue":"GET"}},"#
                + #"{"key":"http.route","value":{"stringValue":"/posts/:id"}},"#
                + #"{"key":"http.response.status_code","value":{"intValue":"200"}}]}]}]}]}"#,
            250_000_000, "/posts/{id}"
        ),
    ]

    @Test("Each form is found by a look and read to the millisecond", arguments: 0..<11)
    func found(index: Int) throws {
        let form = Self.forms[index]
        for pieces in [3, 1 << 16] {
            let log = try reading(form.text + "\n", pieces: pieces)
            let request = try #require(log.requests.first, "\(form.name)")
            #expect(request.duration == form.duration, "\(form.name)")
            #expect(log.calls.map(\.path) == [form.path], "\(form.name)")
            #expect(request.status == 200)
            #expect(request.began / 1_000_000_000 / 60 == 1_696_938_936 / 60, "\(form.name)")
        }
    }

    @Test("Numbers of a HAR count also with a point, as some recorders write them")
    func numbersWithPoint() throws {
        let text = try #require(Self.forms.first { $0.name == "HAR" }).text
            .replacing(
                "\"status\":200,\"content\":{}",
                with: "\"status\":200.0,\"content\":{\"size\":512.0}")
        let log = try reading(text)
        #expect(log.requests.first?.status == 200 && log.calls.first?.bytes.sum == 512)
    }

    @Test("A format that is given is kept to, as nginx and Apache write theirs")
    func given() throws {
        let nginx = try reading(
            "7 0.004 1696938936.500 POST /a 201\n",
            format: "$user_id $request_time $msec $request_method $request_uri $status")
        #expect(nginx.requests.first?.began == 1_696_938_936_496_000_000)
        let apache = try reading(
            "1.2.3.4 [10/Oct/2023:11:55:36 +0000] \"GET /a HTTP/1.1\" 200 1500\n",
            format: "%h %t \"%r\" %>s %D")
        #expect(apache.requests.first?.duration == 1_500_000)
        #expect(throws: LogProblem.self) { try LogReader(format: "$status") }
        #expect(throws: LogProblem.self) { try LogReader(format: "nonsense") }
        let problem = #expect(throws: LogProblem.self) {
            try reading(
                "{\"at\":1696938936,\"what\":\"/a\",\"took\":7}\n",
                format: "json time=at path=what duration=took:ms")
        }
        #expect(problem?.description.contains("none of its 1 request has a method") == true)
    }

    @Test("Broken lines are counted and shown without what they say; more than half are too many")
    func broken() throws {
        let line = "1.2.3.4 - - [10/Oct/2023:13:55:36 +0200] \"GET /a HTTP/1.1\" 200 5\n"
        let log = try reading(line + line + "user=anna secret 1234\n" + line)
        #expect(log.reading.requests == 3 && log.reading.broken == 1)
        #expect(log.reading.quotes == ["aaaa=aaaa aaaaaa 0000"])
        #expect(throws: LogProblem.self) {
            try reading(line + "nothing\nof\nthe\nkind\n", format: "common")
        }
    }

    @Test("Lines out of order are put in order, and how far off they were is told")
    func unordered() throws {
        let lines = [40, 10, 30, 20].map {
            "1.2.3.4 - - [10/Oct/2023:13:55:\($0) +0200] \"GET /a HTTP/1.1\" 200 5"
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(log.requests.map(\.began) == log.requests.map(\.began).sorted())
        #expect(log.reading.unordered == 3)
        #expect(log.reading.largestStepBack == 30_000_000_000)
    }

    @Test("Identifiers become variables, and names stay")
    func templates() throws {
        let paths = [
            "/v1/posts/17", "/v1/posts/18/comments", "/oauth2/token", "/s3/health",
            "/users/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/a/anna@example.com",
        ]
        let log = try reading(
            paths.map { "1.2.3.4 - - [10/Oct/2023:13:55:36 +0200] \"GET \($0) HTTP/1.1\" 200 5" }
                .joined(separator: "\n"))
        #expect(
            log.calls.map(\.path) == [
                "/a/{id}", "/oauth2/token", "/s3/health", "/users/{id}", "/v1/posts/{id}",
                "/v1/posts/{id}/comments",
            ])
    }

    @Test("A place with more words than an API has names has values, and calls are joined")
    func manyWords() throws {
        let words = (0..<200).map { (number: UInt8) in
            String(decoding: [97 + number / 26, 97 + number % 26], as: UTF8.self)
        }
        let lines = words.map {
            "1.2.3.4 - - [10/Oct/2023:13:55:36 +0200] \"GET /articles/\($0)/x HTTP/1.1\" 200 5"
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(log.calls.map(\.path) == ["/articles/{id}/x"])
        #expect(log.calls.map(\.count) == [200])
    }

    /// A request a second of 400 people, or of unknown ones, each fifth of them a slow failure.
    private func kept(capacity: Int, isKnown: Bool = true) -> TrafficLog {
        var collector = TrafficCollector(capacity: capacity)
        let target = Array("/a".utf8)
        let method = Array("GET".utf8)
        for number in 0..<40_000 {
            target.withUnsafeBufferPointer { target in
                method.withUnsafeBufferPointer { method in
                    var raw = RawRequest()
                    raw.end = (1_700_000_000_000_000_000 + Int64(number) * 1_000_000_000, false)
                    raw.duration = number % 5 == 0 ? 400_000_000 : 5_000_000
                    raw.status = number % 5 == 0 ? 503 : 200
                    (raw.method, raw.target) = (method, target)
                    let person = UInt64(number &* 7_919 / 13 % 400 + 1) &* 0x9E37_79B9_7F4A_7C15
                    raw.person = isKnown ? person : 0
                    let isTaken = collector.take(raw)
                    #expect(isTaken)
                }
            }
        }
        return collector.finish()
    }

    @Test("Of a log too large to keep, people and stretches of time are kept whole")
    func sampling() throws {
        let log = kept(capacity: 2_000)
        #expect(log.reading.requests == 40_000 && log.calls[0].count == 40_000)
        #expect(log.requests.count < 2_000 && log.sampling.oneIn > 1)
        let kept = log.requests.filter { log.sampling.keepsTime($0.began) }
        let stretches = Set(kept.map { $0.began / TrafficLog.Sampling.stretch })
        #expect(kept.count >= (stretches.count - 2) * 120)
    }

    @Test("A sample has the rates of its log", arguments: [true, false])
    func sampledRates(isKnown: Bool) throws {
        let whole = kept(capacity: 100_000, isKnown: isKnown)
        let sample = kept(capacity: 20_000, isKnown: isKnown)
        #expect(whole.sampling.oneIn == 1 && sample.sampling.oneIn > 1)
        // Of 400 people and 333 stretches one in n is kept: the share of each is within 30 %.
        func isAlike(_ one: Double, _ other: Double) -> Bool { abs(one / other - 1) < 0.3 }
        let (all, some) = (TrafficView(whole), TrafficView(sample))
        #expect(isAlike(some.rate, all.rate) && isAlike(some.concurrency, all.concurrency))
        #expect(isAlike(try #require(some.failures), try #require(all.failures)))
        #expect(isAlike(try #require(some.calls.first).rate, try #require(all.calls.first).rate))
        for (seen, real) in zip(some.minuteRates, all.minuteRates) {
            #expect(abs(seen.height - real.height) < 0.3)
        }
        let (start, end) = whole.reading.span
        let part = TrafficView(sample, from: start + (end - start) / 2)
        #expect(isAlike(part.rate * part.seconds, 20_000))
    }

    @Test("Prometheus' histograms tell service times")
    func prometheus() throws {
        let text = """
            # TYPE http_request_duration_seconds histogram
            http_request_duration_seconds_bucket{method="GET",route="/a",le="0.1"} 10
            http_request_duration_seconds_bucket{method="GET",route="/a",le="0.5"} 30
            http_request_duration_seconds_bucket{method="GET",route="/a",le="+Inf"} 30
            """
        let log = try reading(text)
        let histogram = try #require(log.histograms.first)
        #expect(histogram.buckets.map(\.count) == [10, 20])
        #expect(FittedLaw(histogram)?.mean.value == (10 * 5e7 + 20 * 3e8) / 30)
    }

    /// Lines of people who open a screen of two calls every few seconds, each call in either file.
    private func twoFiles(skew: Double, people: Int, alternates: Bool) throws -> TrafficLog {
        var reader = try LogReader()
        for file in 0...1 {
            var lines: [String] = []
            for person in 0..<people {
                for screen in 0..<20 {
                    let drawn = person * 7_919 + screen * screen * 104_729 + person * screen * 31
                    let within = Double(drawn % 3_571) / 100
                    let time = 1_700_000_000 + Double(screen * 40) + within
                    for call in 0...1 {
                        let place = alternates ? (call + person + screen) % 2 : person % 2
                        guard place == file else { continue }
                        let seen = time + (file == 1 ? skew : 0)
                        lines.append(
                            "{\"time\":\(seen),\"method\":\"GET\",\"path\":\"/c\(call)\","
                                + "\"status\":200,\"duration_ms\":20,\"user\":\"u\(person)\"}")
                    }
                }
            }
            var text: [UInt8]? = Array(lines.joined(separator: "\n").utf8)
            try reader.read {
                defer { text = nil }
                return text
            }
        }
        return try reader.finish()
    }

    @Test(
        "Clocks of two files are set right by calls that went out together",
        arguments: [0, 1.5, -40])
    func skew(seconds: Double) throws {
        let log = try twoFiles(skew: seconds, people: 30, alternates: true)
        let found = try #require(log.reading.skews.first?.nanoseconds)
        #expect(abs(Double(found) / 1e9 - seconds) < 0.001)
        let times = Set(log.requests.map { $0.began / 1_000_000 })
        #expect(times.count < log.requests.count, "calls of a screen are together again")
    }

    @Test("Where each person is in one file only, their clocks are not known to agree")
    func skewUnknown() throws {
        let log = try twoFiles(skew: 2, people: 30, alternates: false)
        #expect(log.reading.skews.count == 1 && log.reading.skews[0].nanoseconds == nil)
    }

    @Test("A browser's recording has what it gave up, other hosts, and scripts with a token's name")
    func recording() throws {
        let entries = [
            ("a.example/feed", 200), ("b.example/track", -2), ("a.example/x/tokenRefresh.js", 200),
        ].map { address, status in
            "{\"startedDateTime\":\"2023-10-10T11:55:36.000Z\",\"time\":9,"
                + "\"request\":{\"method\":\"GET\",\"url\":\"https://\(address)\"},"
                + "\"response\":{\"status\":\(status)}}"
        }
        let log = try reading("{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}")
        #expect(log.reading.requests == 3 && log.reading.broken == 0 && log.reading.hosts == 2)
        #expect(TrafficFit(log).tokens.refresh == nil)
    }

    @Test("Requests given up after one time tell the time-out, and are no work")
    func timeOuts() throws {
        let lines = (0..<300).map { number in
            let isLost = number % 20 == 0
            return "{\"time\":\(1_700_000_000 + number),\"method\":\"GET\",\"path\":\"/feed\","
                + "\"status\":\(isLost ? 499 : 200),\"user\":\"u\(number % 9)\","
                + "\"duration_ms\":\(isLost ? 10_003 + number % 7 : 20 + number % 7)}"
        }
        let fit = TrafficFit(try reading(lines.joined(separator: "\n")))
        let timeOut = try #require(fit.timeOuts.first)
        #expect(timeOut.status == 499 && timeOut.span.value == 10e9 && timeOut.span.count == 15)
        #expect(fit.commonLaw?.mean.value ?? 0 < 30e6)
        #expect(FittedProfile(fit, file: "x").text.contains("\"timeout\": \"10s\""))
    }
}
