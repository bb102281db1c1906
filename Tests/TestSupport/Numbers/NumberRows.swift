import SquallFormat

/// Rows that a page works out of several of the summary's.
extension NumberBook {
    /// What two designs of an app went through.
    @Sendable static func differences(_ summary: JSONNode) -> [NumberColumn.Row] {
        let populations = summary["populations"]?.list ?? []
        let measures = [
            ("refreshes per expiry", "refreshesPerExpiry", false),
            ("refreshes a second at the peak", "peakRefreshesPerSecond", false),
            ("steps failed", "counts.failedSteps", true), ("steps hung", "counts.hangs", true),
            ("signed out", "counts.signOuts", true),
            ("wasted attempts", "counts.wastedAttempts", true),
        ]
        let isReference = { (row: JSONNode) in row["design"]?.string == "reference" }
        return populations.filter { !isReference($0) }.flatMap { built in
            let other = populations.first {
                isReference($0) && $0["app"]?.string == built["app"]?.string
            }
            return measures.compactMap { what, member, isCount -> NumberColumn.Row? in
                guard let other, let name = built["name"]?.string else { return nil }
                return [
                    .object([
                        "population": .string(name), "what": .string(what),
                        "built": built.at(member)?.value ?? .null,
                        "reference": other.at(member)?.value ?? .null, "isCount": .bool(isCount),
                    ])
                ]
            }
        }
    }

    /// What hidden screens asked for, step by step.
    @Sendable static func hiddenCalls(_ summary: JSONNode) -> [NumberColumn.Row] {
        let series = (summary["metrics"]?.list ?? []).filter {
            $0["name"]?.string == "hidden_screen_calls" && $0.at("tags.step") != nil
        }
        return (summary["steps"]?.list ?? []).compactMap { step in
            let own = series.filter { row in
                ["population", "journey", "step"].allSatisfy {
                    row.at("tags.\($0)")?.string ?? "" == step[$0]?.string
                }
            }
            let calls = { (cause: String) in
                own.filter { $0.at("tags.cause")?.string == cause }
                    .reduce(0) { $0 + ($1.at("values.count")?.number ?? 0) }
            }
            let (covered, replaced) = (calls("covered"), calls("replaced"))
            guard covered + replaced > 0 else { return nil }
            return [
                .object([
                    "covered": .number(covered), "replaced": .number(replaced),
                    "hidden": .number(covered + replaced),
                ]), step,
            ]
        }
    }

    /// Requests and steps as a whole.
    @Sendable static func totals(_ summary: JSONNode) -> [NumberColumn.Row] {
        func values(_ metric: String) -> JSONNode? {
            (summary["metrics"]?.list ?? []).first {
                $0["name"]?.string == metric && $0["tags"]?.members.isEmpty == true
            }?["values"]
        }
        return [
            ("requests", "request_duration", "request_failed"),
            ("steps", "step_duration", "step_failed"),
        ].map { name, duration, failed in
            let counted = values(name)
            return [
                .object([
                    "name": .string(name), "count": counted?["count"]?.value ?? .null,
                    "rate": counted?["rate"]?.value ?? .null,
                    "failed": values(failed)?["value"]?.value ?? .null,
                    "durationNs": values(duration)?.value ?? .null,
                ])
            ]
        }
    }

    /// The endpoints by their attempts, and again by their p95.
    @Sendable static func busiestThenSlowest(_ summary: JSONNode) -> [NumberColumn.Row] {
        let rows = summary["endpoints"]?.list ?? []
        func ended(_ row: JSONNode) -> Double {
            ["2xx", "3xx", "4xx", "5xx", "lost"].reduce(0) {
                $0 + (row.at("answers.\($1)")?.number ?? 0)
            }
        }
        func p95(_ row: JSONNode) -> Double { row.at("durationNs.p95")?.number ?? 0 }
        return (rows.ordered { ended($0) > ended($1) } + rows.ordered { p95($0) > p95($1) })
            .map { [$0] }
    }

    /// The tree of attempts by cause, from the top.
    @Sendable static func causes(_ summary: JSONNode) -> [NumberColumn.Row] {
        guard let top = summary.at("retries.tree") else { return [] }
        func below(_ node: JSONNode) -> [JSONNode] {
            [node] + (node["children"]?.list ?? []).flatMap(below)
        }
        return below(top).map { [$0, .object(["all": top["attempts"]?.value ?? .null])] }
    }

