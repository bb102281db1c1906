import SquallFormat

/// The answer of a run in up to four short texts, from the values that its tables show.
struct Answer {
    let summary: RunSummary

    init(_ summary: RunSummary) { self.summary = summary }

    /// The sentences: the failure and its reason; tokens, or else the service after faults; retries
    /// and lists, where a run is about those; the ends of users' steps; and other findings.
    var sentences: [String] {
        let retries = retries
        // A run that is about overload says whether it is over, whatever happened to tokens.
        let recovery = tokens == nil || retries != nil ? comeback : nil
        let said =
            (tokens == nil ? [] : ["storm", "storm.loop"])
            + (steps == nil ? [] : ["step.hung", "step.failed"])
            + (recovery != nil ? ["fault.metastable", "fault.unrecovered", "fault.backlog"] : [])
        let told = steps == nil ? [] : failing.map(\.label)
        let rest = summary.findings.enumerated().filter { index, finding in
            index != fatal && !said.contains(finding.label) && !told.contains(finding.label)
        }.map(\.element)
        return [failure, tokens, peak, recovery, retries, lists, steps, others(rest)]
            .compactMap { $0 }
    }

    /// The busiest second of the token endpoint beside its mean, where chance does not explain the
    /// difference: a herd of refreshes that are all needed is a load, too.
    private var peak: String? {
        guard let view = summary.refreshes, let ratio = view.peakOverMean, ratio >= 2,
            view.counts.redundantRefreshes == 0, loop == nil
        else { return nil }
        let (peak, mean) = (view.peakRefreshesPerSecond, view.meanRefreshesPerSecond)
        guard peak > mean + 4 * max(1, mean).squareRoot() else { return nil }
        return "Refreshes peak at \(Units.rate(perSecond: peak)), \(Units.threeDigits(ratio)) times"
            + " their mean."
    }

    /// The finding that the failure names, where no threshold failed.
    private var fatal: Int? {
        guard summary.verdict == .failed, summary.thresholds.allSatisfy(\.ok) else { return nil }
        return summary.findings.firstIndex(where: \.failsRun)
    }

    /// The reason for which the run failed, with the most likely cause; `nil` where it did not
    /// fail.
    private var failure: String? {
        guard summary.verdict == .failed || summary.verdict == .aborted else { return nil }
        // An expectation that ended the run comes first, then the one farthest beyond its limit.
        let broken = summary.thresholds.filter { !$0.ok }.ordered { left, right in
            (left.abortedRun ? 0 : 1, left.headroom ?? 0) < (
                right.abortedRun ? 0 : 1, right.headroom ?? 0
            )
        }
        if let worst = broken.first {
            return said(worst) + (broken.count > 1 ? others(broken.dropFirst()) : "")
        }
        if let fatal { return "The run fails: \(summary.findings[fatal].headline)." }
        return summary.selfChecks.first { !$0.ok }.map {
            "A self-check failed: \($0.name), \($0.detail)."
        }
    }

    private func said(_ result: ThresholdResult) -> String {
        "\(result.whenBroken.sentenceCase): \(LikelyCause(summary).clause(for: result))."
    }

    private func others(_ broken: ArraySlice<ThresholdResult>) -> String {
        let named = broken.prefix(2).map(\.whenBroken)
        let more = broken.count - named.count
        return " And \(named.joined(separator: ", "))"
            + (more > 0 ? ", and \(Units.counted(more, "more threshold"))." : ".")
    }

    /// Says if the service recovered from every fault; `nil` without a fault, or without traffic to
    /// recover.
    private var comeback: String? {
        let faults = summary.faults
        let worst =
            faults.first { $0.recovery == .metastable } ?? faults.first { $0.recovery == .never }
        if let worst {
            let isMetastable = worst.recovery == .metastable
            return
                "No recovery from the fault \"\(worst.name)\"\(isMetastable ? ": metastable" : "")."
        }
        let slowest = faults.max {
            ($0.recovery.afterNanoseconds ?? 0) < ($1.recovery.afterNanoseconds ?? 0)
        }
        guard let slowest, let after = slowest.recovery.afterNanoseconds else { return nil }
        guard let touched = after > 0 ? slowest : faults.first(where: \.leftRange) else {
            return
                "Goodput and backlog stayed in their ranges during the fault \"\(slowest.name)\"."
        }
        let span = Units.approximate(nanoseconds: after)
        let time = "\(after > 0 ? "\(span) after" : "as") the fault \"\(touched.name)\" ended"
        guard let backlog = touched.backlog, backlog.leftRange else {
            return "Recovered \(time)."
        }
        return "Recovered \(time): a backlog of"
            + " \(Units.counted(backlog.largest, "request")), longest wait"
            + " \(Units.approximate(nanoseconds: backlog.longestWaitNanoseconds))."
    }

