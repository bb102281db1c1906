/// A run's expectations as a JUnit report, for machines that show test results: `junit.xml`.
///
/// One suite for the profile, one case for each threshold, self-check and finding, and one for the
/// run having come to its end. Times are virtual.
public struct JUnitDocument {
    private let suites: [Suite]

    /// The report of a summary.
    public init(_ summary: RunSummary) { self.init([summary]) }

    /// The report of several, a suite for each.
    public init(_ summaries: [RunSummary]) { suites = summaries.map(Suite.init) }

    /// The whole document.
    public var text: String {
        let time = suites.reduce(0) { $0 + $1.milliseconds }
        let suites = Markup(
            "testsuites",
            [
                "name": "squall", "tests": "\(suites.reduce(0) { $0 + $1.cases.count })",
                "failures": "\(suites.reduce(0) { $0 + $1.failures })",
                "time": time.thousandths,
            ], [.text("\n")] + suites.map(\.markup))
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + suites.source
    }
}

/// One run.
private struct Suite {
    let summary: RunSummary

    init(_ summary: RunSummary) { self.summary = summary }

    var milliseconds: Int64 { summary.virtualNanoseconds / 1_000_000 }

    var failures: Int { cases.count { $0.failure != nil } }

    var markup: Markup {
        let cases = cases
        return Markup(
            "testsuite",
            [
                "name": summary.profile, "tests": "\(cases.count)", "failures": "\(failures)",
                "errors": "0", "skipped": "0", "time": milliseconds.thousandths,
            ],
            [.text("\n"), properties] + cases.map(\.markup) + [said])
    }

    private var properties: Markup {
        let values = [
            ("seed", "\(summary.seed)"), ("digest", summary.digest.text),
            ("verdict", summary.verdict.rawValue), ("replay", summary.replayCommand),
        ]
        return Markup(
            "properties", [:],
            [.text("\n")] + values.map { Markup("property", ["name": $0, "value": $1]) })
    }

    /// The answer and everything that is wrong, whether or not it fails the run.
    private var said: Markup {
        let findings = summary.findings.map { finding in
            "- \(finding.headline)"
                + (finding.population.map { " (\($0))" } ?? "")
                + (finding.example.isEmpty ? "" : ", for example \(finding.example)")
        }
        return Markup(
            "system-out",
            ([summary.answer.joined(separator: " ")] + findings)
                .joined(separator: "\n"))
    }

    fileprivate var cases: [Case] {
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
        let findings = summary.findings.filter { $0.failsRun && $0.label != "selfCheck.broken" }
            .map { finding in
                Case(
                    group: "finding", name: finding.label,
                    failure: Failure(finding.headline, "\(finding.detail)\n\(replay)"))
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
