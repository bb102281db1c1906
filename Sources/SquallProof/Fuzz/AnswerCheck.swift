import SquallFormat
import SquallReport

/// Checks that the words in a run's outputs do not contradict its verdict.
enum AnswerCheck {
    private static let allWell = "No problem was found"

    /// The first contradiction; nil if there is none.
    ///
    /// A failed run must begin with what failed; any other must say that nothing is wrong exactly
    /// if it has no findings, and text and page must name the verdict.
    static func problem(of summary: RunSummary, text: String, page: String) -> String? {
        let answer = summary.answer.joined(separator: " ")
        let isWell = answer.contains(allWell)
        let failed = summary.verdict == .failed || summary.verdict == .aborted
        if isWell, failed || !summary.findings.isEmpty {
            return "says that nothing is wrong, \(summary.reason), with"
                + " \(summary.findings.count) findings"
        }
        if !isWell, !failed, summary.verdict != .partial, summary.findings.isEmpty {
            return "passes without a finding and does not say so: \(answer)"
        }
        if failed, let problem = problem(ofFailed: summary) { return problem }
        let saysBroken = summary.thresholds.contains { answer.contains(clause(of: $0)) }
        if !failed, saysBroken || answer.hasPrefix("The run fails") {
            return "does not fail and says what fails: \(answer)"
        }
        let redundant = summary.populations.reduce(0) { $0 + $1.redundantRefreshes }
        if redundant > 0, answer.contains("No refresh storm") {
            return "says that there is no refresh storm, with \(redundant) redundant refreshes"
        }
        let words = summary.shownVerdict.words
        guard text.hasPrefix(words.uppercased() + "  "), page.contains(words) else {
            return "text or page does not begin with \(words)"
        }
        let isGreen = page.contains("<header class=\"passed\">")
        return isGreen == (summary.verdict == .passed && summary.findings.isEmpty)
            ? nil : "the page's colour is not that of \(words)"
    }

    private static func problem(ofFailed summary: RunSummary) -> String? {
        guard let first = summary.answer.first else { return "fails and says nothing" }
        let broken = summary.thresholds.filter { !$0.ok }
        guard !broken.isEmpty else {
            return first.hasPrefix("The run fails: ")
                || first.hasPrefix("A self-check failed: ")
                ? nil : "does not say first what fails: \(first)"
        }
        let isNamed = broken.contains { first.dropFirst().hasPrefix(clause(of: $0)) }
        return isNamed ? nil : "does not begin with a broken threshold: \(first)"
    }

    /// The words of an answer on a broken expectation, without the first letter, which may differ.
    private static func clause(of result: ThresholdResult) -> Substring {
        result.whenBroken.dropFirst()
    }
}
