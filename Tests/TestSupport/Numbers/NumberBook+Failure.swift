import SquallFormat
import SquallReport

/// What an answer says of a failure, held against the tables.
extension NumberBook {
    /// What made the run fail, taken out of a sentence: broken expectations with what was observed,
    /// and a cause whose numbers stand in the tables.
    mutating func readFailure(_ sentence: String, at place: String) -> String {
        let fatal = (summary["findings"]?.list ?? []).compactMap { $0["headline"]?.string }
        for headline in fatal where sentence == "It fails because of this: \(headline)." {
            return ""
        }
        let broken = (summary["thresholds"]?.list ?? []).filter { row in
            if case .bool(false)? = row["ok"]?.value { true } else { false }
        }
        var rest = sentence
        for row in broken {
            let metric = row["metric"]?.string ?? ""
            let threshold = "\(metric): \(row["expression"]?.string ?? "")"
            let observed = NumberColumn.observed.texts([row]).last ?? ""
            let clauses = [threshold.whenBroken(observed: observed), threshold.whenBroken]
            for clause in clauses {
                let capital = clause.prefix(1).uppercased() + clause.dropFirst()
                for said in [clause, capital] { rest = rest.replacing(said, with: "") }
            }
        }
        guard rest != sentence else { return sentence }
        let more = max(0, broken.count - 3)
        rest = rest.replacing("and \(Units.counted(more, "more expectation"))", with: "")
        for text in causeTexts.sorted(by: { $0.count > $1.count }) where !text.isEmpty {
            rest = rest.replacing(text, with: "")
        }
        return rest
    }

    /// Every number and name that a cause may give, as people read it.
    private var causeTexts: [String] {
        let server = summary["server"]
        func count(_ number: Double?) -> String { number.map { Units.grouped(Int64($0)) } ?? "" }
        func share(_ number: Double?) -> String { number.map(Units.percent) ?? "" }
        func time(_ number: Double?) -> String {
            number.map { Units.approximate(nanoseconds: Int64($0)) } ?? ""
        }
        let levels =
            [server].compactMap { $0 } + (server?["pools"]?.list ?? [])
            + [server?["database"]].compactMap { $0 }
        let busy = levels.flatMap { level in
            [
                share(level["utilisation"]?.number), count(level["longestQueue"]?.number),
                count(level["workers"]?.number), count(level["connections"]?.number),
            ]
        }
        let database = server?["database"]
        let used = (database?["meanBusy"]?.number).flatMap { mean in
            (database?["connections"]?.number).map { share(mean / $0) }
        }
        let turned = (server?["lines"]?.list ?? []).reduce(0) {
            $0 + ($1["turnedAway"]?.number ?? 0)
        }
        let faults = (summary["faults"]?.list ?? []).flatMap { fault in
            [fault["name"]?.string ?? "", time(fault["startNs"]?.number)]
        }
        let redundant = (summary["populations"]?.list ?? []).reduce(0) {
            $0 + ($1.at("counts.redundantRefreshes")?.number ?? 0)
        }
        let totals = (summary["metrics"]?.list ?? []).filter {
            $0["tags"]?.members.isEmpty ?? true
        }
        let attempts = totals.first { $0["name"]?.string == "requests" }?.at("values.count")?.number
        let wait = totals.first { $0["name"]?.string == "connection_wait" }?.at("values.p95")?
            .number
        let failures = Dictionary(grouping: summary["attemptFailures"]?.list ?? []) {
            $0["status"]?.string ?? ""
        }.flatMap { status, rows in
            [count(rows.reduce(0) { $0 + ($1["count"]?.number ?? 0) }), "answered \(status)"]
        }
        let steps = (summary["stepFailures"]?.list ?? []).map {
            "\($0["endpoint"]?.string ?? "") \($0["status"]?.string ?? "")"
        }
        let populations = summary["populations"]?.list ?? []
        let loops = populations.reduce(0) { $0 + ($1.at("counts.loopingCalls")?.number ?? 0) }
        let longest = populations.compactMap { $0.at("counts.longestLoop")?.number }.max() ?? 0
        let looping = [
            "which \(Units.counted(Int64(loops), "call"))", "up to \(count(longest)) times",
        ]
        return looping + busy + [used ?? "", count(turned), time(wait), count(redundant)] + faults
            + [attempts.map { share(redundant / max(1, $0)) } ?? ""] + failures + steps
    }
}
