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
        Form("syslog's time alone") {
            "\($0.syslog($0.ended)) api-1 api[812]: {\(members($0))}"
        },
        Form("logrus' time without a year") {
            "{\(members($0)),\"time\":\"\($0.syslog($0.ended))\",\"level\":\"info\"}"
        },
        Form("Loki's labels in braces") {
            "\($0.iso($0.ended)) {app=\"api\", pod=\"api-7c9\"} {\(members($0))}"
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
