import SquallFormat

/// A JSON object on each line, with fields found by name at any depth.
///
/// It is scanned in place: making values costs ten times as much.
struct JSONLineFormat {
    /// The fields by name; names are compared without case, `_`, `-`, `.`, `:` and `$`.
    private var fields: [UInt64: LogField]
    /// The unit of a bare `duration`, as the power of ten that makes nanoseconds of it.
    var durationPower = 6

    /// The names that servers are known to use, after the user's own.
    init(_ own: [(name: String, field: LogField)] = []) {
        fields = [:]
        for (name, field) in Self.known + own { fields[Self.key(name.utf8)] = field }
    }

    private static let known: [(name: String, field: LogField)] = {
        var list: [(name: String, field: LogField)] = []
        func add(_ field: LogField, _ names: String...) {
            list += names.map { (name: $0, field: field) }
        }
        add(.time, "time", "timestamp", "@timestamp", "ts", "msec", "time_local", "time_iso8601")
        add(.time, "end_time", "datetime", "timestamp_ms", "eventtime")
        add(.beginning, "start_time", "start_utc", "starttime", "startlocal", "request_start")
        add(.method, "method", "request_method", "http_method", "verb", "httprequestmethod")
        add(.method, "cs-method", "requestmethod")
        add(.target, "path", "uri", "request_uri", "url", "request_path", "target", "urlpath")
        add(.target, "requesturl", "cs-uri-stem", "request_url", "http_path", "httptarget")
        add(.target, "requestpath", "x_envoy_original_path")
        add(.template, "route", "httproute", "path_template", "endpoint")
        add(.request, "request", "request_line")
        add(.query, "query", "query_string", "args", "cs-uri-query")
        add(.status, "status", "response_code", "status_code", "sc-status", "code")
        add(.status, "downstreamstatus", "http_status", "response_status", "elb_status_code")
        add(.status, "httpresponsestatuscode", "httpstatuscode")
        add(.bytes, "bytes", "bytes_sent", "body_bytes_sent", "size", "response_size", "sc-bytes")
        add(.bytes, "downstreamcontentsize", "content_length", "bytes_out")
        add(.requestBytes, "bytes_received", "request_length", "cs-bytes", "bytes_in")
        add(.user, "user", "user_id", "remote_user", "uid", "enduserid", "userid", "subject")
        add(.token, "authorization", "session", "session_id", "token", "sessionid")
        add(.address, "remote_addr", "remote_ip", "client_ip", "ip", "c-ip", "clienthost")
        add(.address, "x_forwarded_for", "client", "clientaddress", "remote", "remoteaddress")
        add(.secondsOrMilliseconds, "time-taken", "latency")
        add(.duration(power: 9), "request_time", "duration_s", "duration_seconds", "elapsed_s")
        add(.duration(power: 9), "latency_s", "response_time_s", "target_processing_time")
        add(.duration(power: 6), "duration_ms", "latency_ms", "elapsed_ms", "response_time_ms")
        add(.duration(power: 6), "took_ms", "durationms", "request_time_ms", "response_time")
        add(.duration(power: 3), "duration_us", "latency_us", "elapsed_us", "duration_micros")
        add(.duration(power: 0), "duration_ns", "latency_ns", "elapsed_ns", "duration_nanos")
        add(.durationPart, "duration", "elapsed", "took")
        return list
    }()

