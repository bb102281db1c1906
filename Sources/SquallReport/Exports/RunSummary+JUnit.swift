public import SquallFormat

extension [RunSummary] {
    /// The runs' expectations as a JUnit report, for tools that show test results: `junit.xml`.
    ///
    /// Each run is a suite, with a case for each threshold, self-check and finding, and one that it
    /// came to its end. Virtual time is a property; equal runs give equal bytes.
    public func junit() -> String { JUnitSuite.document(suites) }

    /// The suites of that report.
    public var suites: [JUnitSuite] { map(\.suite) }
}

extension RunSummary {
    fileprivate var suite: JUnitSuite {
        JUnitSuite(
            profile, cases, said: said,
            properties: [
                ("seed", "\(seed)"), ("digest", digest.text), ("verdict", verdict.rawValue),
                ("replay", replay),
                ("virtualSeconds", (virtualNanoseconds / 1_000_000).thousandths),
            ])
    }

    /// The answer and all findings, whether or not they fail the run.
    private var said: String {
        let findings = findings.map { finding in
            "- \(finding.headline)"
                + (finding.population.map { " (\($0))" } ?? "")
                + (finding.example.isEmpty ? "" : ", for example \(finding.example)")
        }
        return ([answer.joined(separator: " ")] + findings).joined(separator: "\n")
    }

    private var cases: [JUnitSuite.Case] {
        let thresholds = thresholds.map { result in
            JUnitSuite.Case(
                "threshold", "\(result.metric) \(result.expressionShown)",
                failures: result.ok ? [] : [(message(of: result), wayToReplay)])
        }
        let checks = selfChecks.map { check in
            JUnitSuite.Case(
                "self-check", check.name,
                failures: check.ok ? [] : [("\(check.name): \(check.detail)", wayToReplay)])
        }
        let findings = findings.filter { $0.failsRun && $0.label != "selfCheck.broken" }
            .map { finding in
                JUnitSuite.Case(
                    "finding", finding.label,
                    failures: [(finding.headline, "\(finding.detail)\n\(wayToReplay)")])
            }
        let whole = JUnitSuite.Case(
            "run", "the run completed",
            failures: verdict == .partial ? [("it was interrupted", wayToReplay)] : [])
        return thresholds + checks + findings + [whole] + measured
    }

    /// A case that is skipped where the answer rests on assumed settings.
    private var measured: [JUnitSuite.Case] {
        guard !assumed.isEmpty else { return [] }
        return [
            JUnitSuite.Case("run", "no result depends on assumed values", skipped: assumed.warning)
        ]
    }

    private func message(of result: ThresholdResult) -> String {
        let observed = result.observed.map { "is \($0)" } ?? "has \(String.noSamples)"
        return "\(result.metric) \(observed), expected \(result.expressionShown) (seed \(seed))"
    }

    private var wayToReplay: String { "repeat: \(replay)" }
}

extension OutputFormat {
    /// The expectations, for tools that show test results.
    static let junit = OutputFormat("junit.xml") { [$0.summary].junit() }
}