    /// The pages and items of each list, and the time in which they came.
    @Sendable static func pagesOfLists(_ summary: JSONNode) -> [NumberColumn.Row] {
        let metrics = summary["metrics"]?.list ?? []
        let series = { (name: String) in
            metrics.filter { $0["name"]?.string == name && $0.at("tags.endpoint") != nil }
        }
        let items = series("items")
        return series("pages").map { pages in
            let same = items.first { $0["tags"]?.words == pages["tags"]?.words }
            return [
                .object([
                    "population": pages.at("tags.population")?.value ?? .null,
                    "endpoint": pages.at("tags.endpoint")?.value ?? .null,
                    "pages": pages.at("values.count")?.value ?? .null,
                    "items": same?.at("values.count")?.value ?? .null,
                    "pagesRate": pages.at("values.rate")?.value ?? .null,
                    "itemsRate": same?.at("values.rate")?.value ?? .null,
                ])
            ]
        }
    }
}

extension JSONNode {
    /// An object made for a table.
    static func object(_ members: KeyValuePairs<String, Value>) -> JSONNode {
        let made = members.map { name, value in
            Member(
                name: name, place: TextPlace(), value: JSONNode(value: value, place: TextPlace()))
        }
        return JSONNode(value: .object(made), place: TextPlace())
    }

    /// The texts of an object's members.
    fileprivate var words: [String] {
        members.map { "\($0.name) \($0.value.string ?? "")" }.sorted()
    }
}

extension JSONNode.Value {
    static func number(_ number: Double) -> Self { .number("\(number)") }
}

extension NumberColumn {
    /// A latency of the row, where there is one.
    static func latency(_ percentile: String) -> Self {
        .duration("durationNs.\(percentile)", of: "durationNs.count")
    }

    /// A whole number or a quotient, as the row says.
    static func measured(_ way: String) -> Self {
        Self { row in
            guard row.at("isCount")?.value == .bool(true) else {
                return number(way).texts(row) + number(way, "/s").texts(row)
            }
            return count(way).texts(row)
        }
    }

    /// How a person fared in comparison: `−1.25±0.03`.
    static func difference(_ quantity: String) -> Self {
        Self { row in
            let all = row.at("differences")?.list ?? []
            guard let found = all.first(where: { $0["quantity"]?.string == quantity }),
                let mean = found["mean"]?.number
            else { return ["–"] }
            let text = { (value: Double) in
                quantity == "waited"
                    ? Units.approximate(nanoseconds: Int64(value.rounded()))
                    : Units.threeDigits(value)
            }
            let margin = found["margin"]?.number.map { "±" + text($0) } ?? ""
            return [(mean < 0 ? "−" : "+") + text(mean.magnitude) + margin]
        }
    }

    /// Visits that had not ended when the run did.
    static let underWay = Self { row in
        let visits = { (name: String) in row.at("visits.\(name)")?.number ?? 0 }
        return count(
            visits("underWayBefore") + visits("begun") - visits("ended") - visits("givenUp"))
    }

    /// The share of attempts that did not succeed.
    static let failedShare = Self { row in
        let answers = { (name: String) in row.at("answers.\(name)")?.number ?? 0 }
        let failed = answers("4xx") + answers("5xx") + answers("lost")
        let all = failed + answers("2xx") + answers("3xx")
        return [Units.percent((failed - answers("repaired")) / max(1, all))]
    }

    /// What a threshold was held against.
    static let observed = Self { row in
        guard let number = row.at("observed")?.number else { return ["no samples", "–"] }
        return switch row.at("unit")?.string {
        case "ns": [duration(number)]
        case "count": [Units.grouped(Int64(number))]
        case "share": [Units.percent(number)]
        case "1/s": [Units.threeDigits(number) + "/s"]
        default: [Units.threeDigits(number)]
        }
    }

    /// How far from its limit that was.
    static let remark = Self { row in
        if row.at("observed")?.number == nil { return ["no samples"] }
        if row.at("abortedRun")?.value == .bool(true) { return ["ended the run"] }
        guard let margin = row.at("margin")?.number else { return [""] }
        if margin >= 0 { return [Units.percent(margin)] }
        return margin > -1
            ? ["over by \(Units.percent(-margin))"]
            : ["\(Units.threeDigits(1 - margin)) times the limit"]
    }

    /// Where the transient of a series ends.
    static let settled = Self { row in
        switch row.at("outcome")?.string {
        case "settled": [Units.exact(nanoseconds: Int64(row.at("settledAfterNs")?.number ?? 0))]
        case "never": ["never"]
        default: ["too few rows to tell"]
        }
    }

    /// The name of what the row stands in.
    static let owner = Self(isKey: true) { [$0.last?["name"]?.string ?? ""] }

    /// When something was over that was not over at once.
    static let end = Self { row in
        let end = row.at("endNs")?.number
        return end == row.at("startNs")?.number ? [""] : [duration(end)]
    }
}
