/// A form of files that servers and tools are known to write: the pattern of its lines, or the
/// marks of a file without a server's requests, and the file to give instead.
struct KnownFormat: Sendable {
    /// The word of `--format`; nil for a form that is only recognised.
    var word: String?
    /// The pattern of lines, as nginx' log_format writes it.
    var pattern: String?
    var ignoresRest = false
    /// The texts that the head of a file has, all of one list; of several lists one is enough.
    var marks: [[String]] = []
    /// How most of the first lines begin: words as `w`, with what stands between them.
    var form: String?
    /// The kind of the file and the one to give instead; `nil` where its lines are read.
    var refusal: String?

    static let all: [KnownFormat] = patterns + foreign

    private static let common =
        "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent"

    /// Servers with lines of one form.
    private static let patterns: [KnownFormat] = [
        .init(
            word: "combined", pattern: common + " \"$http_referer\" \"$http_user_agent\"",
            ignoresRest: true),
        .init(word: "common", pattern: common, ignoresRest: true),
        .init(
            word: "alb",
            pattern: "$type \(amazon)", ignoresRest: true),
        // Amazon's classic load balancer.
        .init(pattern: amazon, ignoresRest: true),
        .init(word: "haproxy", pattern: haproxy, ignoresRest: true),
        // With `format iso` and without a tag the line's own time stands before it.
        .init(pattern: "$time_iso8601 " + haproxy, ignoresRest: true),
        .init(
            pattern: "$client - $remote_user [$accept_date] \"$request\" $status $bytes_sent"
                + " \"$other\" \"$other\" $port $other \"$frontend\" \"$backend\" \"$server\""
                + " $other $haproxy_duration $haproxy_duration $haproxy_duration $other",
            ignoresRest: true),
        .init(
            word: "uwsgi",
            pattern: "[pid: $other|app: $other|req: $other] $client ($remote_user) {$other}"
                + " [$request_start] $method $uri => generated $bytes bytes in $duration"
                + " ($other $status)", ignoresRest: true),
        .init(
            word: "squid",
            pattern: "$msec $squid_duration $client ${other}/$status $bytes $method $uri"
                + " $remote_user $other", ignoresRest: true),
    ]

    private static let amazon =
        "$time_iso8601 $elb $client $upstream_addr ${alb_duration} ${alb_duration} ${alb_duration}"
        + " $status $target_status $request_length $bytes_sent \"$request\" \"$http_user_agent\""

    /// The times are those of the request, the queue, the connection, the response, and all; the
    /// first begins with `%t` when the response before it was sent, if the connection is kept.
    private static let haproxy =
        "$client [$accept_date] $frontend $backend"
        + " ${haproxy_wait}/${haproxy_duration}/${haproxy_duration}/${haproxy_duration}/${other}"
        + " $status $bytes_sent $other \"$request\""

    private static let serverLog = "the access log of the server under test"

    private static func errors(of server: String, _ form: String) -> KnownFormat {
        KnownFormat(
            form: form,
            refusal: "it is the error log of \(server), which has no request that succeeded; give"
                + " its access log")
    }

    private static func tool(
        _ name: String, _ marks: [[String]], instead: String = serverLog
    ) -> KnownFormat {
        KnownFormat(
            marks: marks,
            refusal: "it is \(name), which has no requests one by one; give \(instead)")
    }

