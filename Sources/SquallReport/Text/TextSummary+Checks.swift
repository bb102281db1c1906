import SquallFormat

/// What is wrong, what was expected, and what the run takes for granted.
extension TextSummary {
    /// In brief a line for each; those that fail any run say why and what the way out is.
    var findings: [String] {
        let isNamed = summary.populations.count > 1
        let lines = summary.findings.flatMap { finding -> [String] in
            let place = isNamed ? finding.population.map { " · \($0)" } ?? "" : ""
            let head = marked(false, finding.headline + place)
            guard isFull || finding.failsRun else { return head }
            let more = [
                finding.detail, finding.example.isEmpty ? "" : "for example \(finding.example)",
            ].filter { !$0.isEmpty }.joined(separator: "; ")
            let text = (more.isEmpty ? "" : more + ". ") + "See \(finding.lookAt)"
            return head + prose(text.visible, first: "      ", rest: "      ")
        }
        let count = summary.findings.count
        return section("Findings: \(Units.grouped(Int64(count)))", lines)
    }

    var thresholds: [String] {
        var table = TextTable(leftAligned: [1, 3])
        for result in summary.thresholds {
            table.append([
                result.metric.visible, result.expression, result.observed?.description ?? "–",
                result.remark,
            ])
        }
        let lines = table.lines(width: width - 4, indentation: 0)
        guard lines.allSatisfy({ $0.count <= width - 4 }), width >= 72 else {
            return section(
                "Thresholds",
                summary.thresholds.flatMap { result in
                    marked(
                        result.ok,
                        "\(result.metric) \(result.expression):"
                            + " \(result.observed?.description ?? "–") \(result.remark)")
                })
        }
        return section(
            "Thresholds",
            zip(summary.thresholds, lines).map { result, line in
                "  \(mark(result.ok)) \(line)"
            })
    }

    var hangs: [String] {
        let hangs = summary.hangs
        guard hangs.total > 0 else { return [] }
        let named = hangs.named.prefix(5)
        let lines = named.flatMap { hang in
            let begun = Units.approximate(nanoseconds: hang.startNanoseconds)
            let request = hang.request.isEmpty ? "no request in flight" : hang.request
            let text =
                "user \(hang.user) at \(begun) · \(hang.journey) · \(hang.step) · \(request)"
                + " · lost in \(hang.lostIn)"
            return prose(text.visible, first: "  ", rest: "    ")
        }
        let rest = hangs.total - Int64(named.count)
        let more = rest > 0 ? ["  and \(Units.grouped(rest)) more"] : []
        return section("Hangs: \(Units.grouped(hangs.total))", lines + more)
    }

    var selfChecks: [String] {
        section(
            "Self-checks",
            summary.selfChecks.flatMap { check in
                marked(check.ok, "\(check.name): \(check.detail)")
            })
    }

    var assumptions: [String] {
        section(
            "Assumptions",
            summary.assumptions.flatMap { prose($0, first: "  · ", rest: "    ") })
    }
}

extension ThresholdResult {
    /// How far inside or beyond its limit, in words.
    var remark: String {
        guard observed != nil else { return "no samples" }
        if abortedRun { return "ended the run" }
        guard let margin else { return "" }
        if margin >= 0 { return "room \(Units.percent(margin))" }
        return margin > -1
            ? "over by \(Units.percent(-margin))"
            : "\(Units.threeDigits(1 - margin)) times the limit"
    }
}
