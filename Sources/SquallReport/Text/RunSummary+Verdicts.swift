public import SquallFormat

extension [RunSummary] {
    /// The verdicts on these of a number of planned runs: a line for each, none wider than the
    /// given width unless a profile's name is, and one for all as the last.
    public func verdicts(of count: Int, width: Int, style: TerminalStyle) -> String {
        let lines = flatMap { summary in
            let verdict = summary.shownVerdict.words.uppercased()
            let text = "\(verdict) \(summary.profile): \(summary.reason)"
            return WordWrap.lines(text.visible, width: width, first: "  ", rest: "    ")
        }
        return (lines + [style.bold(conclusion(of: count))]).map { $0 + "\n" }.joined()
    }

    private func conclusion(of count: Int) -> String {
        let missing = count - self.count
        let words = RunSummary.verdicts.compactMap { verdict -> String? in
            let count = self.count { $0.verdict == verdict && !$0.hasOnlyFindings }
            return count > 0 ? "\(count) \(verdict.words)" : nil
        }
        let found = self.count(where: \.hasOnlyFindings)
        let passed = found > 0 ? ["\(found) passed with findings"] : []
        let all = passed + words + (missing > 0 ? ["\(missing) not run"] : [])
        let isGood =
            missing == 0
            && allSatisfy { [.passed, .noVerdict, .notMeasured].contains($0.verdict) }
        let good = found > 0 ? "PASSED WITH FINDINGS" : "PASSED"
        let isMeasured = allSatisfy { $0.verdict != .notMeasured }
        let verdict = isGood ? isMeasured ? good : "NOT MEASURED" : "FAILED"
        let none = allSatisfy { $0.verdict == .noVerdict } && missing == 0
        return "\(none ? "NO VERDICT" : verdict)  \(Units.counted(count, "profile")):"
            + " \(all.joined(separator: ", "))"
    }
}
