public import SquallFormat

extension Section {
    static func findings(_ summary: RunSummary) -> Section {
        Section(
            "Findings",
            note:
                "Problems that were detected: first those about money, lost sessions, hangs and"
                + " recovery, then the others by count. A finding that fails the run says so; the"
                + " thresholds judge all others.",
            absence: "No problem was found.",
            [
                .points(
                    summary.findings.map { finding in
                        let detail = [
                            finding.detail,
                            finding.example.isEmpty ? "" : "for example \(finding.example)",
                            finding.failsRun ? "it fails the run" : "",
                        ].filter { !$0.isEmpty }.joined(separator: "; ")
                        let isNamed = summary.populations.count > 1
                        let place = isNamed ? finding.population.map { " · \($0)" } ?? "" : ""
                        return Point(
                            head: finding.headline + place, isGood: false,
                            detail: detail.isEmpty ? "" : detail + ".", lookAt: finding.section,
                            isShort: !finding.failsRun)
                    })
            ], drawn: waterfalls(summary))
    }

    /// The failed steps of single users as charts, each step shown once.
    private static func waterfalls(_ summary: RunSummary) -> [Markup] {
        var seen: Set<Int64> = []
        let shown = summary.findings.compactMap { finding -> Markup? in
            guard let picture = finding.exampleIndex, seen.insert(picture).inserted,
                summary.examples.indices.contains(Int(picture)),
                !summary.examples[Int(picture)].attempts.isEmpty
            else { return nil }
            let example = summary.examples[Int(picture)]
            return Waterfall(example: example, finding: finding.headline)
                .markup(isOpen: seen.count == 1)
        }
        guard !shown.isEmpty else { return [] }
        let note =
            "One user's requests around a finding, from the first response on that was no success."
            + " A bar is an attempt, its light part the wait for a connection; a dashed line is a"
            + " request that waits to be sent again. t0 is the token of the sign-in, t1 that of the"
            + " first refresh after it."
        return [Markup("h3", "One user's requests"), Markup("p", ["class": "note"], note)] + shown
    }

    static func thresholds(_ summary: RunSummary) -> Section {
        let rows = summary.thresholds.map { result in
            [
                Column.metric(result.metric, isGood: result.ok),
                Column.expected(result.expressionShown),
                result.observed.map { Column.observed($0.description, $0.magnitude) }
                    ?? Column.observed.none,
                Column.headroom(result.remark),
                Column.bar(
                    bar: result.headroom?.magnitude ?? 0, result.ok ? "fill-good" : "fill-bad"),
            ]
        }
        return Section(
            "Thresholds",
            note: "How far inside or beyond its limit each is, as a share of the limit.",
            absence: "The run has no thresholds, so there is no verdict.",
            [.table(Table(rows).inBrief)])
    }

    /// The settings that were neither measured nor given, and their effect on the answer.
    public static func assumed(_ rows: [AssumedRow]) -> Section {
        Section(
            "Assumed values",
            note: "Values that squall new or squall fit wrote and that were not measured or given"
                + " since. The effect is that of changing this setting alone by ±50 %, in the worse"
                + " direction, estimated by operational laws from the run's own sums. From 10 % on"
                + " the answer depends on it. A correct value needs no line in \"assumed\".",
            [
                .table(
                    Table(
                        rows.map { row in
                            [
                                Column.setting(row.setting), Column.assumedValue(row.value),
                                Column.effect(row.effect, isGood: row.isDecisive ? false : nil),
                            ]
                        }
                    ).inBrief)
            ])
    }

    static func transient(_ summary: RunSummary) -> Section {
        Section(
            "Transient",
            note: "MSER-5 ends the transient of a series at the point that minimises the standard"
                + " error of the mean of the rest. Each series that a threshold uses is examined by"
                + " itself.",
            absence: "The end of the transient was not searched for.",
            [
                .sentence(summary.transient.joined(separator: " ")),
                .table(
                    Table(
                        summary.settling.map {
                            [Column.series($0.series), Column.settled($0.settled)]
                        }
                    ).onPage()),
            ])
    }

    static func selfChecks(_ summary: RunSummary) -> Section {
        let checks = summary.selfChecks
        let broken = checks.contains { !$0.ok }
        return Section(
            "Self-checks",
            note: "Equations that hold in every correct simulation, whatever the client does. If"
                + " one is broken, the results are invalid.",
            absence: "There are no self-checks.",
            cover: broken ? nil : "✓ All \(checks.count) self-checks hold",
            [.points(checks.map { Point(head: "\($0.name): \($0.detail)", isGood: $0.ok) })])
    }

    static func assumptions(_ summary: RunSummary) -> Section {
        Section(
            "Assumptions", note: "Assumptions of the model.",
            absence: "There are no assumptions.",
            [.points(summary.assumptions.map { Point(head: $0) })])
    }

    /// The meanings of words; in text they are a topic of the help.
    static var words: Section {
        Section(
            "Words", note: "Each word has one meaning in every output.", absence: "", [],
            drawn: [
                Page.list("words", Glossary.entries.map { ($0.word, .text($0.meaning)) })
            ])
    }
}

extension ThresholdResult {
    /// The distance of the value from its limit, in words.
    var remark: String {
        guard observed != nil else { return .noSamples }
        if abortedRun { return "ended the run" }
        guard let headroom else { return "" }
        if headroom >= 0 { return "\(Units.percent(headroom))" }
        return headroom > -1
            ? "over by \(Units.percent(-headroom))"
            : "\(Units.threeDigits(1 - headroom)) times the limit"
    }
}