    private static func key(_ name: some Sequence<UInt8>) -> UInt64 {
        let letters = name.lazy.filter { byte in
            switch byte {
            case 0x5f, 0x2d, 0x2e, 0x3a, 0x24: false
            default: true
            }
        }
        return StableHash(of: letters.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }).value
    }

    /// Reads a line; false if it is no object.
    func read(_ line: Bytes, _ raw: inout RawRequest) -> Bool {
        var scanner = Scanner(line: line)
        var (isTemplate, hasDuration) = (false, false)
        let isWhole = scanner.members { name, value, isText in
            guard let field = fields[Self.key(name)] else { return }
            switch field {
            case .durationPart:
                guard !hasDuration else { return }
                raw.duration = duration(value, isText: isText)
            case .duration, .secondsOrMilliseconds:
                hasDuration = true
                if isText, let span = Self.withUnit(value) {
                    raw.duration = span
                } else {
                    _ = field.read(value, into: &raw)
                }
            case .template:
                isTemplate = true
                _ = field.read(value, into: &raw)
            case .target, .request, .path:
                guard !isTemplate, isText, raw.target.isEmpty else { return }
                _ = field.read(value, into: &raw)
            default: _ = field.read(value, into: &raw)
            }
        }
        return isWhole && !raw.target.isEmpty && raw.time >= 0
    }

    private func duration(_ value: Bytes, isText: Bool) -> Int64 {
        if isText { return Self.withUnit(value) ?? -1 }
        return value.decimal(timesTenTo: durationPower) ?? -1
    }

    /// `12ms`, `1.5s`, `300µs`, as Go and others write durations.
    static func withUnit(_ text: Bytes) -> Int64? {
        var end = text.count
        while end > 0, !(0x30...0x39).contains(text[end - 1]) { end -= 1 }
        let (number, unit) = (text[part: 0..<end], text[part: end..<text.count])
        if unit.equals("ms") { return number.decimal(timesTenTo: 6) }
        if unit.equals("s") { return number.decimal(timesTenTo: 9) }
        if unit.equals("us") || unit.equals("µs") { return number.decimal(timesTenTo: 3) }
        return unit.equals("ns") ? number.decimal(timesTenTo: 0) : nil
    }
}

/// Scans an object without making values.
private struct Scanner {
    let line: Bytes
    private static let depthMax = 64
    private var place = 0
    private var depth = 0

    init(line: Bytes) { self.line = line }

    /// Reports each member that is a text or a number, also in nested objects.
    ///
    /// - Returns: whether the line is one complete object.
    mutating func members(_ tell: (_ name: Bytes, _ value: Bytes, _ isText: Bool) -> Void) -> Bool {
        skipSpace()
        guard object(tell) else { return false }
        skipSpace()
        return place == line.count
    }

    private mutating func object(_ tell: (Bytes, Bytes, Bool) -> Void) -> Bool {
        guard take(0x7b), depth < Self.depthMax else { return false }
        depth += 1
        defer { depth -= 1 }
        skipSpace()
        if take(0x7d) { return true }
        while true {
            skipSpace()
            guard let name = string() else { return false }
            skipSpace()
            guard take(0x3a), value(name, tell) else { return false }
            skipSpace()
            if take(0x7d) { return true }
            guard take(0x2c) else { return false }
        }
    }

    private mutating func value(_ name: Bytes?, _ tell: (Bytes, Bytes, Bool) -> Void) -> Bool {
        skipSpace()
        guard place < line.count else { return false }
        switch line[place] {
        case 0x7b: return object(tell)
        case 0x5b: return list(name, tell)
        case 0x22:
            guard let text = string() else { return false }
            if let name { tell(name, text, true) }
        default:
            let start = place
            while place < line.count, !Self.endsWord(line[place]) { place += 1 }
            guard place > start else { return false }
            if let name { tell(name, line[part: start..<place], false) }
        }
        return true
    }

    private mutating func list(_ name: Bytes?, _ tell: (Bytes, Bytes, Bool) -> Void) -> Bool {
        guard take(0x5b), depth < Self.depthMax else { return false }
        depth += 1
        defer { depth -= 1 }
        skipSpace()
        if take(0x5d) { return true }
        while true {
            // A list of one element, such as a header's values, counts as that element.
            guard value(name, tell) else { return false }
            skipSpace()
            if take(0x5d) { return true }
            guard take(0x2c) else { return false }
        }
    }

    /// The text between quotes, with its escapes.
    private mutating func string() -> Bytes? {
        guard take(0x22) else { return nil }
        let start = place
        while place < line.count {
            switch line[place] {
            case 0x22:
                place += 1
                return line[part: start..<place - 1]
            case 0x5c: place += 2
            default: place += 1
            }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard place < line.count, line[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while place < line.count, line[place] == 0x20 || line[place] == 0x09 || line[place] == 0x0d
        {
            place += 1
        }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2c, 0x7d, 0x5d, 0x20, 0x09: true
        default: false
        }
    }
}
