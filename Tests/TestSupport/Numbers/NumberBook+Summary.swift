import SquallFormat

extension NumberBook {
    /// Holds the summary's numbers against each other and against the sums of the time series.
    mutating func checkSummary() {
        checkRows()
        checkSums()
        checkFindings()
    }

    /// Members that tell the rows of a list apart.
    private static let keys: [String: [String]] = [
        "populations": ["name"], "steps": ["population", "journey", "step"],
        "expiredSteps": ["population", "journey", "step"], "expiries": ["population", "endpoint"],
        "endpoints": ["population", "endpoint"], "audits": ["population", "kind"],
        "load": ["population"], "journeys": ["population", "journey"],
        "stepFailures": ["population", "journey", "step", "outcome", "endpoint", "status"],
        "attemptFailures": ["population", "endpoint", "status"],
        "readings": ["population", "endpoint", "paging"], "pairs": ["population", "against"],
        "thresholds": ["metric", "expression"],
    ]

    /// No two rows of a list are about the same thing.
    private mutating func checkRows() {
        for (list, members) in Self.keys.sorted(by: { $0.key < $1.key }) {
            var seen: Set<[String]> = []
            for row in summary[list]?.list ?? [] {
                let key = members.map { row[$0]?.string ?? "" }
                if !seen.insert(key).inserted { refuse("\(list) has two rows of \(key)") }
            }
        }
    }

    private func sum(_ list: String, _ ways: String...) -> (String, Double?) {
        let rows = summary.at(list)?.list ?? []
        let sum = rows.reduce(0.0) { sum, row in
            ways.reduce(sum) { $0 + (row.at($1)?.number ?? 0) }
        }
        return ("\(list).\(ways.joined(separator: "+"))", rows.isEmpty ? nil : sum)
    }

    private func value(_ way: String) -> (String, Double?) { (way, summary.at(way)?.number) }

    private func metric(_ name: String, _ value: String = "count") -> (String, Double?) {
        (name, total(name, value))
    }

    /// A column's sum, where nothing of it was before what is measured.
    private func column(_ name: String) -> (String, Double?) {
        let isWhole = summary["measuredFromNs"]?.number == 0
        return ("timeseries.\(name)", isWhole ? series[name].map { $0.reduce(0, +) } : nil)
    }

    /// The attempts of one branch of the tree of causes.
    private func branch(_ name: String) -> (String, Double?) {
        let branch = (summary.at("retries.tree.children")?.list ?? []).first {
            $0["name"]?.string == name
        }
        return ("retries.tree \(name)", branch?["attempts"]?.number)
    }

    /// The sum of a metric's series of one cause.
    private func caused(_ name: String, by cause: String) -> (String, Double?) {
        let series = (summary["metrics"]?.list ?? []).filter {
            $0["name"]?.string == name && $0.at("tags.cause")?.string == cause
        }
        return (
            "\(name){cause:\(cause)}",
            series.reduce(0) { $0 + ($1.at("values.count")?.number ?? 0) }
        )
    }

    private mutating func checkSums() {
        let failed = total("step_failed", "part").map { $0 - (total("hangs", "count") ?? 0) }
        let all: [(String, [(String, Double?)])] = [
            (
                "attempts",
                [
                    metric("requests"), value("retries.tree.attempts"),
                    sum("populations", "counts.attempts"), column("requests"),
                ]
            ),
            (
                "expiries",
                [sum("populations", "counts.expiries"), value("refreshes.counts.expiries")]
            ),
            (
                "refreshes for expiries",
                [
                    sum("populations", "counts.promptedRefreshes"),
                    value("refreshes.counts.promptedRefreshes"),
                ]
            ),
            (
                "redundant refreshes",
                [
                    sum("populations", "counts.redundantRefreshes"),
                    value("refreshes.counts.redundantRefreshes"),
                ]
            ),
            (
                "unasked refreshes",
                [
                    sum("populations", "counts.unpromptedRefreshes"),
                    value("refreshes.counts.unpromptedRefreshes"),
                ]
            ),
            (
                "refreshes",
                [
                    branch("refreshes"), metric("refreshes"), column("refreshes"),
                    caused("requests", by: "refresh"),
                ]
            ),
            (
                "first attempts",
                [
                    branch("first attempts"), column("first_attempts"),
                    caused("requests", by: "first"),
                ]
            ),
            (
                "retries",
                [
                    branch("retries"), metric("retries"), column("retries"),
                    caused("requests", by: "retry"),
                ]
            ),
            (
                "visits",
                [
                    metric("visits"),
                    sum("load", "visits.offered", "visits.waitingBefore", "visits.underWayBefore"),
                ]
            ),
            (
                "expired answers",
                [
                    sum("populations", "counts.expiredAnswers"), metric("expired_answers"),
                    column("expired_answers"),
                ]
            ),
            (
                "hangs",
                [
                    sum("populations", "counts.hangs"), metric("hangs"), value("hangs.total"),
                    sum("steps", "hung"), sum("load", "steps.givenUp"), column("hangs"),
                ]
            ),
            (
                "steps that ended",
                [
                    sum("populations", "counts.steps"), metric("steps"), sum("steps", "count"),
                    sum("load", "steps.done", "steps.failed"), column("steps"),
                ]
            ),
            (
                "steps that failed",
                [
                    sum("populations", "counts.failedSteps"), sum("steps", "failed"),
                    sum("load", "steps.failed"), sum("stepFailures", "count"),
                    ("step_failed", failed), column("steps_failed"),
                ]
            ),
            (
                "steps with nothing to do",
                [
                    sum("populations", "counts.idleSteps"), metric("steps_idle"),
                    sum("steps", "idle"),
                    sum("load", "steps.idle"), column("steps_idle"),
                ]
            ),
            (
                "people signed out",
                [
                    sum("populations", "counts.signOuts"), metric("sessions_lost"),
                    sum("refreshes.signOuts", "count"), column("sessions_lost"),
                ]
            ),
            ("journeys begun", [sum("journeys", "begun"), metric("journeys")]),
            ("what audits found", [sum("audits", "count"), metric("audit_findings")]),
            ("pages", [metric("pages"), column("pages")]),
            ("items", [metric("items"), column("items")]),
            ("users", [sum("populations", "users"), value("users")]),
            (
                "wasted attempts",
                [sum("populations", "counts.wastedAttempts"), value("retries.wastedAttempts")]
            ),
        ]
        for (thing, numbers) in all { expectOne(thing, numbers) }
        checkPopulations()
    }

