import SquallFormat

extension NumberBook {
    /// The tables of the text by their titles.
    static let textTables: [(title: String, table: NumberTable)] =
        [
            (
                "Load",
                NumberTable(
                    "load",
                    [
                        "": .key("population"),
                        "offered": .count("visits.offered", "visits.waitingBefore"),
                        "begun": .count("visits.begun"), "waiting": .count("visits.waiting"),
                        "refused": .count("visits.refused"), "ended": .count("visits.ended"),
                        "given up": .count("visits.givenUp"), "under way": .underWay,
                        "late p95": .duration("delayNs.p95", of: "delayNs.count"),
                    ])
            ),
            (
                "Populations",
                NumberTable(
                    "populations",
                    [
                        "": .key("name"), "each": .number("refreshesPerExpiry"),
                        "peak/s": .number("peakRefreshesPerSecond"),
                        "419s": .count("expiredAnswers"),
                        "expired": .count("expiredAnswers"),
                        "failed": .count("failedSteps"), "hung": .count("hangs"),
                        "out": .count("signOuts"), "wasted": .count("wastedAttempts"),
                        "back": .recovery,
                    ])
            ),
            (
                "The same people: a head",
                NumberTable(
                    "pairs",
                    [
                        "": .keys("population", "against", by: " − "),
                        "calls": .difference("calls"),
                        "refreshes": .difference("refreshes"), "failed": .difference("failed"),
                        "hung": .difference("hung"), "waited": .difference("waited"),
                    ])
            ),
            (
                "Audits",
                NumberTable(
                    "audits",
                    [
                        "": .key("kind"), "found": .count("count"),
                        "population": .key("population"),
                    ])
            ), ("Payments", NumberTable(payments, paymentColumns)),
            (
                "Steps that met an expired token",
                NumberTable(
                    "expiredSteps",
                    [
                        "": .keys("journey", "step"), "population": .key("population"),
                        "expired": .count("expiredSteps"), "refreshes": .count("refreshes"),
                        "a step": .number("refreshesPerExpiredStep"), "retries": .count("retries"),
                        "signed out": .count("sessionsLost"),
                    ])
            ),
            (
                "Expired answers",
                NumberTable(
                    "expiries",
                    [
                        "": .key("endpoint"), "population": .key("population"),
                        "expired": .count("expiredAnswers"), "refreshed": .count("refreshes"),
                    ])
            ),
            (
                "Calls of hidden screens",
                NumberTable(
                    hiddenCalls,
                    [
                        "": .keys("journey", "step"), "population": .key("population"),
                        "covered": .count("covered"), "replaced": .count("replaced"),
                        "a step": .quotient("hidden", "count"),
                    ])
            ),
            (
                "After faults",
                NumberTable(
                    faults,
                    [
                        "": .key("name"), "population": .key("population"),
                        "from": .duration("startNs"), "until": .end,
                        "ok before": .number("goodputBefore", "/s"),
                        "at the end": .number("goodputAfter", "/s"), "recovered": .recovery,
                    ])
            ),
        ] + ofSteps + ofReadings

    /// Who waited for a worker.
    static let waiting: NumberTable? = NumberTable(
        "serverView.lines",
        [
            "": .key("endpoint"), "served": .count("served"),
            "mean wait": .duration("meanWaitNs"), "longest": .duration("longestWaitNs"),
            "queue": .count("longestQueue"), "turned away": .count("turnedAway"),
        ])

    private static let ofSteps: [(title: String, table: NumberTable)] = [
        (
            "Steps",
            NumberTable(
                "steps",
                [
                    "": .keys("journey", "step"), "population": .key("population"),
                    "ended": .count("count"), "failed": .count("failed"), "idle": .count("idle"),
                    "hung": .count("hung"), "p50": .latency("p50"), "p95": .latency("p95"),
                    "p99": .latency("p99"), "max": .latency("max"),
                ])
        ),
        (
            "Endpoints",
            NumberTable(
                "endpoints",
                [
                    "": .key("endpoint"), "population": .key("population"),
                    "ok": .count("answers.2xx", "answers.3xx"), "4xx": .count("answers.4xx"),
                    "5xx": .count("answers.5xx"), "lost": .count("answers.lost"),
                    "p50": .latency("p50"), "p95": .latency("p95"), "p99": .latency("p99"),
                    "max": .latency("max"), "no end": .count("answers.neverEnded"),
                    "for conn. p95": .duration("connectionWaitNs.p95"),
                ])
        ),
        (
            "Why steps fail",
            NumberTable(
                "stepFailures",
                [
                    "": .keys("journey", "step"), "population": .key("population"),
                    "failed": .count("count"), "the person saw": .key("outcome"),
                    "after": NumberColumn(isKey: true) { row in
                        let words = ["endpoint", "status"].map { row.at($0)?.string ?? "" }
                        return [words[0].isEmpty ? "no call failed" : words.joined(separator: " ")]
                    },
                ])
        ),
        (
            "Why attempts fail",
            NumberTable(
                "callFailures",
                [
                    "": .key("endpoint"), "population": .key("population"),
                    "failed": .count("count"), "status": .key("status"), "the first": .first,
                ])
        ),
    ]

    private static let paymentColumns: [String: NumberColumn] = [
        "": .key("population"), "booked": .count("booked"), "for nothing": .count("unbooked"),
        "cancelled": .count("cancelled"), "refused": .count("refused"),
    ]

    /// What was done, for all together and then for each population.
    @Sendable private static func faults(_ summary: JSONNode) -> [NumberColumn.Row] {
        let whole = (summary["triggers"]?.list ?? []).map {
            [$0, .object(["population": .string("all together")])]
        }
        let parts = (summary["populations"]?.list ?? []).flatMap { row in
            (row["triggers"]?.list ?? []).map {
                [$0, .object(["population": row["name"]?.value ?? .null])]
            }
        }
        return whole + parts
    }

    /// Visits to the payment page by population and end.
    @Sendable private static func payments(_ summary: JSONNode) -> [NumberColumn.Row] {
        let series = (summary["metrics"]?.list ?? []).filter {
            $0["name"]?.string == "payments" && $0.at("tags.status") != nil
        }
        let names = Set(series.compactMap { $0.at("tags.population")?.string }).sorted()
        return names.map { name in
            let own = series.filter { $0.at("tags.population")?.string == name }
            let count = { (status: String) in
                own.first { $0.at("tags.status")?.string == status }?.at("values.count")?.value
                    ?? .number("0")
            }
            return [
                .object([
                    "population": .string(name), "booked": count("booked"),
                    "unbooked": count("unbooked"), "cancelled": count("cancelled"),
                    "refused": count("refused"),
                ])
            ]
        }
    }
}
