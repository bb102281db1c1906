public import SquallFormat
import SquallReport

/// The parts of a driven run as one run: counts and histograms are added up; of figures that cannot
/// be, the worst one counts.
public struct DrivenParts {
    private let profile: Profile
    private let parts: [DrivenPart]

    /// The parts of a profile's run, in the order of their numbers; at least one.
    public init(_ parts: [DrivenPart], of profile: Profile) {
        precondition(!parts.isEmpty, "nothing to add up")
        self.parts = parts.sorted { $0.index < $1.index }
        self.profile = profile.driven
    }

    /// The first of several load generators must not begin this much earlier than the last, as a
    /// share of the load.
    private static let apartMax = 0.05

    /// The one run that the parts are.
    ///
    /// - Returns: `nil` where a part has metrics that this program does not know.
    /// - Throws: the fault in a part's latencies.
    public func merged() throws(FileSyntaxError) -> RunResult? {
        guard let metrics = Metrics(adding: parts.map(\.metrics), among: .installed) else {
            return nil
        }
        var logs: [LatencyLog] = []
        for part in parts { logs.append(try part.latencyLog()) }
        var series = parts[0].emptySeries
        let intervals = parts.map(\.intervals).max() ?? 0
        for part in parts { part.add(to: &series, intervals: intervals) }
        let summary = summary(metrics, series)
        let span = summary.measuredNanoseconds
        let output = RunOutput(
            summary: summary.judged(), metrics: metrics, timeseries: series,
            latencies: LatencyLog(adding: logs),
            evidence: profile.thresholds.map {
                $0.evidence(of: metrics.value(of: $0.selection), overNanoseconds: span)
            },
            writesOpenMetrics: profile.writesOpenMetrics)
        return RunResult(output: output, requests: parts.reduce(0) { $0 + $1.requests })
    }

    private var first: RunSummary { parts[0].summary }

    private func summary(_ metrics: Metrics, _ series: TimeSeries) -> RunSummary {
        var summary = RunSummary(adding: parts.map(\.summary), metrics, series)
        let span = summary.measuredNanoseconds
        summary.thresholds = profile.thresholds.map { $0.judge(metrics, overNanoseconds: span) }
        summary.selfChecks = selfChecks
        summary.journeys = profile.journeys(metrics, begun: summary.load.map(\.visits.begun))
        summary.findings = findings
        summary.assumptions.append(
            "\(Units.counted(Int64(parts.count), "load generator")) shared the users. Counts"
                + " and latencies are of all; of lateness, processor time and delays of visits"
                + " the worst generator's are shown.")
        return summary
    }

    private var selfChecks: [SelfCheck] {
        first.selfChecks.map { check in
            let broken = parts.first { part in
                part.summary.selfChecks.contains { $0.name == check.name && !$0.ok }
            }
            let detail = broken?.summary.selfChecks.first { $0.name == check.name }?.detail
            return SelfCheck(
                name: check.name, ok: broken == nil,
                detail: detail.map { "part \(broken?.index ?? 0): \($0)" }
                    ?? "in each of \(Units.counted(Int64(parts.count), "part"))")
        }
    }
}

extension DrivenParts {
    /// The load generators' own findings; rules find the rest in the sums.
    private var findings: [Finding] {
        let ofAll: Set = ["expiry.missed", "goal.missed"]
        let found = parts.flatMap { part in
            part.summary.findings.prefix(part.summary.ownFindings).map { (part, $0) }
        }
        let kept = found.compactMap { part, finding -> Finding? in
            if ofAll.contains(finding.label) {
                // Another part's users may have reached the goal, or met an expiry.
                let others = found.filter { $0.1.label == finding.label }
                    .filter { $0.1.population == finding.population }
                let isFirst = others.first?.0.index == part.index
                return isFirst && others.count == parts.count ? finding : nil
            }
            return finding.ofPart(part.index, of: part.count)
        }
        return apart + kept
    }

    /// Generators that did not begin together: the server never had the whole load.
    private var apart: [Finding] {
        guard let early = parts.min(by: { $0.began < $1.began }),
            let late = parts.max(by: { $0.began < $1.began })
        else { return [] }
        let apart = late.began - early.began
        let span = Double(first.measuredUntilNanoseconds) / 1e9
        guard apart > Self.apartMax * span else { return [] }
        let words = Units.approximate(nanoseconds: Int64(apart * 1e9))
        return [
            Finding(
                label: "generator.apart",
                headline: "the load generators did not begin together",
                detail: "part \(late.index) began \(words) after part \(early.index), by the clocks"
                    + " of their machines, and the load lasts"
                    + " \(Units.exact(nanoseconds: first.measuredUntilNanoseconds)): the server"
                    + " never had the whole load. Start all parts at the same time",
                section: "Load generator", failsRun: true)
        ]
    }
}