    /// What rows about a population's parts come to is what its own row says.
    private mutating func checkPopulations() {
        for row in summary["populations"]?.list ?? [] {
            guard let name = row["name"]?.string else { continue }
            func own(_ list: String, _ ways: String...) -> (String, Double?) {
                let rows = (summary.at(list)?.list ?? []).filter {
                    $0["population"]?.string == name
                }
                let sum = rows.reduce(0.0) { sum, row in
                    ways.reduce(sum) { $0 + (row.at($1)?.number ?? 0) }
                }
                return (list, sum)
            }
            let number = { (member: String) in ("populations.\(member)", row.at(member)?.number) }
            let all: [(String, [(String, Double?)])] = [
                ("steps", [number("counts.steps"), own("steps", "count")]),
                (
                    "failed steps",
                    [
                        number("counts.failedSteps"), own("steps", "failed"),
                        own("stepFailures", "count"),
                    ]
                ), ("hangs", [number("counts.hangs"), own("steps", "hung")]),
                ("idle steps", [number("counts.idleSteps"), own("steps", "idle")]),
            ]
            for (thing, numbers) in all { expectOne("\(thing) of \(name)", numbers) }
            if let expiries = row.at("counts.expiries")?.number, expiries > 0 {
                let each = (row.at("counts.promptedRefreshes")?.number ?? 0) / expiries
                expectOne(
                    "refreshes per expiry of \(name)",
                    [number("refreshesPerExpiry"), ("refreshes/expiries", each)])
            }
        }
    }

    /// What a finding counts is what the rows that it is about come to.
    private mutating func checkFindings() {
        for finding in summary["findings"]?.list ?? [] {
            let label = finding["label"]?.string ?? ""
            let headline = finding["headline"]?.string ?? ""
            guard let rows = counted(label, headline, finding["population"]?.string) else {
                continue
            }
            expectOne("finding '\(headline)'", [("count", finding["count"]?.number), rows])
            let shown = headline.prefix { $0.isNumber || $0 == " " }
            expect(
                String(shown), among: [NumberColumn.count(finding["count"]?.number ?? 0)[0]],
                at: "finding '\(headline)'")
        }
    }

    /// What a finding of that kind is about; nil for those that a run makes of its own.
    private func counted(
        _ label: String, _ headline: String, _ population: String?
    ) -> (String, Double?)? {
        func rows(_ list: String, _ member: String, where holds: (JSONNode) -> Bool = { _ in true })
            -> (String, Double?)
        {
            let own = (summary.at(list)?.list ?? []).filter {
                let name = ($0["population"] ?? $0["name"])?.string
                return (population == nil || name == population) && holds($0)
            }
            return (list, own.reduce(0) { $0 + ($1.at(member)?.number ?? 0) })
        }
        switch label {
        case "storm": return rows("populations", "counts.redundantRefreshes")
        case "step.hung": return rows("populations", "counts.hangs")
        case "session.lost": return rows("populations", "counts.signOuts")
        case "expiry.neverRefreshed":
            return rows("expiries", "expiredAnswers") {
                headline.contains("from \($0["endpoint"]?.string ?? "-") w")
            }
        case "step.failed":
            return rows("stepFailures", "count") {
                headline.hasSuffix("in \($0["outcome"]?.string ?? "-")")
            }
        case "attempt.failed":
            return rows("attemptFailures", "count") {
                headline.hasSuffix(" \($0["status"]?.string ?? "-")")
            }
        default:
            let audits = summary["audits"]?.list ?? []
            guard audits.contains(where: { $0["kind"]?.string == label }) else { return nil }
            return rows("audits", "count") { $0["kind"]?.string == label }
        }
    }
}
