import SquallFormat

extension NumberBook {
    /// The tables of a page by their headings, those without one left out.
    static let pageTables: [String: NumberTable] = {
        let all: [([String], NumberTable)] = pageTablesOfPeople + pageTablesOfServer
        return Dictionary(
            uniqueKeysWithValues: all.map { ($0.0.joined(separator: "|"), $0.1) })
    }()

    private static func table(
        _ way: String, each inner: String? = nil, _ columns: KeyValuePairs<String, NumberColumn>
    ) -> ([String], NumberTable) {
        let named = Dictionary(uniqueKeysWithValues: columns.map { ($0.key, $0.value) })
        let table = inner.map { NumberTable(way, each: $0, named) } ?? NumberTable(way, named)
        return (columns.map(\.key), table)
    }

    private static func table(
        _ rows: @escaping @Sendable (JSONNode) -> [NumberColumn.Row],
        _ columns: KeyValuePairs<String, NumberColumn>
    ) -> ([String], NumberTable) {
        let named = Dictionary(uniqueKeysWithValues: columns.map { ($0.key, $0.value) })
        return (columns.map(\.key), NumberTable(rows, named))
    }

    /// Where no token expired there is no word for what a service says then.
    private static var pageTablesOfPopulations: [([String], NumberTable)] {
        ["419s", "expired"].map { expired in
            table(
                "populations",
                [
                    "population": .key("name"), "app": .keys("app", "design"),
                    "users": .count("users"), "expiries": .count("expiries"),
                    "refreshes per expiry": .number("refreshesPerExpiry"),
                    "peak/s": .number("peakRefreshesPerSecond"),
                    expired: .count("expiredAnswers"), "steps": .count("steps"),
                    "failed": .count("failedSteps"), "never ended": .count("hangs"),
                    "signed out": .count("signOuts"), "wasted attempts": .count("wastedAttempts"),
                    "recovered": .recovery,
                ])
        }
    }

