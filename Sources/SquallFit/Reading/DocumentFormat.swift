import SquallFormat

/// Logs that are JSON documents: HAR, Jaeger's traces, and OpenTelemetry's spans, whole or as one
/// batch per line.
enum DocumentFormat {
    /// Reads a document.
    ///
    /// - Throws: the place where it is no JSON, or that it is neither of the two.
    static func read(_ bytes: [UInt8], _ collector: inout TrafficCollector) throws {
        let first = bytes.firstIndex(of: 0x0a) ?? bytes.count
        // Collectors write a batch of spans on each line.
        if bytes.dropFirst(first).contains(0x7b), let batch = try? parse(Array(bytes[..<first])),
            batch["resourceSpans"] != nil
        {
            for line in bytes.split(separator: 0x0a) {
                if let node = try? parse(Array(line)) {
                    spans(of: node, &collector)
                } else {
                    collector.noteLine()
                    line.withUnsafeBufferPointer { collector.noteBroken($0) }
                }
            }
            return
        }
        if let objects = consoleSpans(bytes) {
            for object in objects { take(console: try parse(object), &collector) }
            return
        }
        let node = try parse(bytes)
        if node["resourceSpans"] != nil {
            spans(of: node, &collector)
        } else if node["data"] != nil || node["spans"] != nil {
            traces(of: node, &collector)
        } else if case .array(let entries)? = node["log"]?["entries"]?.value {
            guard entries.isEmpty || entries.contains(where: { $0["startedDateTime"] != nil })
            else {
                throw LogProblem(
                    "it is a HAR, but none of its \(Units.counted(entries.count, "entry")) has a"
                        + " startedDateTime, without which no pause and no rate is known; save it"
                        + " from the network panel of a browser")
            }
            for entry in entries { take(har: entry, &collector) }
            let hosts = entries.compactMap { $0["request"]?["url"]?.text }.map {
                $0.split(separator: "/", maxSplits: 2).dropFirst().first ?? ""
            }
            collector.note(hosts: Set(hosts).count)
        } else {
            throw LogProblem(
                "it is JSON, but neither a HAR (log.entries), nor OpenTelemetry's resourceSpans,"
                    + " nor Jaeger's data with spans")
        }
    }

    private static func parse(_ bytes: [UInt8]) throws -> JSONNode {
        do throws(JSONSyntaxError) { return try JSONParser.parse(bytes) } catch {
            throw LogProblem(
                "line \(error.place.line), column \(error.place.column): it is not valid JSON there"
            )
        }
    }

    /// Takes an entry with the fields that it has.
    private static func take(
        _ fields: [(field: LogField, text: String?)], began: Int64?, duration: Int64?,
        _ collector: inout TrafficCollector
    ) {
        collector.noteLine()
        let texts = fields.map { field, text in
            let isWhole = [.status, .bytes, .requestBytes].contains(field)
            let digits = isWhole ? text.flatMap(whole).map { String($0) } : text
            return Array((digits ?? "").utf8)
        }
        Array(texts.joined()).withUnsafeBufferPointer { bytes in
            var raw = RawRequest()
            raw.beginning = (began ?? -1, false)
            raw.duration = duration ?? -1
            var place = 0
            for (field, text) in zip(fields, texts) where field.text != nil {
                _ = field.field.read(bytes[part: place..<place + text.count], into: &raw)
                place += text.count
            }
            if !collector.take(raw) { collector.noteBroken(raw.target) }
        }
    }

    private static func take(har entry: JSONNode, _ collector: inout TrafficCollector) {
        let (request, response) = (entry["request"], entry["response"])
        // The server's share of the whole time is the wait for its first byte.
        let wait = (entry["timings"]?["wait"]?.text ?? entry["time"]?.text).flatMap(Double.init)
        // A request that a browser gave up has a negative status, which no status is read from.
        take(
            [
                (.beginning, entry["startedDateTime"]?.text), (.method, request?["method"]?.text),
                (.target, request?["url"]?.text), (.status, response?["status"]?.text),
                (.bytes, response?["content"]?["size"]?.text),
                (.requestBytes, request?["bodySize"]?.text),
                // A HAR file is from one browser.
                (.person(.user), "one"),
            ], began: nil,
            duration: wait.flatMap { $0 >= 0 && $0 < 86_400_000 ? Int64($0 * 1e6) : nil },
            &collector)
    }

