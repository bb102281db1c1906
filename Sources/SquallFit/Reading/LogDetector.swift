/// Detects the format of a log from its first lines.
enum LogDetector {
    /// The number of lines examined.
    static let sample = 200

    /// The format that most of some lines have.
    ///
    /// - Throws: that no format fits, and a hint.
    static func format(of lines: [[UInt8]], hasTime: Bool = false) throws -> LogFormat {
        let lines = lines.filter { !$0.isEmpty }
        guard let first = lines.first else { throw LogProblem("it has no lines") }
        if let fields = lines.first(where: { $0.starts(with: "#Fields:".utf8) }) {
            let names = String(decoding: fields.dropFirst(8), as: UTF8.self)
            return .pattern(try worldWideWeb(names).settled(by: lines))
        }
        if let fields = lines.first(where: { $0.starts(with: "#fields\t".utf8) }) {
            return try zeek(fields).settled(by: lines.filter { $0[0] != 0x23 }, hasTime: hasTime)
        }
        if isSpans(lines) { return .document }
        if first.starts(with: "# HELP".utf8) || first.starts(with: "# TYPE".utf8) {
            return .prometheus
        }
        if let refusal = KnownFormat.refusal(of: lines, head: head(Array(lines.prefix(12)))) {
            throw LogProblem(refusal)
        }
        let objects = lines.count { $0.first { $0 != 0x20 } == 0x7b }
        if objects * 2 > lines.count || first.first == 0x7b && isDocument(lines) {
            return try json(lines).settled(by: lines, hasTime: hasTime)
        }
        if let table = try table(lines) { return try table.settled(by: lines, hasTime: hasTime) }
        guard !NamedFormat.areLabelled(lines) else {
            return try LogFormat.named(NamedFormat(.labels)).settled(by: lines, hasTime: hasTime)
        }
        return try text(lines, hasTime: hasTime)
    }

    /// The format of lines of text.
    private static func text(_ lines: [[UInt8]], hasTime: Bool) throws -> LogFormat {
        let areWords = lines.count { $0.split(separator: 0x20).count { $0.contains(0x3d) } >= 3 }
        // A line of words may have columns, too: Heroku's router has one time after another.
        let words = Result {
            try LogFormat.named(NamedFormat(.words)).settled(by: lines, hasTime: hasTime)
        }
        let areMost = areWords * 2 > lines.count
        if areMost, let words = try? words.get(),
            count(lines, words, { $0.status > 0 && $0.method.count > 0 }) * 10 > areWords * 9
        {
            return words
        }
        // Half of a mixed log may be in the form that most servers have.
        let known = try KnownFormat.candidates()
        let found = ColumnDetector.format(of: lines, hasTime: hasTime)
        var candidates = known.own + (found.map { [$0] } ?? []) + known.common
        if isCloudFront(lines) { candidates.append(try worldWideWeb(cloudFront)) }
        let counts = candidates.map(LogFormat.pattern).map { format in
            (format, count(lines, format) { (hasTime || $0.time >= 0) && !$0.target.isEmpty })
        }
        if let best = counts.max(by: { $0.1 < $1.1 }), best.1 * 2 >= lines.count {
            return try best.0.settled(by: lines, hasTime: hasTime)
        }
        if areMost { return try words.get() }
        let isTimeless = ColumnDetector.format(of: lines, hasTime: true) != nil
        throw LogProblem(
            (isTimeless
                ? "its lines have a request but no time in a form that is known; add one to the"
                    + " log's format (uvicorn: %(asctime)s), or give the container's log, which has"
                    + " it"
                : "its format is not known; give it as it is configured, with --format and nginx'"
                    + " log_format or Apache's LogFormat, or one of"
                    + " \(KnownFormat.words.joined(separator: ", "))")
                + ". The form of the first line, with a for letters and 0 for digits:"
                + " '\(HiddenText.quote(lines[0]))'")
    }

    /// The number of lines whose request the format reads as asked.
    private static func count(
        _ lines: [[UInt8]], _ format: LogFormat, _ fits: (RawRequest) -> Bool
    ) -> Int {
        lines.count { line in
            line.withUnsafeBufferPointer { bytes in
                var raw = RawRequest()
                return format.read(bytes, &raw) && fits(raw)
            }
        }
    }

    private static func head(_ lines: [[UInt8]]) -> String {
        String(decoding: lines.prefix(40).flatMap { $0.prefix(4_096) }, as: UTF8.self)
    }

    private static func isDocument(_ lines: [[UInt8]]) -> Bool {
        let text = head(lines)
        return text.contains("\"resourceSpans\"") || text.contains("\"traceID\"")
            || text.contains("\"log\"")
                && (text.contains("\"entries\"") || text.contains("\"creator\""))
    }