    private static var pageTablesOfPeople: [([String], NumberTable)] {
        pageTablesOfPopulations + [
            table(
                "findings",
                [
                    "what": NumberColumn(isKey: true) { row in
                        let headline = row.at("headline")?.string ?? ""
                        return [headline, "✗ " + headline]
                    }, "population": .words("population"), "in more detail": .words("detail"),
                    "for example": .words("example"), "look at": .words("lookAt"),
                ]),
            table(
                "thresholds",
                [
                    "metric": NumberColumn(isKey: true) { row in
                        ["✓ ", "✗ "].map { $0 + (row.at("metric")?.string ?? "") }
                    }, "expected": .words("expression"), "observed": .observed,
                    "distance": .remark,
                ]),
            table(
                differences,
                [
                    "population": .key("population"), "what": .key("what"),
                    "as built": .measured("built"), "reference": .measured("reference"),
                ]),
            table(
                "load",
                [
                    "population": .key("population"),
                    "offered": .count("visits.offered", "visits.waitingBefore"),
                    "begun": .count("visits.begun"), "refused": .count("visits.refused"),
                    "waiting": .count("visits.waiting"), "ended": .count("visits.ended"),
                    "given up": .count("visits.givenUp"), "under way": .underWay,
                    "late p95": .duration("delayNs.p95", of: "delayNs.count"),
                    "late max": .duration("delayNs.max", of: "delayNs.count"),
                ]),
            table(
                "stepFailures",
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "the person saw": .key("outcome"),
                    "after": .words("endpoint", empty: "no call failed"),
                    "status": .words("status"), "count": .count("count"), "the first": .first,
                ]),
            table(
                "callFailures",
                [
                    "population": .key("population"), "endpoint": .key("endpoint"),
                    "path": .words("path"), "status": .key("status"), "count": .count("count"),
                    "the first": .first,
                ]),
            table(
                "hangs.named",
                [
                    "user": .count("user"), "from": .duration("startNs"),
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "request": .words("request"),
                    "lost in": .words("lostIn"),
                ]),
            table(
                hiddenCalls,
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "covered": .count("covered"),
                    "replaced": .count("replaced"),
                    "for each step": .quotient("hidden", "count"),
                ]),
            table(
                "audits",
                [
                    "what": .key("kind"), "found": .count("count"),
                    "population": .key("population"), "for example": .words("example"),
                ]),
            table(
                { summary in
                    let all = summary["journeys"]?.list ?? []
                    let begun = all.reduce(0) { $0 + ($1["begun"]?.number ?? 0) }
                    return all.map { [$0, .object(["all": .number(begun)])] }
                },
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "begun": .count("begun"), "share": .quotient("begun", "all", percent: true),
                    "asked": .percent("askedShare"),
                ]),
            table(
                "steps",
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "ended": .count("count"), "failed": .count("failed"),
                    "nothing to do": .count("idle"), "never ended": .count("hung"),
                    "p50": .latency("p50"), "p95": .latency("p95"), "p99": .latency("p99"),
                    "p99.9": .latency("p99_9"), "max": .latency("max"),
                ]),
        ] + [pairs]
    }

    private static var pairs: ([String], NumberTable) {
        let quantities = ["calls", "refreshes", "failed", "hung", "waited"]
        var columns: [String: NumberColumn] = [
            "population": .key("population"), "against": .key("against"),
            "people": .count("people"),
        ]
        for quantity in quantities { columns["\(quantity) a head"] = .difference(quantity) }
        let headings = ["population", "against", "people"] + quantities.map { "\($0) a head" }
        return (headings, NumberTable("pairs", columns))
    }

    private static var pageTablesOfServer: [([String], NumberTable)] {
        [
            table(
                "stormView.windows",
                [
                    "from": .duration("startNs"), "peak at": .duration("peakNs"),
                    "to": .duration("endNs"), "refreshes": .count("refreshes"),
                    "peak/s": .number("peakPerSecond"), "requests held": .count("held"),
                    "signed out": .count("signOuts"), "recovered": .recovery,
                ]),
            table(
                "populations", each: "storms",
                [
                    "population": .key("name"), "design": .words("design"),
                    "from": .duration("startNs"), "to": .duration("endNs"),
                    "refreshes": .count("refreshes"), "peak/s": .number("peakPerSecond"),
                    "recovered": .recovery,
                ]),
            table(
                "expiredSteps",
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "began expired": .count("expiredSteps"),
                    "refreshes": .count("refreshes"),
                    "a step": .number("refreshesPerExpiredStep"), "retries": .count("retries"),
                    "signed out": .count("sessionsLost"),
                ]),
            table(
                "expiries",
                [
                    "population": .key("population"), "endpoint": .key("endpoint"),
                    "answered “expired”": .count("expiredAnswers"),
                    "refreshes caused": .count("refreshes"),
                ]),
            table(
                causes,
                [
                    "attempts": .key("name"), "count": .count("attempts"),
                    "share": .quotient("attempts", "all", percent: true),
                ]),
            table(
                { $0.at("retryView.budget").map { [[$0]] } ?? [] },
                [
                    "asked for": .count("asked"), "granted": .count("granted"),
                    "share": .quotient("granted", "asked", percent: true),
                ]),
            table(
                { summary in
                    (summary.at("retryView.attempts")?.list ?? []).enumerated().map {
                        [$0.element, .object(["number": .number(Double($0.offset + 1))])]
                    }
                },
                [
                    "attempt": .count("number"), "ended": .count("ended"),
                    "succeeded": .count("succeeded"),
                    "share": .quotient("succeeded", "ended", percent: true),
                ]),
            table(
                { $0["serverView"].map { [[$0]] } ?? [] },
                [
                    "workers": .count("workers"), "busy": .percent("utilisation"),
                    "mean line": .number("meanQueue"), "longest line": .count("longestQueue"),
                    "mean wait": .duration("waitNs.mean"), "p95 wait": .duration("waitNs.p95"),
                    "p99 wait": .duration("waitNs.p99"), "received": .count("received"),
                    "replied": .count("replied"),
                ]),
            table(
                "serverView.lines",
                [
                    "endpoint": .key("endpoint"), "served": .count("served"),
                    "mean wait": .duration("meanWaitNs"),
                    "longest wait": .duration("longestWaitNs"),
                    "longest line": .count("longestQueue"), "turned away": .count("turnedAway"),
                    "let go": .count("abandoned"),
                ]),
            table(
                "serverView.pools",
                [
                    "pool": .words("name", empty: "all other calls"),
                    "workers": .number("meanWorkers"), "busy": .percent("utilisation"),
                    "mean line": .number("meanQueue"), "longest line": .count("longestQueue"),
                ]),
            table(
                { $0.at("serverView.database").map { [[$0]] } ?? [] },
                [
                    "connections": .count("connections"), "in use": .number("meanBusy"),
                    "mean line": .number("meanQueue"), "longest line": .count("longestQueue"),
                    "mean wait": .duration("waitNs.mean"), "p95 wait": .duration("waitNs.p95"),
                    "p99 wait": .duration("waitNs.p99"), "queries": .count("queries"),
                    "rows": .count("rows"),
                ]),
            table("settling", ["series": .key("series"), "settles after": .settled]),
            table(
                "endpoints",
                [
                    "population": .key("population"), "endpoint": .key("endpoint"),
                    "attempts": .count(
                        "answers.2xx", "answers.3xx", "answers.4xx", "answers.5xx", "answers.lost",
                        "answers.neverEnded"),
                    "ok": .count("answers.2xx", "answers.3xx"), "4xx": .count("answers.4xx"),
                    "5xx": .count("answers.5xx"), "lost": .count("answers.lost"),
                    "no end": .count("answers.neverEnded"), "failed": .failedShare,
                    "p50": .latency("p50"), "p95": .latency("p95"),
                    "p99": .latency("p99"), "p99.9": .latency("p99_9"), "max": .latency("max"),
                    "mean": .latency("mean"),
                    "for a connection, p95": .duration(
                        "connectionWaitNs.p95", of: "connectionWaitNs.count"),
                ]),
            table(
                pagesOfLists,
                [
                    "population": .key("population"), "list": .key("endpoint"),
                    "pages": .count("pages"), "items": .count("items"),
                    "items a page": .quotient("items", "pages"),
                    "pages/s": .number("pagesRate"), "items/s": .number("itemsRate"),
                ]),
            table(
                "readings",
                [
                    "population": .key("population"), "list": .key("endpoint"),
                    "by": .key("paging"), "readers": .count("readings"),
                    "first page": .duration("firstPageNs.p50"),
                    "end": .duration("endNs.p50", of: "endNs.count"),
                    "pages/s of reading": .number("pagesPerSecond"),
                    "items/s of reading": .number("itemsPerSecond"),
                    "shown twice": .count("repeated"), "missed": .count("missed"),
                ]),
            table(
                "readings", each: "depths",
                [
                    "population": .key("population"), "by": .key("paging"),
                    "items before": .count("from"), "pages": .count("pages"),
                    "rows a page": .quotient("rowsScanned", "pages"),
                    "time a page": .duration("nsPerPage"),
                ]),
            table(
                "triggers",
                [
                    "from": .duration("startNs"), "to": .duration("endNs"), "fault": .key("name"),
                    "useful steps/s before": .number("goodputBefore"),
                    "at the end": .number("goodputAfter"), "recovered": .recovery,
                ]),
            table(
                "populations", each: "triggers",
                [
                    "population": .owner, "from": .duration("startNs"),
                    "to": .duration("endNs"), "fault": .key("name"),
                    "useful steps/s before": .number("goodputBefore"),
                    "at the end": .number("goodputAfter"), "recovered": .recovery,
                ]),
            table("selfChecks", ["law": .law, "both sides": .words("detail")]),
        ]
    }
}
