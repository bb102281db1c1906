/// The format of the lines of a log.
enum LogFormat {
    case pattern(PatternFormat)
    case json(JSONLineFormat)
    /// One JSON document: HAR, or OpenTelemetry's spans.
    case document
    /// A Prometheus exposition: histograms of service times.
    case prometheus

    /// The format that `--format` names or describes.
    ///
    /// - Throws: what is wrong with it.
    init(named text: String) throws {
        switch text {
        case "combined": self = .pattern(try PatternFormat(Self.combined))
        case "common":
            self = .pattern(try PatternFormat(Self.common))
        case "alb":
            var format = try PatternFormat(Self.loadBalancer)
            format.ignoresRest = true
            self = .pattern(format)
        case "json": self = .json(JSONLineFormat())
        case "har", "otlp": self = .document
        case "prometheus": self = .prometheus
        default:
            if text.hasPrefix("json ") {
                self = .json(JSONLineFormat(try Self.names(text)))
            } else {
                guard text.contains("$") || text.contains("%") else {
                    throw LogProblem(
                        "the format must be one of \(Self.words.joined(separator: ", ")),"
                            + " or as in nginx' log_format or Apache's LogFormat, got '\(text)'")
                }
                self = .pattern(try PatternFormat(text))
            }
        }
    }

    /// The names of formats.
    static let words = ["combined", "common", "alb", "json", "har", "otlp", "prometheus"]

    static let common =
        "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent"
    static let combined = common + " \"$http_referer\" \"$http_user_agent\""
    private static let loadBalancer =
        "$type $time_iso8601 $elb $client $upstream_addr"
        + " ${alb_duration} ${alb_duration} ${alb_duration}"
        + " $status $target_status $request_length $bytes_sent \"$request\" \"$http_user_agent\""

    /// `json time=ts duration=took:ms user=uid`.
    private static func names(_ text: String) throws -> [(name: String, field: LogField)] {
        try text.split(separator: " ").dropFirst().map { word in
            let halves = word.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, let field = field(String(halves[0]), String(halves[1])) else {
                throw LogProblem(
                    "'\(word)' in the format must be one of time, begin, method, path, route,"
                        + " query, status, bytes, user, address or duration with the name that the"
                        + " log has, as duration=took:ms")
            }
            return (String(halves[1].split(separator: ":")[0]), field)
        }
    }

    private static func field(_ meaning: String, _ name: String) -> LogField? {
        guard meaning != "duration" else {
            let powers: [Substring?: Int] = ["ns": 0, "us": 3, "ms": 6, "s": 9, nil: 6]
            return powers[name.split(separator: ":").dropFirst().first].map { .duration(power: $0) }
        }
        let fields: [String: LogField] = [
            "time": .time, "begin": .beginning, "method": .method, "path": .target,
            "route": .template, "query": .query, "status": .status, "bytes": .bytes,
            "user": .user, "address": .address,
        ]
        return fields[meaning]
    }

    /// The format's name, for the answer.
    var name: String {
        switch self {
        case .pattern(let format): format.text
        case .json: "JSON lines"
        case .document: "one JSON document"
        case .prometheus: "Prometheus histograms"
        }
    }

    /// Reads a line; false if it has another form.
    func read(_ line: Bytes, _ raw: inout RawRequest) -> Bool {
        switch self {
        case .pattern(let format): format.read(line, &raw)
        case .json(let format): format.read(line, &raw)
        case .document, .prometheus: false
        }
    }
}

/// Detects the format of a log from its first lines.
enum LogDetector {
    /// The number of lines examined.
    static let sample = 200

    /// The format of some lines.
    ///
    /// - Throws: that no format fits, and a hint.
    static func format(of lines: [[UInt8]]) throws -> LogFormat {
        let lines = lines.filter { !$0.isEmpty }
        guard let first = lines.first else { throw LogProblem("it has no lines") }
        if let fields = lines.first(where: { $0.starts(with: "#Fields:".utf8) }) {
            return .pattern(try worldWideWeb(fields))
        }
        if first.starts(with: "# HELP".utf8) || first.starts(with: "# TYPE".utf8) {
            return .prometheus
        }
        if let byte = first.first(where: { $0 != 0x20 && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }),
            byte == 0x7b
        {
            return json(lines)
        }
        var candidates: [LogFormat] = []
        if let found = tail(lines) { candidates.append(found) }
        candidates += [try LogFormat(named: "alb")]
        candidates += ["%h %l %u %t \"%r\" %>s %b %D", "%v:%p %h %l %u %t \"%r\" %>s %O"]
            .compactMap { (try? PatternFormat($0)).map(LogFormat.pattern) }
        let best = candidates.map { ($0, share(of: lines, in: $0)) }.max { $0.1 < $1.1 }
        guard let best, best.1 >= 0.5 else {
            throw LogProblem(
                "its format is not known; give it as it is configured, with --format and nginx'"
                    + " log_format or Apache's LogFormat, or one of"
                    + " \(LogFormat.words.joined(separator: ", ")). The first line begins"
                    + " '\(quote(first))'")
        }
        return best.0
    }

