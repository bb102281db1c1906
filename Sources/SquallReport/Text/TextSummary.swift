public import SquallFormat

/// A run's summary as a person reads it on a terminal: the verdict first, how to repeat it last.
///
/// No line is wider than 80 columns, except the replay command, which must stay whole.
public struct TextSummary {
    let summary: RunSummary
    private let ink: Ink
    let width = 80

    /// The text of a summary, in colour or without.
    public init(_ summary: RunSummary, ink: Ink) {
        self.summary = summary
        self.ink = ink
    }

    /// The whole text, every line ended by a line feed.
    public var text: String {
        let sections = [
            head, findings, thresholds, load, populations, pairs, payments, audits, readings,
            stormView,
            expiredSteps,
            expiries, retryView, serverView, triggers, steps, endpoints, hangs, selfChecks,
            assumptions, foot,
        ]
        return sections.filter { !$0.isEmpty }.map { lines in
            lines.map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    private var head: [String] {
        var facts = [
            "\(Units.grouped(summary.users)) users",
            "\(Units.exact(nanoseconds: summary.virtualNanoseconds)) of virtual time",
        ]
        if summary.measuredFromNanoseconds > 0 {
            let warmUp = Units.exact(nanoseconds: summary.measuredFromNanoseconds)
            facts.append("measured from \(warmUp) on")
        }
        if let count = summary.total(of: .requests)?.count {
            facts.append("\(Units.grouped(count)) requests")
        }
        let verdict = "\(summary.verdict.rawValue.uppercased())  \(summary.profile)"
        return [colour(verdict.fitted(to: width))] + Prose.lines(summary.question, width: width)
            + [facts.joined(separator: " · ").fitted(to: width)]
    }

    private func colour(_ verdict: String) -> String {
        switch summary.verdict {
        case .passed: ink.bold(ink.green(verdict))
        case .failed, .aborted: ink.bold(ink.red(verdict))
        case .partial: ink.bold(ink.yellow(verdict))
        }
    }

    private var findings: [String] {
        let deep = "      "
        return section(
            "Findings",
            summary.findings.flatMap { finding in
                marked(false, finding.label)
                    + Prose.lines(finding.detail, width: width, first: deep, rest: deep)
            })
    }

    private var thresholds: [String] {
        var table = TextTable(leftAligned: [1, 3])
        for result in summary.thresholds {
            table.append([
                result.metric, result.expression, result.observed?.description ?? "–",
                result.remark,
            ])
        }
        let lines = table.lines(width: width - 4, indentation: 0)
        return section(
            "Thresholds",
            zip(summary.thresholds, lines).map { result, line in
                "  \(mark(result.ok)) \(line)"
            })
    }

    private var hangs: [String] {
        let hangs = summary.hangs
        guard hangs.total > 0 else { return [] }
        let named = hangs.named.prefix(5)
        let lines = named.flatMap { hang in
            let begun = Units.approximate(nanoseconds: hang.startNanoseconds)
            let request = hang.request.isEmpty ? "no request in flight" : hang.request
            let text =
                "user \(hang.user) at \(begun) · \(hang.journey) · \(hang.step) · \(request)"
                + " · lost in \(hang.lostIn)"
            return Prose.lines(text, width: width, first: "  ", rest: "    ")
        }
        let rest = hangs.total - Int64(named.count)
        let more = rest > 0 ? ["  and \(Units.grouped(rest)) more"] : []
        return section("Hangs: \(Units.grouped(hangs.total))", lines + more)
    }

    private var selfChecks: [String] {
        section(
            "Self-checks",
            summary.selfChecks.flatMap { check in
                marked(check.ok, "\(check.name): \(check.detail)")
            })
    }

    private var assumptions: [String] {
        section(
            "Assumptions",
            summary.assumptions.flatMap {
                Prose.lines($0, width: width, first: "  · ", rest: "    ")
            })
    }

    private var foot: [String] {
        [
            "seed \(summary.seed) · digest \(summary.digest.text)",
            "replay: \(summary.replayCommand)",
            ink.dim("No packet was sent: every request was answered inside this process."),
        ]
    }
}

extension TextSummary {
    func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [ink.bold(title)] + lines
    }

    func table(
        _ title: String, _ heading: [String], _ rows: [[String]], leftAligned: Set<Int> = []
    ) -> [String] {
        guard !rows.isEmpty else { return [] }
        var table = TextTable(leftAligned: leftAligned)
        table.append([title] + heading)
        rows.forEach { table.append(["  " + $0[0]] + $0.dropFirst()) }
        let lines = table.lines(width: width, indentation: 0)
        return [ink.bold(lines[0])] + lines.dropFirst()
    }

    private func mark(_ ok: Bool) -> String {
        ok ? ink.green("✓") : ink.red("✗")
    }

    private func marked(_ ok: Bool, _ text: String) -> [String] {
        let lines = Prose.lines(text, width: width, first: "    ", rest: "    ")
        guard let first = lines.first else { return [] }
        return ["  \(mark(ok)) \(first.dropFirst(4))"] + lines.dropFirst()
    }
}

extension ThresholdResult {
    /// How far inside or beyond its limit, in words.
    fileprivate var remark: String {
        guard observed != nil else { return "no samples" }
        if abortedRun { return "ended the run" }
        guard let margin else { return "" }
        return margin < 0 ? "over by \(Units.percent(-margin))" : "room \(Units.percent(margin))"
    }
}