    private static func spans(of node: JSONNode, _ collector: inout TrafficCollector) {
        for resource in node["resourceSpans"]?.elements ?? [] {
            let scopes = resource["scopeSpans"] ?? resource["instrumentationLibrarySpans"]
            for scope in scopes?.elements ?? [] {
                for span in scope["spans"]?.elements ?? [] {
                    let isServer =
                        span["kind"]?.text == "SPAN_KIND_SERVER" || whole(span["kind"]) == 2
                    guard isServer else { continue }
                    let start = whole(span["startTimeUnixNano"])
                    let end = whole(span["endTimeUnixNano"])
                    take(
                        span["attributes"], { $0["stringValue"] ?? $0["intValue"] }, began: start,
                        duration: start.flatMap { start in
                            end.map { max(0, $0.subtractingReportingOverflow(start).0) }
                        }, &collector)
                }
            }
        }
    }

    /// The objects of OpenTelemetry's console exporter, one after the other; nil for other files.
    private static func consoleSpans(_ bytes: [UInt8]) -> [[UInt8]]? {
        let head = String(decoding: bytes.prefix(8_192), as: UTF8.self)
        guard head.contains("\"kind\": \"SpanKind.") else { return nil }
        var (objects, depth, start) = ([[UInt8]](), 0, 0)
        var (isText, isEscaped) = (false, false)
        for (index, byte) in bytes.enumerated() {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5c {
                    isEscaped = true
                } else {
                    isText = byte != 0x22
                }
            } else if depth > 0, byte == 0x22 {
                isText = true
            } else if byte == 0x7b {
                if depth == 0 { start = index }
                depth += 1
            } else if byte == 0x7d, depth > 0 {
                depth -= 1
                if depth == 0 { objects.append(Array(bytes[start...index])) }
            }
        }
        return objects
    }

    private static func take(console span: JSONNode, _ collector: inout TrafficCollector) {
        guard span["kind"]?.text == "SpanKind.SERVER" else { return }
        func time(_ name: String) -> Int64? {
            span[name]?.text.flatMap { text in
                Array(text.utf8).withUnsafeBufferPointer { LogTime.nanoseconds($0) }
            }
        }
        let (start, end) = (time("start_time"), time("end_time"))
        let values = (span["attributes"]?.members ?? []).reduce(into: [String: String]()) {
            $0[$1.name] = $1.value.text
        }
        take(
            values, began: start,
            duration: start.flatMap { start in end.map { max(0, $0 - start) } }, &collector)
    }

    /// Jaeger's traces: spans with tags, and times in microseconds.
    private static func traces(of node: JSONNode, _ collector: inout TrafficCollector) {
        let traces = node["data"]?.elements ?? [node]
        for span in traces.flatMap({ $0["spans"]?.elements ?? [] }) {
            let isServer =
                span["tags"]?.elements.last { $0["key"]?.text == "span.kind" }?["value"]?.text
                == "server"
            guard isServer else { continue }
            take(
                span["tags"], \.self,
                began: whole(span["startTime"])?.multipliedReportingOverflow(by: 1_000).0,
                duration: whole(span["duration"]).flatMap {
                    $0 < 86_400_000_000 ? max(0, $0) * 1_000 : nil
                }, &collector)
        }
    }

    /// The fields of a request in attributes of spans; of several for one field the last one
    /// counts, but the first for a user.
    private static let attributes: [(name: String, field: LogField)] = [
        ("http.method", .method), ("http.request.method", .method), ("url.full", .target),
        ("http.url", .target), ("http.target", .target), ("url.path", .target),
        ("http.route", .template), ("http.status_code", .status),
        ("http.response.status_code", .status), ("http.response_content_length", .bytes),
        ("http.response.body.size", .bytes), ("enduser.id", .person(.user)),
        ("user.id", .person(.user)), ("session.id", .person(.user)),
        ("client.address", .person(.address)), ("http.client_ip", .person(.address)),
        ("net.peer.ip", .person(.address)), ("net.sock.peer.addr", .person(.address)),
    ]

    /// Takes a span by its attributes, unless it is none of a request.
    private static func take(
        _ list: JSONNode?, _ content: (JSONNode) -> JSONNode?, began: Int64?, duration: Int64?,
        _ collector: inout TrafficCollector
    ) {
        var values: [String: String] = [:]
        for attribute in list?.elements ?? [] {
            if let key = attribute["key"]?.text, let value = attribute["value"] {
                values[key] = content(value)?.text
            }
        }
        take(values, began: began, duration: duration, &collector)
    }

    private static func take(
        _ values: [String: String], began: Int64?, duration: Int64?,
        _ collector: inout TrafficCollector
    ) {
        let fields = attributes.map { (field: $0.field, text: values[$0.name]) }
        guard fields.contains(where: { $0.field == .method && $0.text?.isEmpty == false }) else {
            return
        }
        take(fields, began: began, duration: duration, &collector)
    }

    private static func whole(_ node: JSONNode?) -> Int64? { node?.text.flatMap(whole) }

    /// A whole number, also of a text such as `200.0`.
    private static func whole(_ text: String) -> Int64? {
        Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded()) }
    }
}
