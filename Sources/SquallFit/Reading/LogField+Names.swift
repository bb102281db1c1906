import SquallFormat

/// The names of fields that servers are known to write.
extension LogField {
    /// The field that a server's name stands for.
    init(named name: String) { self = Self.known[Self.key(name.utf8)] ?? .skipped }

    static let known: [UInt64: LogField] = {
        var fields: [UInt64: LogField] = [:]
        func add(_ field: LogField, _ names: String...) {
            for name in names { fields[key(name.utf8)] = field }
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
        add(.user, "cs-username")
        add(.token, "authorization", "http_authorization", "session", "session_id", "token")
        add(.address, "remote_addr", "remote_ip", "client_ip", "ip", "c-ip", "clienthost")
        add(.address, "x_forwarded_for", "http_x_forwarded_for", "realip_remote_addr")
        add(.address, "client", "clientaddress", "remote", "remoteaddress")
        add(.secondsOrMilliseconds, "time-taken", "latency")
        add(.duration(power: 9), "request_time", "duration_s", "duration_seconds", "elapsed_s")
        add(.duration(power: 9), "latency_s", "response_time_s", "target_processing_time")
        add(.duration(power: 6), "duration_ms", "latency_ms", "elapsed_ms", "response_time_ms")
        add(.duration(power: 6), "took_ms", "durationms", "request_time_ms", "response_time")
        add(.duration(power: 3), "duration_us", "latency_us", "elapsed_us", "duration_micros")
        add(.duration(power: 0), "duration_ns", "latency_ns", "elapsed_ns", "duration_nanos")
        add(.durationPart, "duration", "elapsed", "took", "alb_duration")
        return fields
    }()

    /// A hash of a name without case and without `_`, `-`, `.`, `:`, `$` and parentheses.
    static func key(_ name: some Sequence<UInt8>) -> UInt64 {
        let letters = name.lazy.filter { byte in
            switch byte {
            case 0x5f, 0x2d, 0x2e, 0x3a, 0x24, 0x28, 0x29: false
            default: true
            }
        }
        return StableHash(of: letters.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }).value
    }
}
