public import SquallFormat

extension [RunSummary] {
    /// The runs' expectations as a JUnit report, for tools that show test results: `junit.xml`.
    ///
    /// Each run is a suite, with a case for each threshold and finding, and one that it came to its
    /// end; its self-checks, which are about the simulation and not about the client under test,
    /// are a second suite. Virtual time is a property; equal runs give equal bytes.
    public func junit() -> String { JUnitSuite.document(suites()) }

    /// The suites of that report; with `isStrict` one fails where an answer rests on assumed
    /// settings.
    public func suites(isStrict: Bool = false) -> [JUnitSuite] {
        flatMap { [$0.suite(isStrict: isStrict)] + $0.selfCheckSuite }
    }
}

extension RunSummary {
    fileprivate func suite(isStrict: Bool) -> JUnitSuite {
        JUnitSuite(
            profile, cases(isStrict: isStrict), said: said,
            properties: [
                ("seed", "\(seed)"), ("digest", digest.text), ("verdict", verdict.rawValue),
                ("replay", replay),
                ("virtualSeconds", (virtualNanoseconds / 1_000_000).thousandths),
            ])
    }

    /// The simulation's checks of itself; none for a driven run, which has none.
    fileprivate var selfCheckSuite: [JUnitSuite] {
        guard !selfChecks.isEmpty else { return [] }
        let cases = selfChecks.map { check in
            JUnitSuite.Case(
                "self-check", check.name,
                failures: check.ok ? [] : [("\(check.name): \(check.detail)", wayToReplay)])
        }
        return [JUnitSuite("\(profile) self-checks", cases)]
    }

    /// The answer and all findings, those that fail the run and others.
    private var said: String {
        let findings = findings.map { finding in
            "- \(finding.headline)"
                + (finding.population.map { " (\($0))" } ?? "")
                + (finding.example.isEmpty ? "" : ", for example \(finding.example)")
        }
        return ([answer.joined(separator: " ")] + findings).joined(separator: "\n")
    }

    private func cases(isStrict: Bool) -> [JUnitSuite.Case] {
        let thresholds = thresholds.map { result in
            JUnitSuite.Case(
                "threshold", "\(result.metric) \(result.expressionShown)",
                failures: result.ok ? [] : [(message(of: result), wayToReplay)])
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
        return thresholds + findings + [whole] + measured(isStrict: isStrict)
    }

    /// A case that is skipped, or fails, where the answer rests on assumed settings.
    private func measured(isStrict: Bool) -> [JUnitSuite.Case] {
        guard !assumed.isEmpty else { return [] }
        let warning = assumed.warning
        let failure = isStrict ? warning.map { ($0, wayToReplay) } : nil
        return [
            JUnitSuite.Case(
                "run", "no result depends on assumed values",
                failures: [failure].compactMap(\.self), skipped: warning)
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