    /// A line as messages quote it, with digits and words hidden that may be personal.
    static func quote(_ line: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in line.prefix(60) {
            switch byte {
            case 0x30...0x39: text += "0"
            case 0x41...0x5a, 0x61...0x7a: text += "a"
            case 0x20...0x7e: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "?"
            }
        }
        return text
    }

    private static func share(of lines: [[UInt8]], in format: LogFormat) -> Double {
        let fitting = lines.count { line in
            line.withUnsafeBufferPointer { bytes in
                var raw = RawRequest()
                return format.read(bytes, &raw) && raw.time >= 0 && !raw.target.isEmpty
            }
        }
        return Double(fitting) / Double(lines.count)
    }

    private static func json(_ lines: [[UInt8]]) -> LogFormat {
        let head = lines.prefix(40).flatMap { $0.prefix(4_096) }
        let text = String(decoding: head, as: UTF8.self)
        if text.contains("\"resourceSpans\"") { return .document }
        if text.contains("\"log\""), text.contains("\"entries\"") || text.contains("\"creator\"") {
            return .document
        }
        var format = JSONLineFormat()
        // Envoy's duration is in milliseconds, Caddy's in seconds: a decimal point means seconds.
        let isSeconds = text.matches(of: /"(duration|elapsed|took)" ?: ?\d+\.\d/).count > 0
        if isSeconds { format.durationPower = 9 }
        return .json(format)
    }

    /// The combined format with further fields, which are found from the lines.
    private static func tail(_ lines: [[UInt8]]) -> LogFormat? {
        for base in [LogFormat.combined, LogFormat.common] {
            guard var format = try? PatternFormat(base + " $rest") else { continue }
            format.ignoresRest = false
            var rests: [[Substring]] = []
            for line in lines.prefix(sample) {
                guard let text = String(validating: line, as: UTF8.self) else { continue }
                let quotes = base == LogFormat.combined ? 6 : 2
                guard let rest = afterQuotes(text, quotes) else { continue }
                rests.append(words(rest))
            }
            guard rests.count * 2 > lines.count, let width = rests.map(\.count).max() else {
                continue
            }
            let own = rests.filter { $0.count == width }
            guard own.count * 2 > rests.count else { continue }
            let fixed = base == LogFormat.common ? 2 : 0
            let text = base + fields(own.map { Array($0.dropFirst(fixed)) })
            if let format = try? PatternFormat(text) { return .pattern(format) }
        }
        return nil
    }

    private static func afterQuotes(_ text: String, _ count: Int) -> Substring? {
        var left = count
        for index in text.indices where text[index] == "\"" {
            left -= 1
            if left == 0 { return text[text.index(after: index)...] }
        }
        return nil
    }

    private static func words(_ text: Substring) -> [Substring] {
        var (words, start, isQuoted) = ([Substring](), text.startIndex, false)
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            guard text[index] == " ", !isQuoted else { continue }
            if start < index { words.append(text[start..<index]) }
            start = text.index(after: index)
        }
        if start < text.endIndex { words.append(text[start...]) }
        return words
    }

    /// The further columns' meanings, by nginx' names.
    private static func fields(_ rows: [[Substring]]) -> String {
        var (text, hasTime) = ("", false)
        for column in (rows.first ?? []).indices {
            let cells = rows.map { $0[column] }
            let name = cells.first?.split(separator: "=", maxSplits: 1)
            if let name, name.count == 2, cells.allSatisfy({ $0.hasPrefix(name[0] + "=") }) {
                let isTime = !hasTime && ["rt", "request_time", "time"].contains(name[0])
                text += " \(name[0])=$" + (isTime ? "request_time" : "other")
                hasTime = hasTime || isTime
            } else if cells.allSatisfy({ $0.hasPrefix("\"") && $0.hasSuffix("\"") }) {
                text += " \"$other\""
            } else if cells.allSatisfy({ $0.contains(".") && Double($0) ?? -1 > 1e9 }) {
                text += " $msec"
            } else if !hasTime, cells.allSatisfy({ $0.contains(".") && Double($0) != nil }) {
                text += " $request_time"
                hasTime = true
            } else {
                text += " $other"
            }
        }
        return text
    }

    /// The fields of a W3C extended log, such as CloudFront's or IIS'.
    private static func worldWideWeb(_ line: [UInt8]) throws -> PatternFormat {
        let text = String(decoding: line.dropFirst(8), as: UTF8.self)
        let names = text.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
        let fields = names.map { name in
            let clocks: [String: LogField] = ["date": .date, "time": .clock]
            return clocks[name.lowercased()] ?? LogField(named: name)
        }
        guard fields.contains(.target), fields.contains(.clock) else {
            throw LogProblem("its #Fields: have no cs-uri-stem or no time")
        }
        // CloudFront separates values by tabs, whatever separates the names.
        let isCloudFront = names.contains { $0.hasPrefix("x-edge") }
        return PatternFormat(
            fields: fields, separator: isCloudFront ? 0x09 : 0x20, text: "#Fields:" + text)
    }
}