    /// Files of other tools.
    private static let foreign: [KnownFormat] = [
        .init(
            marks: [["RUN\t"], ["ASSERTION\t"]],
            refusal:
                "it is Gatling's simulation.log, which has names of requests but no methods and"
                + " paths; give \(serverLog)"),
        .init(
            marks: [["<testResults"], ["<httpSample"]],
            refusal: "it is JMeter's result in XML; write it as CSV (-Jjmeter.save.saveservice"
                + ".output_format=csv -Jjmeter.save.saveservice.url=true), or give the"
                + " server's access log"),
        errors(of: "nginx", "w/w/w w:w:w [w] w#w: "),
        errors(of: "Apache", "[w w w w:w:w w] [w:w] [w "),
        errors(of: "Squid", "w/w/w w:w:w| "),
        errors(of: "lighttpd", "w w:w:w: (w) "),
        .init(
            form: "w:w [w/w/w:w:w:w] w w/w w/w/w w w w/w/w/w/w w/w",
            refusal: "it is HAProxy's tcplog, which has connections and no requests; set mode http"
                + " and option httplog"),
        .init(
            marks: [["*   << "]],
            refusal: "it is varnishlog's, which has many lines for a request; give what varnishncsa"
                + " writes, with %D"),
        .init(
            marks: [["Started ", "Processing by "]],
            refusal: "it is Rails' own log, which has several lines for a request; write one line"
                + " with the gem lograge (and config.lograge.custom_options for the time), or give"
                + " the access log of the server in front"),
        .init(
            marks: [["[info] GET ", "[info] Sent "], ["[info] POST ", "[info] Sent "]],
            refusal: "it is Phoenix' own log, which has two lines for a request; write one line as"
                + " JSON (Logster, or a Plug with method, path, status and duration), or give the"
                + " access log of the server in front"),
        .init(
            marks: [["Routing to a c", "] GET \""], ["Routing to a c", "] POST \""]],
            refusal: "it is Mojolicious' own log, which has several lines for a request; write one"
                + " with the plugin AccessLog, or give the access log of the server in front"),
        .init(
            marks: [["]      Request starting HTTP/"], ["]      Request finished HTTP/"]],
            refusal: "it is ASP.NET Core's console log, which has several lines for a request; give"
                + " its JSON console with a TimestampFormat, UseW3CLogging's file, or the access"
                + " log of the server in front"),
        .init(
            marks: [["   >> Matched: ", "   >> Outcome: "]],
            refusal: "it is Rocket's own log, which has several lines for a request and no time;"
                + " give the access log of the server in front"),
        .init(
            marks: [["HTTP Request: method=", "HTTP Response: "]],
            refusal: "it is Litestar's own log, which has two lines for a request, of which none"
                + " says which belong together; give the access log of its server"),
        .init(
            marks: [["  <-- GET ", "  --> "], ["  <-- POST ", "  --> "]],
            refusal: "it is koa-logger's log, which has two lines for a request and no client; give"
                + " morgan's, or the access log of the server in front"),
        .init(
            marks: [["[negroni] Started ", "[negroni] Completed "]],
            refusal: "it is the log of negroni's old middleware, which has two lines for a request"
                + " and none says whose; write one by a logger's format with {{.StartTime}},"
                + " {{.Method}}, {{.Path}}, {{.Status}} and {{.Duration}}"),
        .init(
            marks: [["wsgi starting up on ", ") accepted ("]],
            refusal:
                "it is eventlet's log, which has a line for each connection, too; give those of"
                + " requests: grep HTTP/ FILE"),
        .init(
            marks: [
                [" PHP ", " Development Server ("], ["] Accepted", "] Closing"],
                [" Accepted\n", " Closing\n"],
            ],
            refusal: "it is the log of PHP's own server, which has several lines for a request, and"
                + " with a router none that names it; give the access log of a server in front"),
        .init(
            marks: [[" - pid:", ".access_log:"]],
            refusal: "it is proxy.py's log, which has a line for each connection and often no"
                + " status; give the access log of the server behind it"),
        tool("hey's CSV", [["response-time,DNS+dialup,DNS"]]),
        tool("hey's summary", [["Summary:", "Slowest:", "Fastest:"]]),
        tool("the summary of ab", [["ApacheBench"], ["Server Software:", "Document Path:"]]),
        tool("a table of ab", [["starttime\tseconds\tctime"], ["Percentage served,Time in ms"]]),
        tool(
            "a result of siege",
            [
                ["\"transactions\":", "\"availability\":"], ["Transactions:", "Availability:"],
                ["Date & Time,", "Trans,"],
            ]),
        tool("the summary of wrk", [["Running ", " test @ "], ["Thread Stats", "Req/Sec"]]),
        tool(
            "a statistics file of Locust",
            [
                ["Type,Name,Request Count"], ["Timestamp,User Count,Type,Name"],
                ["Method,Name,Error,Occurrences"], ["Count,Message,Traceback,Nodes"],
            ]),
        tool(
            "an HdrHistogram", [["#[Histogram log format"], ["Percentile", "TotalCount", "1/(1-"]]),
        tool(
            "k6's summary",
            [
                ["\"metrics\"", "\"root_group\""],
                ["http_req_duration", "iterations", "vus_max", "avg="],
            ],
            instead: "what --out json=FILE or --out csv=FILE writes, or \(serverLog)"),
        tool("Artillery's report", [["\"aggregate\"", "\"http.codes."]]),
        tool("oha's summary", [["\"latencyPercentiles\"", "\"rps\""]]),
        tool("autocannon's result", [["\"non2xx\"", "\"latency\"", "\"throughput\""]]),
        tool(
            "bombardier's result", [["Bombarding "], ["\"bytesRead\"", "\"numberOfConnections\""]]),
        tool(
            "vegeta's report", [["Requests      [total, rate, throughput]"]],
            instead: "what vegeta encode writes, or \(serverLog)"),
    ]

    /// The reason for which a file's first lines show that it cannot be read; `nil` for a readable
    /// or unknown one.
    static func refusal(of lines: [[UInt8]], head: String) -> String? {
        let forms = lines.map { HiddenText.form($0) }
        return foreign.first { row in
            row.marks.contains { $0.allSatisfy { head.contains($0) } }
                || row.form.map { form in forms.count { $0.hasPrefix(form) } * 2 > forms.count }
                    ?? false
        }?.refusal
    }

    /// The words of `--format`, besides descriptions of lines.
    static let words = patterns.compactMap(\.word) + others
    private static let others = ["json", "logfmt", "har", "otlp", "jaeger", "prometheus"]

    /// The form of lines with a word; nil for none.
    static func lines(_ word: String) throws -> PatternFormat? {
        try patterns.first { $0.word == word }?.lines
    }

    /// The forms of servers' lines; of those that most servers have the longer one first.
    static func candidates() throws -> (own: [PatternFormat], common: [PatternFormat]) {
        let all = try patterns.compactMap { try $0.lines }
        return (Array(all.dropFirst(2)), Array(all.prefix(2)))
    }

    private var lines: PatternFormat? {
        get throws {
            guard let pattern else { return nil }
            var format = try PatternFormat(pattern)
            format.ignoresRest = ignoresRest
            return format
        }
    }
}

/// The formats that `--format` names.
public enum LogFormats {
    /// Their names, in the order of the help.
    public static let words = KnownFormat.words
}