    /// Says if expiries were refreshed more than once; `nil` when no token expired.
    private var tokens: String? {
        if let loop { return loop }
        let rows = summary.populations.filter { $0.refreshesPerExpiry != nil }
        guard !rows.isEmpty else { return withoutExpiry }
        let worst = rows.filter { $0.redundantRefreshes > 0 }.max {
            $0.refreshesPerExpiry ?? 0 < $1.refreshesPerExpiry ?? 0
        }
        guard let row = worst, let each = row.refreshesPerExpiry else {
            return withoutExpiry.map { "\($0) Elsewhere \(counts(rows))." } ?? calm(rows)
        }
        let place = row.place(in: summary)
        let times = Units.threeDigits(each)
        // So few that the quotient rounds to 1, which would read as "no storm".
        guard times != "1" else { return rareStorm(row) }
        var text = "Refresh storm: \(times) refreshes per expiry\(place)"
        if let step = summary.worstStep(of: row.name) {
            text +=
                " (worst step: \(step.journey) · \(step.step), \(step.each) refreshes per step with"
                + " an expired token)"
        }
        return text + calm(beside: row, among: rows) + "."
    }

    /// Says that calls are refreshed again and again, which no count of expiries shows.
    private var loop: String? {
        let row = summary.populations.max { $0.longestLoop < $1.longestLoop }
        guard let row, row.loopingCalls > 0 else { return nil }
        return "Refresh loop: \(Units.counted(row.loopingCalls, "call"))"
            + row.place(in: summary) + (row.loopingCalls == 1 ? " was" : " were")
            + " refused and refreshed again and again, one of them"
            + " \(Units.grouped(row.longestLoop)) times."
    }

    /// Says that no refresh was redundant; more refreshes than expiries are those after a failed
    /// one.
    private func calm(_ rows: [PopulationRow]) -> String {
        let worst = rows.first { $0.promptedRefreshes > $0.expiries }
        guard worst != nil else { return "No refresh storm: \(counts(rows)), none redundant." }
        return "No redundant refresh: \(counts(rows)), some of them after one that failed."
    }

    private func counts(_ rows: [PopulationRow]) -> String {
        let expiries = rows.reduce(0) { $0 + $1.expiries }
        let refreshes = rows.reduce(0) { $0 + $1.promptedRefreshes }
        return "\(Units.counted(expiries, "expiry")), \(Units.counted(refreshes, "refresh"))"
    }

    /// Redundant refreshes in a population without an expiry; nil where there are none.
    private var withoutExpiry: String? {
        let row = summary.populations.first {
            $0.refreshesPerExpiry == nil && $0.redundantRefreshes > 0
        }
        return row.map {
            "\(Units.counted($0.redundantRefreshes, "redundant refresh"))\($0.place(in: summary)),"
                + " although no token expired."
        }
    }

    private func rareStorm(_ row: PopulationRow) -> String {
        let redundant = Units.grouped(row.redundantRefreshes)
        return "Minor refresh storm: \(redundant) of \(Units.grouped(row.promptedRefreshes))"
            + " refreshes\(row.place(in: summary)) \(row.redundantRefreshes == 1 ? "was" : "were")"
            + " redundant."
    }

    /// Names the app's design without redundant refreshes, for comparison.
    private func calm(beside row: PopulationRow, among rows: [PopulationRow]) -> String {
        let calm = rows.first {
            $0.app == row.app && $0.design != row.design && $0.redundantRefreshes == 0
        }
        return calm.map { "; none are redundant on the design \($0.design)" } ?? ""
    }

    /// The ends of users' steps; `nil` without any.
    private var steps: String? {
        let ended = summary.populations.reduce(0) { $0 + $1.steps }
        let failed = summary.populations.reduce(0) { $0 + $1.failedSteps }
        let hung = summary.populations.reduce(0) { $0 + $1.hangs }
        guard ended + hung > 0 else { return nil }
        let all = Units.counted(ended + hung, "step")
        guard failed + hung > 0 else { return "None of \(all) failed or hung." }
        let told = failing.prefix(3).reduce(0) { $0 + $1.count }
        let shown = failing.prefix(3).map(named).joined(separator: ", ")
        return "Of \(all) \(Units.grouped(failed)) failed and "
            + (hung == 0 ? "none hung." : "\(Units.grouped(hung)) never ended.")
            + (shown.isEmpty ? "" : " \(told < failed ? "Among the" : "The") failed: \(shown).")
    }

    /// The findings of audits that count the same screens as the failed steps: one problem.
    private var failing: [Finding] {
        summary.findings.filter { finding in
            let rows = summary.stepFailures.filter { row in
                row.outcome == finding.label && row.population == finding.population
            }
            return !rows.isEmpty && rows.reduce(0) { $0 + $1.count } == finding.count
        }
    }

    /// The worst other findings; says that nothing is wrong only when there is no finding.
    private func others(_ rest: [Finding]) -> String? {
        guard !summary.findings.isEmpty else {
            return switch summary.verdict {
            case .passed, .noVerdict, .notMeasured: "No problem was found."
            case .partial: "No problem was found until the interruption."
            default: nil
            }
        }
        let signedOut = summary.populations.reduce(0) { $0 + $1.sessionsLost }
        guard !rest.isEmpty else {
            return signedOut == 0 && fatal == nil ? "No user was signed out." : nil
        }
        var seen: Set<String> = []
        let worst = rest.filter { seen.insert($0.label).inserted }.prefix(3).map(named)
        let more = rest.count - worst.count
        let text = worst.joined(separator: ", ")
        let end = more > 0 ? ", and \(Units.counted(more, "more finding"))." : "."
        return "Also: " + text + end
    }

    /// A finding's headline with its population, where there are several.
    private func named(_ finding: Finding) -> String {
        let isNamed = summary.populations.count > 1
        return finding.headline
            + (isNamed ? finding.population.map { " in \"\($0)\"" } ?? "" : "")
    }
}
