public import SquallFormat

/// The verdict on several runs: a line for each, and one for all as the last.
public struct VerdictList {
    private let summaries: [RunSummary]
    private let count: Int

    /// Makes a list; `count` is the number of runs that were planned.
    public init(_ summaries: [RunSummary], of count: Int) {
        self.summaries = summaries
        self.count = count
    }

    /// The lines, none wider than the given width unless a profile's name is.
    public func text(width: Int, ink: Ink) -> String {
        let lines = summaries.flatMap { summary in
            let text = "\(summary.verdictWords.uppercased()) \(summary.profile): \(summary.reason)"
            return Prose.lines(text.visible, width: width, first: "  ", rest: "    ")
        }
        return (lines + [ink.bold(conclusion)]).map { $0 + "\n" }.joined()
    }

    private var conclusion: String {
        let missing = count - summaries.count
        let words = RunSummary.Verdict.allCases.compactMap { verdict -> String? in
            let count = summaries.count { $0.verdict == verdict }
            return count > 0 ? "\(count) \(verdict.words)" : nil
        }
        let all = words + (missing > 0 ? ["\(missing) not run"] : [])
        let isGood =
            missing == 0
            && summaries.allSatisfy { summary in
                summary.verdict == .passed || summary.verdict == .noVerdict
            }
        let verdict = isGood ? "PASSED" : "FAILED"
        let none = summaries.allSatisfy { $0.verdict == .noVerdict } && missing == 0
        return "\(none ? "NO VERDICT" : verdict)  \(Units.counted(count, "profile")):"
            + " \(all.joined(separator: ", "))"
    }
}
