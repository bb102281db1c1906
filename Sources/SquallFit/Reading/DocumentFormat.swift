import SquallFormat

/// Logs that are JSON documents: HAR, Jaeger's traces, and OpenTelemetry's spans, whole or as one
/// batch per line.
enum DocumentFormat {
    /// Reads a document.
    ///
    /// - Throws: where it is no JSON, or neither of the two.
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
        let node = try parse(bytes)
        if node["resourceSpans"] != nil {
            spans(of: node, &collector)
        } else if node["data"] != nil || node["spans"] != nil {
            traces(of: node, &collector)
        } else if case .array(let entries)? = node["log"]?["entries"]?.value {
            for entry in entries { take(entry, &collector) { har($0, &$1) } }
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

    /// The texts of an entry.
    private struct Found {
        var (time, duration, status, bytes, sent) = (Int64(-1), Int64(-1), Int64(0), Int64(-1), -1)
        var (method, target, person) = ("", "", "")
        var evidence = PersonEvidence.user
        var isTemplate = false
    }

    private static func take(
        _ node: JSONNode, _ collector: inout TrafficCollector,
        _ read: (JSONNode, inout Found) -> Bool
    ) {
        var found = Found()
        guard read(node, &found) else { return }
        collector.noteLine()
        var (method, target) = (Array(found.method.utf8), Array(found.target.utf8))
        var person = Array(found.person.utf8)
        let isTaken = method.withUnsafeMutableBufferPointer { method in
            target.withUnsafeMutableBufferPointer { target in
                person.withUnsafeMutableBufferPointer { person in
                    var raw = RawRequest()
                    raw.beginning = (found.time, false)
                    (raw.duration, raw.status) = (found.duration, found.status)
                    (raw.bytes, raw.requestBytes) = (found.bytes, Int64(found.sent))
                    (raw.method, raw.target) = (Bytes(method), Bytes(target))
                    raw.isTemplate = found.isTemplate
                    raw.tell(Bytes(person), found.evidence)
                    return collector.take(raw)
                }
            }
        }
        if !isTaken { target.withUnsafeBufferPointer { collector.noteBroken($0) } }
    }

    private static func har(_ entry: JSONNode, _ found: inout Found) -> Bool {
        found.time = entry["startedDateTime"]?.text.flatMap(time) ?? -1
        // The server's share of the whole time is the wait for its first byte.
        let wait = number(entry["timings"]?["wait"]) ?? number(entry["time"])
        found.duration = wait.map { $0 >= 0 && $0 < 86_400_000 ? Int64($0 * 1e6) : -1 } ?? -1
        found.method = entry["request"]?["method"]?.text ?? ""
        found.target = entry["request"]?["url"]?.text ?? ""
        // A request that a browser gave up has a negative status.
        found.status = max(0, whole(entry["response"]?["status"]) ?? 0)
        found.bytes = whole(entry["response"]?["content"]?["size"]) ?? -1
        found.sent = Int(whole(entry["request"]?["bodySize"]) ?? -1)
        // A HAR file is from one browser.
        found.person = "one"
        return true
    }

    private static func spans(of node: JSONNode, _ collector: inout TrafficCollector) {
        for resource in node["resourceSpans"]?.elements ?? [] {
            let scopes = resource["scopeSpans"] ?? resource["instrumentationLibrarySpans"]
            for scope in scopes?.elements ?? [] {
                for span in scope["spans"]?.elements ?? [] {
                    take(span, &collector) { OpenTelemetry.read($0, &$1) }
                }
            }
        }
    }

    /// Jaeger's traces: spans with tags, and times in microseconds.
    private static func traces(of node: JSONNode, _ collector: inout TrafficCollector) {
        let traces = node["data"]?.elements ?? [node]
        for span in traces.flatMap({ $0["spans"]?.elements ?? [] }) {
            var values: [String: String] = [:]
            for tag in span["tags"]?.elements ?? [] {
                if let key = tag["key"]?.text { values[key] = tag["value"]?.text }
            }
            guard values["span.kind"] == "server" else { continue }
            take(span, &collector) { span, found in
                let time = whole(span["startTime"]) ?? -1
                found.time = time.multipliedReportingOverflow(by: 1_000).partialValue
                if let span = whole(span["duration"]), span < 86_400_000_000 {
                    found.duration = max(0, span) * 1_000
                }
                return SpanAttributes(values: values).read(&found)
            }
        }
    }

    /// The attributes of a span, by their names in OpenTelemetry.
    private struct SpanAttributes {
        let values: [String: String]

        private func value(_ names: String...) -> String? {
            names.lazy.compactMap { values[$0] }.first
        }

        /// Reads what they tell of a request; false for spans of something else.
        func read(_ found: inout Found) -> Bool {
            found.method = value("http.request.method", "http.method") ?? ""
            let route = value("http.route")
            found.isTemplate = route != nil
            found.target = route ?? value("url.path", "http.target", "http.url", "url.full") ?? ""
            found.status =
                value("http.response.status_code", "http.status_code").flatMap { Int64($0) } ?? 0
            found.bytes =
                value("http.response.body.size", "http.response_content_length")
                .flatMap { Int64($0) } ?? -1
            if let user = value("enduser.id", "user.id", "session.id") {
                found.person = user
            } else {
                found.person = value("client.address", "http.client_ip") ?? ""
                found.evidence = .address
            }
            return !found.method.isEmpty
        }
    }

    private enum OpenTelemetry {
        /// Reads a span; false if it is not the server's side of a request.
        static func read(_ span: JSONNode, _ found: inout Found) -> Bool {
            let kind = span["kind"]?.text ?? ""
            guard kind == "SPAN_KIND_SERVER" || whole(span["kind"]) == 2 else { return false }
            var values: [String: String] = [:]
            for attribute in span["attributes"]?.elements ?? [] {
                if let key = attribute["key"]?.text, let value = attribute["value"] {
                    values[key] = (value["stringValue"] ?? value["intValue"])?.text
                }
            }
            let (start, end) = (whole(span["startTimeUnixNano"]), whole(span["endTimeUnixNano"]))
            found.time = start ?? -1
            if let start, let end {
                found.duration = max(0, end.subtractingReportingOverflow(start).0)
            }
            return SpanAttributes(values: values).read(&found)
        }
    }

    private static func whole(_ node: JSONNode?) -> Int64? {
        node?.text.flatMap { Int64($0) ?? Double($0).flatMap { Int64(exactly: $0.rounded()) } }
    }

    private static func number(_ node: JSONNode?) -> Double? { node?.text.flatMap(Double.init) }

    private static func time(_ text: String) -> Int64? {
        var bytes = Array(text.utf8)
        return bytes.withUnsafeMutableBufferPointer { LogTime.nanoseconds(Bytes($0)) }
    }
}
