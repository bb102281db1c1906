/// Lines as collectors and loggers of apps write them.
extension FormatTests {
    private static func escaped(_ object: String) -> String {
        object.replacing("\"", with: "\\\"")
    }

    private static func members(_ request: Request) -> String {
        "\"method\":\"\(request.method)\",\"path\":\"\(request.path)\",\"status\":200,"
            + "\"duration_ms\":\(request.milliseconds),\"client_ip\":\"\(request.address)\""
    }

    static let collected: [Form] = [
        Form("journalctl's JSON around the app's own") {
            "{\"__REALTIME_TIMESTAMP\":\"\($0.ended)\",\"PRIORITY\":\"6\",\"_HOSTNAME\":\"api-1\","
                + "\"MESSAGE\":\"{\(escaped(members($0)))}\"}"
        },
        Form("journalctl's fine times without a year") {
            "\($0.syslog($0.ended)).\($0.iso($0.ended).suffix(7).dropLast()) api-1 api[812]:"
                + " method=\($0.method) path=\($0.path) status=200"
                + " duration=\($0.milliseconds)ms ip=\($0.address)"
        },
        Form("Kong with the address of the server that it tried") {
            "{\"latencies\":{\"proxy\":\($0.milliseconds)},\"tries\":[{\"ip\":\"10.0.1.5\"}],"
                + "\"client_ip\":\"\($0.address)\",\"request\":{\"uri\":\"\($0.path)\",\"method\":"
                + "\"\($0.method)\"},\"response\":{\"status\":200},"
                + "\"started_at\":\($0.began / 1_000)}"
        },
        Form("Cloudflare's two times without a duration") {
            "{\"ClientIP\":\"\($0.address)\",\"ClientRequestMethod\":\"\($0.method)\","
                + "\"ClientRequestURI\":\"\($0.path)\",\"EdgeResponseStatus\":200,"
                + "\"EdgeStartTimestamp\":\($0.began)000,\"EdgeEndTimestamp\":\($0.ended)000}"
        },
        Form("syslog's time alone") {
            "\($0.syslog($0.ended)) api-1 api[812]: {\(members($0))}"
        },
        Form("logrus' time without a year") {
            "{\(members($0)),\"time\":\"\($0.syslog($0.ended))\",\"level\":\"info\"}"
        },
        Form("Loki's labels in braces") {
            "\($0.iso($0.ended)) {app=\"api\", pod=\"api-7c9\"} {\(members($0))}"
        },
        Form("Amazon's classic load balancer") {
            "\($0.iso($0.ended)) lb \($0.address):\(40_000 + $0.number) 10.0.0.1:80 0.00007"
                + " \(Request.decimal($0.microseconds, 6)) 0.00005 200 200 0 29"
                + " \"\($0.method) http://api.example.com:80\($0.path) HTTP/1.1\" \"app/1\" - -"
        },
        Form("Akamai's DataStream", slack: 0.2) {
            "{\"version\":2,\"reqTimeSec\":\"\($0.seconds($0.began))\",\"cliIP\":\"\($0.address)\","
                + "\"statusCode\":\"200\",\"reqMethod\":\"\($0.method)\","
                + "\"reqPath\":\"\($0.path.dropFirst())\","
                + "\"turnAroundTimeMSec\":\"\($0.microseconds / 1_000)\"}"
        },
        Form("Azure's App Service, with a text of JSON in it", slack: 0.2) {
            "{\"time\":\"\($0.iso($0.ended))\",\"category\":\"AppServiceHTTPLogs\","
                + "\"properties\":\"{"
                + escaped(
                    "\"CsHost\":\"a\",\"CIp\":\"\($0.address)\",\"CsUriStem\":\"\($0.path)\","
                        + "\"CsMethod\":\"\($0.method)\",\"TimeTaken\":\($0.microseconds / 1_000),"
                        + "\"ScStatus\":\"200\"") + "}\"}"
        },
        Form("A duration in parentheses") {
            "\($0.iso($0.ended)) INFO [api.access] \($0.address) \($0.method) \($0.path) -> 200"
                + " (\($0.milliseconds) ms)"
        },
        Form("A duration in parentheses with its sign", slack: 0.2) {
            "\($0.iso($0.ended)) \($0.method) \($0.path) 200 \($0.address)"
                + " (+\($0.microseconds / 1_000)ms)"
        },
    ]
}
