import SquallFormat

extension NumberBook {
    /// The tables of a page; each shows some of these columns.
    static let pageTables = pageTablesOfPeople + pageTablesOfServer

    /// Where no token expired there is no word for what a service says then.
    private static let populations = NumberTable(
        "populations",
        [
            "population": .key("name"), "app": .keys("app", "design"),
            "users": .count("users"), "expiries": .count("counts.expiries"),
            "refreshes per expiry": .number("refreshesPerExpiry"),
            "refreshes a second at the peak": .number("peakRefreshesPerSecond", "/s"),
            "419s": .count("counts.expiredAnswers"),
            "answers expired": .count("counts.expiredAnswers"),
            "steps ended": .count("counts.steps"), "steps failed": .count("counts.failedSteps"),
            "steps hung": .count("counts.hangs"), "signed out": .count("counts.signOuts"),
            "wasted attempts": .count("counts.wastedAttempts"), "recovered": .recovery,
        ])

    private static var pageTablesOfPeople: [NumberTable] {
        [
            populations,
            NumberTable(
                "thresholds",
                [
                    "metric": NumberColumn(isKey: true) { row in
                        ["✓ ", "✗ "].map { $0 + (row.at("metric")?.string ?? "") }
                    }, "expected": .words("expression"), "observed": .observed,
                    "headroom": .remark,
                ]),
            NumberTable(
                differences,
                [
                    "population": .key("population"), "what": .key("what"),
                    "as built": .measured("built"), "reference": .measured("reference"),
                ]),
            NumberTable(
                "load",
                [
                    "population": .key("population"),
                    "visits offered": .count("visits.offered", "visits.waitingBefore"),
                    "visits begun": .count("visits.begun"),
                    "visits refused": .count("visits.refused"),
                    "visits waiting": .count("visits.waiting"),
                    "visits ended": .count("visits.ended"),
                    "visits before": .count("visits.underWayBefore"),
                    "visits given up": .count("visits.givenUp"), "visits under way": .underWay,
                    "visits late, p95": .duration("delayNs.p95", of: "delayNs.count"),
                    "visits late, max": .duration("delayNs.max", of: "delayNs.count"),
                ]),
            NumberTable(
                "stepFailures",
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "the person saw": .key("outcome"),
                    "after": NumberColumn { row in
                        let words = ["endpoint", "status"].map { row.at($0)?.string ?? "" }
                        return [words[0].isEmpty ? "no call failed" : words.joined(separator: " ")]
                    }, "steps failed": .count("count"), "the first": .first,
                ]),
            NumberTable(
                "attemptFailures",
                [
                    "population": .key("population"), "endpoint": .key("endpoint"),
                    "path": .words("path"), "status": .key("status"),
                    "attempts failed": .count("count"), "the first": .first,
                ]),
            NumberTable(
                "hangs.named",
                [
                    "user": .count("user"), "from": .duration("startNs"),
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "request": .words("request", empty: "none in flight"),
                    "lost in": .words("lostIn"),
                ]),
            NumberTable(
                hiddenCalls,
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "calls of covered screens": .count("covered"),
                    "calls of replaced screens": .count("replaced"),
                    "such calls per step": .quotient("hidden", "count"),
                ]),
            NumberTable(
                "audits",
                [
                    "what": .key("kind"), "found": .count("count"),
                    "population": .key("population"), "for example": .words("example"),
                ]),
            NumberTable(
                { summary in
                    let all = summary["journeys"]?.list ?? []
                    let begun = all.reduce(0) { $0 + ($1["begun"]?.number ?? 0) }
                    return all.map { [$0, .object(["all": .number(begun)])] }
                },
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "journeys begun": .count("begun"),
                    "share of journeys": .quotient("begun", "all", percent: true),
                    "share asked": .percent("askedShare"),
                ]),
            NumberTable(
                "steps",
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "steps ended": .count("count"),
                    "steps failed": .count("failed"), "steps idle": .count("idle"),
                    "steps hung": .count("hung"),
                    "p50": .latency("p50"), "p95": .latency("p95"), "p99": .latency("p99"),
                    "p99.9": .latency("p99_9"), "max": .latency("max"),
                ]),
            NumberTable(
                "pairs",
                [
                    "pair": .keys("population", "against", by: " − "), "users": .count("users"),
                    "attempts a head": .difference("attempts"),
                    "refreshes a head": .difference("refreshes"),
                    "failed steps a head": .difference("failed"),
                    "hung steps a head": .difference("hung"),
                    "waited a head": .difference("waited"),
                ]),
            NumberTable(
                payments,
                [
                    "population": .key("population"), "booked": .count("booked"),
                    "paid but not booked": .count("unbooked"), "cancelled": .count("cancelled"),
                    "payments refused": .count("refused"),
                ]),
        ]
    }

    /// Visits to the payment page by population and end.
    @Sendable private static func payments(_ summary: JSONNode) -> [NumberColumn.Row] {
        let series = (summary["metrics"]?.list ?? []).filter {
            $0["name"]?.string == "payments" && $0.at("tags.status") != nil
        }
        return Set(series.compactMap { $0.at("tags.population")?.string }).sorted().map { name in
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

    private static var pageTablesOfServer: [NumberTable] {
        [
            NumberTable(
                totals,
                [
                    "overall": .key("name"), "count": .count("count"),
                    "per second": .number("rate", "/s"), "errors": .percent("failed"),
                    "p50": .latency("p50"), "p95": .latency("p95"), "p99": .latency("p99"),
                ]),
            NumberTable(
                busiestThenSlowest,
                [
                    "endpoint": NumberColumn(isKey: true) { row in
                        let name = row.at("endpoint")?.string ?? ""
                        return [name, "\(name) · \(row.at("population")?.string ?? "")"]
                    },
                    "count": .count(
                        "answers.2xx", "answers.3xx", "answers.4xx", "answers.5xx", "answers.lost"),
                    "errors": .failedShare, "p50": .latency("p50"), "p95": .latency("p95"),
                    "p99": .latency("p99"),
                ]),
            NumberTable(
                "refreshes.peaks",
                [
                    "from": .duration("startNs"), "peak at": .duration("peakNs"),
                    "until": .duration("endNs"), "refreshes in the peak": .count("refreshes"),
                    "refreshes a second at the peak": .number("peakPerSecond", "/s"),
                    "requests held": .count("held"),
                    "signed out": .count("signOuts"), "recovered": .recovery,
                ]),
            NumberTable(
                "populations", each: "peaks",
                [
                    "population": .owner,
                    "from": .duration("startNs"), "until": .duration("endNs"),
                    "refreshes in the peak": .count("refreshes"),
                    "refreshes a second at the peak": .number("peakPerSecond", "/s"),
                    "recovered": .recovery,
                ]),
            NumberTable(
                "expiredSteps",
                [
                    "population": .key("population"), "journey": .key("journey"),
                    "step": .key("step"), "steps expired": .count("expiredSteps"),
                    "refreshes": .count("refreshes"),
                    "refreshes per expired step": .number("refreshesPerExpiredStep"),
                    "retries": .count("retries"),
                    "signed out": .count("signOuts"),
                ]),
            NumberTable(
                "expiries",
                [
                    "population": .key("population"), "endpoint": .key("endpoint"),
                    "answers expired": .count("expiredAnswers"),
                    "refreshes": .count("refreshes"), "remark": .neverRefreshes,
                ]),
            NumberTable(
                causes,
                [
                    "cause": .key("name"), "attempts": .count("attempts"),
                    "share of attempts": .quotient("attempts", "all", percent: true),
                ]),
            NumberTable(
                { summary in
                    (summary.at("retries.attempts")?.list ?? []).enumerated().map {
                        [$0.element, .object(["number": .number(Double($0.offset + 1))])]
                    }
                },
                [
                    "attempt": .count("number"), "attempts ended": .count("ended"),
                    "attempts succeeded": .count("succeeded"),
                    "share succeeded": .quotient("succeeded", "ended", percent: true),
                ]),
            NumberTable(
                { summary in
                    let server = summary["server"].map { [$0] } ?? []
                    return (server + (summary.at("server.pools")?.list ?? [])).map { [$0] }
                },
                [
                    "station": NumberColumn(isKey: true) { row in
                        guard let name = row.at("name")?.string else { return ["server"] }
                        return ["pool " + (name.isEmpty ? "all other calls" : name)]
                    },
                    "workers": NumberColumn { row in
                        let workers = row.at("meanWorkers")?.number ?? row.at("workers")?.number
                        return [workers.map(Units.threeDigits) ?? "–"]
                    }, "busy": .percent("utilisation"), "mean line": .number("meanQueue"),
                    "longest line": .count("longestQueue"), "mean wait": .duration("waitNs.mean"),
                    "p95 wait": .duration("waitNs.p95"), "p99 wait": .duration("waitNs.p99"),
                ]),
            NumberTable(
                "server.lines",
                [
                    "endpoint": .key("endpoint"), "served": .count("served"),
                    "mean wait": .duration("meanWaitNs"),
                    "longest wait": .duration("longestWaitNs"),
                    "longest line": .count("longestQueue"), "turned away": .count("turnedAway"),
                    "let go": .count("abandoned"),
                ]),
            NumberTable(
                { $0.at("server.database").map { [[$0]] } ?? [] },
                [
                    "station": NumberColumn { _ in ["database"] },
                    "connections": .count("connections"), "in use": .number("meanBusy"),
                    "mean line": .number("meanQueue"), "longest line": .count("longestQueue"),
                    "mean wait": .duration("waitNs.mean"), "p95 wait": .duration("waitNs.p95"),
                    "p99 wait": .duration("waitNs.p99"),
                ]),
            NumberTable("settling", ["series": .key("series"), "settles after": .settled]),
            NumberTable(
                "endpoints",
                [
                    "population": .key("population"), "endpoint": .key("endpoint"),
                    "attempts": .count(
                        "answers.2xx", "answers.3xx", "answers.4xx", "answers.5xx", "answers.lost",
                        "answers.neverEnded"),
                    "ok": .count("answers.2xx", "answers.3xx"), "4xx": .count("answers.4xx"),
                    "5xx": .count("answers.5xx"), "lost": .count("answers.lost"),
                    "refused and repaired": .count("answers.repaired"),
                    "attempts without end": .count("answers.neverEnded"),
                    "share failed": .failedShare,
                    "p50": .latency("p50"), "p95": .latency("p95"),
                    "p99": .latency("p99"), "p99.9": .latency("p99_9"), "max": .latency("max"),
                    "mean": .latency("mean"),
                    "wait for a connection, p95": .duration(
                        "connectionWaitNs.p95", of: "connectionWaitNs.count"),
                ]),
            NumberTable(
                pagesOfLists,
                [
                    "population": .key("population"), "list": .key("endpoint"),
                    "pages": .count("pages"), "items": .count("items"),
                    "items a page": .quotient("items", "pages"),
                    "pages/s": .number("pagesRate"), "items/s": .number("itemsRate"),
                ]),
            NumberTable(
                "readings",
                [
                    "population": .key("population"), "list": .key("endpoint"),
                    "by": .key("paging"), "readers": .count("counts.readings"),
                    "first page, p50": .duration("firstPageNs.p50"),
                    "end, p50": .duration("endNs.p50", of: "endNs.count"),
                    "pages/s of a reader": .number("pagesPerSecond"),
                    "items/s of a reader": .number("itemsPerSecond"),
                    "shown twice": .count("counts.repeated"), "missed": .count("counts.missed"),
                ]),
            NumberTable(
                "readings", each: "depths",
                [
                    "population": .key("population"), "list": .key("endpoint"),
                    "by": .key("paging"), "items before": .count("from"),
                    "pages of that depth": .count("pages"),
                    "rows a page": .quotient("rowsScanned", "pages"),
                    "time a page": .duration("meanPageNs"),
                ]),
            NumberTable(
                faults,
                [
                    "population": .key("population"), "fault": .key("name"),
                    "from": .duration("startNs"), "until": .end,
                    "useful steps/s before": .number("goodputBefore", "/s"),
                    "useful steps/s at the lowest": .number("goodputLowest", "/s"),
                    "useful steps/s at the end": .number("goodputAfter", "/s"),
                    "backlog": .optionalCount("backlog.largest"),
                    "longest wait": .duration("backlog.longestWaitNs"),
                    "recovered": .recovery,
                ]),
        ]
    }

    /// What was done, for all together and then for each population.
    @Sendable private static func faults(_ summary: JSONNode) -> [NumberColumn.Row] {
        let whole = (summary["faults"]?.list ?? []).map {
            [$0, .object(["population": .string("all together")])]
        }
        let parts = (summary["populations"]?.list ?? []).flatMap { row in
            (row["faults"]?.list ?? []).map {
                [$0, .object(["population": row["name"]?.value ?? .null])]
            }
        }
        return whole + parts
    }
}