    /// True for the lines of OpenTelemetry's console exporter: objects of several lines.
    private static func isSpans(_ lines: [[UInt8]]) -> Bool {
        let text = head(lines)
        return text.contains("\"kind\": \"SpanKind.") && text.contains("\"start_time\"")
    }

    private static func json(_ lines: [[UInt8]]) -> LogFormat {
        if isDocument(lines) { return .document }
        let text = head(lines)
        guard text.contains("\"metric\""), text.contains("\"http_req") else {
            return .named(NamedFormat())
        }
        return .named(
            NamedFormat(
                .json, NamedFields(loadTest("time", "value", "url"), evidence: .convention),
                marks: ["\"http_req_duration\"", "\"Point\""]))
    }

    /// The fields of a metric of k6, in milliseconds.
    private static func loadTest(
        _ time: String, _ value: String, _ url: String
    ) -> [(name: String, field: LogField)] {
        [
            (time, .time), (value, .duration(power: 6)), ("method", .method),
            ("status", .status), (url, .target), ("name", .target), ("vu", .person(.user)),
        ]
    }

    /// Columns below a header that names at least a request and one thing more of it; what has the
    /// time may show by its values.
    private static func table(_ lines: [[UInt8]]) throws -> LogFormat? {
        for separator in [UInt8(0x2c), 0x3b, 0x09] {
            let names = lines[0].split(separator: separator, omittingEmptySubsequences: false)
                .map { Array($0.filter { $0 != 0x22 }) }
            guard names.count >= 3 else { continue }
            let shape = NamedFormat.Shape.table(separator: separator, names: names)
            let fields = Set(names.compactMap { LogField.known[LogField.key($0)] })
            if lines[0].starts(with: "metric_name,".utf8) {
                let own = NamedFields(
                    loadTest("timestamp", "metric_value", "url"), evidence: .convention)
                return .named(NamedFormat(shape, own, marks: ["http_req_duration,"]))
            }
            let isJMeter = lines[0].starts(with: "timeStamp".utf8)
            guard fields.contains(.target) && fields.count > 1 || isJMeter else { continue }
            guard isJMeter else { return .named(NamedFormat(shape)) }
            let own: [(name: String, field: LogField)] = [
                ("timeStamp", .beginning), ("elapsed", .duration(power: 6)), ("URL", .target),
                ("responseCode", .status), ("threadName", .person(.user)),
            ]
            guard names.contains(where: { $0.elementsEqual("URL".utf8) }) else {
                throw LogProblem(
                    "it is JMeter's result without addresses; add the column URL with"
                        + " -Jjmeter.save.saveservice.url=true, or give the server's access log")
            }
            return .named(NamedFormat(shape, NamedFields(own, evidence: .convention), isGET: true))
        }
        return nil
    }
}

/// W3C extended logs, such as CloudFront's or IIS', and Zeek's.
extension LogDetector {
    /// Zeek writes the time when a request came.
    private static func zeek(_ fields: [UInt8]) -> LogFormat {
        // Its uid is a connection's.
        let names = fields.split(separator: 0x09).dropFirst().map {
            $0.elementsEqual("uid".utf8) ? Array("connection".utf8) : Array($0)
        }
        return .named(
            NamedFormat(
                .table(separator: 0x09, names: names), NamedFields([("ts", .beginning)])))
    }

    private static func worldWideWeb(_ text: String) throws -> PatternFormat {
        let names = text.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
        let fields = names.map { name in
            let clocks: [String: LogField] = [
                "date": .date, "time": .clock, "date-local": .date, "time-local": .clock,
            ]
            return clocks[name.lowercased()] ?? LogField(named: name)
        }
        guard fields.contains(.target), fields.contains(.clock) else {
            throw LogProblem("its #Fields: have no cs-uri-stem or no time")
        }
        // CloudFront separates values by tabs, whatever separates the names.
        let isCloudFront = names.contains { $0.hasPrefix("x-edge") }
        return PatternFormat(
            fields: fields, names: names, separator: isCloudFront ? 0x09 : 0x20,
            text: "#Fields: of W3C")
    }

    /// CloudFront's fields, in the order that it always has.
    private static let cloudFront =
        "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status"
        + " cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type"
        + " x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for"
        + " ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status"
        + " fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type"
        + " sc-content-type sc-content-len sc-range-start sc-range-end"

    private static func isCloudFront(_ lines: [[UInt8]]) -> Bool {
        let fitting = lines.count { line in
            let cells = line.split(separator: 0x09, omittingEmptySubsequences: false)
            return cells.count == 33 && cells[0].count == 10 && cells[1].count == 8
        }
        return fitting * 2 > lines.count
    }
}
