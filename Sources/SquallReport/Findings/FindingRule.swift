import SquallFormat

/// A rule that finds one kind of problem in the measurements of a run.
///
/// It reads the rows that text and page show, so it cannot contradict them. A new rule is one file
/// and one line in ``grave`` or ``common``.
struct FindingRule: Sendable {
    /// Its findings, each with count, example and where to look; empty when all is well.
    let findings: @Sendable (RunSummary) -> [Finding]

    /// The rules for findings that void the run, or take money or the session from users: in the
    /// order of gravity.
    private static let grave: [FindingRule] = [
        .brokenLaws, .graveAudits, .sessionsLost, .refreshLoops, .hangs, .noRecovery, .backlogs,
        .loadNotAchieved,
    ]

    /// All other rules: their findings differ in weight by their counts alone.
    private static let common: [FindingRule] = [
        .neverRefreshed, .storms, .audits, .failedSteps, .failedAttempts, .listsOutOfOrder,
        .unexplained,
    ]

    /// The findings of all rules, ordered by weight.
    static func all(in summary: RunSummary) -> [Finding] {
        grave.flatMap { $0.findings(summary) } + common.flatMap { $0.findings(summary) }.mostFirst
    }
}

extension PopulationRow {
    /// The population's name for a finding's text; empty when there is only one population.
    func place(in summary: RunSummary) -> String {
        summary.populations.count > 1 ? " in \"\(name)\"" : ""
    }
}

extension RunSummary {
    func exampleIndex(of kind: String, in population: String) -> Int64? {
        examples.firstIndex { $0.population == population && $0.kind == kind }.map { Int64($0) }
    }
}

extension Finding {
    /// `user 17 at 5m00s`.
    static func example(user: Int64, at nanoseconds: Int64, _ more: [String] = []) -> String {
        let moment = Units.approximate(nanoseconds: nanoseconds)
        let who = "user \(user) at \(moment)"
        return ([who] + more.filter { !$0.isEmpty }).joined(separator: ", ")
    }
}
