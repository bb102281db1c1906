import SquallFormat

/// The names of fields that servers are known to write.
extension LogField {
    /// The field that a server's name stands for.
    init(named name: String) { self = Self.known[Self.key(name.utf8)] ?? .skipped }

    /// The names of a duration in a log, and the unit by the name's end.
    private static let stems = [
        "duration", "latency", "elapsed", "elapsedtime", "took", "responsetime", "requesttime",
        "timetaken", "processingtime", "responselatency", "runtime", "requestduration",
        "timeelapsed", "totaltime", "executiontime", "turnaroundtime", "service", "processtime",
        "reqtime", "dur", "rt",
    ]
    private static let units = [
        "ns": 0, "nanos": 0, "nanoseconds": 0, "us": 3, "usec": 3, "micros": 3, "microsec": 3,
        "microseconds": 3, "ms": 6,
        "msec": 6, "millis": 6, "milliseconds": 6, "s": 9, "sec": 9, "secs": 9, "seconds": 9,
    ]

    static let known: [UInt64: LogField] = {
        var fields: [UInt64: LogField] = [:]
        func add(_ field: LogField, _ names: String...) {
            for name in names { fields[key(name.utf8)] = field }
        }
        add(.time, "time", "timestamp", "ts", "msec", "time_local", "time_iso8601")
        add(.time, "t", "end_time", "datetime", "timestamp_ms", "eventtime", "asctime")
        // journald's name.
        add(.time, "__realtime_timestamp")
        add(.beginning, "start_time", "start_utc", "starttime", "startlocal", "request_start")
        add(.beginning, "started_at")
        add(.beginning, "requesttimeepoch", "accept_date")
        add(.method, "method", "request_method", "http_method", "verb", "httprequestmethod")
        add(.method, "cs-method", "requestmethod")
        add(.target, "path", "uri", "request_uri", "url", "request_path", "target", "urlpath")
        add(.target, "requesturl", "cs-uri-stem", "request_url", "http_path", "httptarget")
        add(.target, "requestpath", "x_envoy_original_path", "x-envoy-origin-path")
        add(.template, "route", "httproute", "path_template", "endpoint", "resourcepath")
        add(.request, "request", "request_line", "req")
        add(.query, "query", "query_string", "args", "cs-uri-query")
        add(.agent, "user_agent", "http_user_agent", "cs(user-agent)", "useragent")
        add(.agent, "request_user_agent", "httpuseragent")
        add(.status, "status", "response_code", "status_code", "sc-status", "code")
        add(.status, "downstreamstatus", "http_status", "response_status", "elb_status_code")
        add(.status, "httpresponsestatuscode", "httpstatuscode")
        add(.bytes, "bytes", "bytes_sent", "body_bytes_sent", "size", "response_size", "sc-bytes")
        add(.bytes, "downstreamcontentsize", "content_length", "bytes_out", "responselength")
        add(.requestBytes, "bytes_received", "request_length", "cs-bytes", "bytes_in", "sentbytes")
        // Serilog's, Akamai's, Kong's and Heroku's names.
        add(.method, "reqmethod")
        add(.target, "reqpath")
        add(.query, "querystr")
        add(.person(.address), "cliip")
        add(.person(.forwarded), "fwd")
        add(.bareDuration(custom: 6), "proxy")
        // Datadog's names.
        add(.target, "http_url_details_path", "http_url")
        add(.person(.user), "usr_id")
        add(.person(.address), "network_client_ip")
        // Cloudflare's names.
        add(.beginning, "edgestarttimestamp")
        add(.time, "edgeendtimestamp")
        add(.method, "clientrequestmethod")
        add(.target, "clientrequesturi", "clientrequestpath")
        add(.status, "edgeresponsestatus")
        add(.bytes, "edgeresponsebytes")
        add(.agent, "clientrequestuseragent")
        add(.person(.address), "clientip")
        add(.duration(power: 6), "originresponsedurationms", "edgetimetofirstbytems")
        add(.person(.user), "user", "user_id", "remote_user", "uid", "enduserid", "userid")
        add(.person(.user), "cs-username", "clientusername", "subject")
        add(.person(.token), "authorization", "http_authorization", "session", "session_id")
        add(.person(.token), "token")
        add(
            .person(.forwarded), "forwardedfor", "x_forwarded_for", "http_x_forwarded_for", "xff",
            "x-real-ip")
        add(.person(.forwarded), "http_x_real_ip", "cf-connecting-ip", "true-client-ip")
        add(.person(.address), "remote_addr", "remote_ip", "client_ip", "ip", "c-ip", "clienthost")
        add(.person(.address), "realip_remote_addr", "downstream_remote_address", "sourceip")
        add(.person(.address), "client", "clientaddress", "remote", "remoteaddress", "client_addr")
        add(.person(.address), "src_ip", "source_ip", "src", "id.orig_h")
        add(.duration(power: 3), "timeus", "timemicros")
        // The last two are HAProxy's names.
        add(.duration(power: 6), "timems", "millis", "ms", "ta", "tt")
        for stem in stems {
            add(.bareDuration(custom: nil), stem)
            for (end, power) in units { add(.duration(power: power), stem + end) }
        }
        for (end, power) in units where end.count > 1 {
            add(.duration(power: power), "total" + end)
        }
        // Akamai's, though it is named as a duration of requests would be.
        add(.beginning, "reqtimesec")
        // nginx writes seconds; pino, Express and Amazon's API Gateway write milliseconds.
        add(.bareDuration(custom: 9), "request_time", "target_processing_time")
        add(.bareDuration(custom: 6), "response_time", "response_latency")
        add(.durationPart(power: 9), "alb_duration")
        add(.durationPart(power: 6), "haproxy_duration")
        add(.wait(power: 6), "haproxy_wait")
        add(.duration(power: 6), "squid_duration")
        return fields
    }()

    /// The duration with which an unknown name ends, as `request_timetaken`, or its unit, as
    /// `response_ms`; `nil` for none.
    static func duration(ending name: String) -> LogField? {
        if name == "total" { return .bareDuration(custom: nil) }
        let unit = units.first { word, _ in
            word.count > 1
                && (name.hasSuffix("_" + word)
                    || name.hasSuffix(word.prefix(1).uppercased() + word.dropFirst()))
        }
        if let unit { return .duration(power: unit.value) }
        let bytes = Array(name.utf8)
        return bytes.indices.dropFirst().lazy.compactMap { place -> LogField? in
            switch bytes.count - place > 5 ? known[key(bytes[place...])] : nil {
            case .duration(let power): .duration(power: power)
            case .bareDuration: .bareDuration(custom: nil)
            default: nil
            }
        }.first
    }

    /// True for a duration of which only the log can tell the unit.
    var isBare: Bool { if case .bareDuration = self { true } else { false } }

    /// A hash of a name without case and without `_`, `-`, `.`, `:`, `$`, `@` and parentheses.
    static func key(_ name: some Sequence<UInt8>) -> UInt64 {
        let letters = name.lazy.filter { byte in
            switch byte {
            case 0x5f, 0x2d, 0x2e, 0x3a, 0x24, 0x28, 0x29, 0x40: false
            default: true
            }
        }
        return StableHash(of: letters.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }).value
    }
}
