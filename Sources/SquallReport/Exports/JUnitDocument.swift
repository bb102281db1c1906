/// A run's expectations as a JUnit report, for machines that show test results: `junit.xml`.
///
/// One suite for the profile, one case for each threshold, self-check and finding, and one for the
/// run having come to its end. Times are virtual.
public struct JUnitDocument {
    private let summary: RunSummary

    /// The report of a summary.
    public init(_ summary: RunSummary) {
        self.summary = summary
    }

    /// The whole document.
    public var text: String {
        let cases = cases
        let failures = "\(cases.filter { $0.failure != nil }.count)"
        let suite = Markup(
            "testsuite",
            [
                "name": summary.profile, "tests": "\(cases.count)", "failures": failures,
                "errors": "0", "skipped": "0", "time": seconds,
            ],
            [.text("\n"), properties] + cases.map(\.markup))
        let suites = Markup(
            "testsuites",
            [
                "name": "squall", "tests": "\(cases.count)", "failures": failures,
                "time": seconds,
            ], [.text("\n"), suite])
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + suites.source
    }

    private var seconds: String { (summary.virtualNanoseconds / 1_000_000).thousandths }

    private var properties: Markup {
        let values = [
            ("seed", "\(summary.seed)"), ("digest", summary.digest.text),
            ("verdict", summary.verdict.rawValue), ("replay", summary.replayCommand),
        ]
        return Markup(
            "properties", [:],
            [.text("\n")] + values.map { Markup("property", ["name": $0, "value": $1]) })
    }

    private var cases: [Case] {
        let thresholds = summary.thresholds.map { result in
            Case(
                group: "threshold", name: "\(result.metric) \(result.expression)",
                failure: result.ok ? nil : failure(of: result))
        }
        let checks = summary.selfChecks.map { check in
            Case(
                group: "self-check", name: check.name,
                failure: check.ok ? nil : Failure("\(check.name): \(check.detail)", replay))
        }
        let findings = summary.findings.map { finding in
            Case(
                group: "finding", name: finding.label,
                failure: Failure(finding.label, "\(finding.detail)\n\(replay)"))
        }
        let whole = Case(
            group: "run", name: "the run came to its end",
            failure: summary.verdict == .partial ? Failure("it was interrupted", replay) : nil)
        return thresholds + checks + findings + [whole]
    }

    private func failure(of result: ThresholdResult) -> Failure {
        let observed = result.observed.map(\.description) ?? "no samples"
        return Failure(
            "\(result.metric) is \(observed), expected \(result.expression)"
                + " (seed \(summary.seed))", replay)
    }

    private var replay: String { "replay: \(summary.replayCommand)" }
}

private struct Case {
    let group: String
    let name: String
    let failure: Failure?

    var markup: Markup {
        Markup(
            "testcase", ["classname": group, "name": name],
            failure.map { [Markup("failure", ["message": $0.message], $0.body)] } ?? [])
    }
}

private struct Failure {
    let message: String
    let body: String

    init(_ message: String, _ body: String) {
        self.message = message
        self.body = body
    }
}

extension OutputFormat {
    /// The expectations, for machines that show test results.
    static let junit = OutputFormat("junit.xml") { JUnitDocument($0.summary).text }
}
