public import SquallFormat

extension RunSummary {
    /// The verdicts that a run can have.
    static let verdicts: [Verdict] = [
        .passed, .failed, .noVerdict, .notMeasured, .partial, .aborted,
    ]

    /// The verdict for readers, which says less if something is wrong although all expectations
    /// hold.
    public var shownVerdict: Verdict { hasOnlyFindings ? .passedWithFindings : verdict }

    /// True if every expectation holds but there are findings that no expectation covers.
    var hasOnlyFindings: Bool { verdict == .passed && !findings.isEmpty }

    var reasonOfVerdict: String {
        switch verdict {
        case .passed: holding
        case .notMeasured:
            "\(holding), but on \(Units.counted(assumed.decisive.count, "assumed value"))"
        case .noVerdict: "it has no thresholds; add one with --threshold"
        case .partial: "it was interrupted, so the results are not complete"
        case .aborted: "a threshold ended it"
        default: failures.joined(separator: ", ")
        }
    }

    private var holding: String {
        thresholds.count == 1
            ? "the one threshold holds"
            : "\(thresholds.count == 2 ? "both" : "all \(thresholds.count)") thresholds hold"
    }

    private var failures: [String] {
        let broken = thresholds.count { !$0.ok }
        let named = thresholds.filter { !$0.ok }.prefix(2).map {
            "\($0.metric) \($0.expressionShown)"
        }
        let names = named.joined(separator: ", ") + (broken > named.count ? " …" : "")
        let checks = selfChecks.count { !$0.ok }
        let verb = { (count: Int, one: String, many: String) in count == 1 ? one : many }
        let expectations =
            "\(broken) of \(Units.counted(thresholds.count, "threshold"))"
            + " \(verb(broken, "fails", "fail")) (\(names))"
        let fatal = findings.count(where: \.failsRun)
        let found =
            "\(Units.counted(fatal, "finding")) that \(verb(fatal, "fails", "fail")) any run"
        let untrue = "\(Units.counted(checks, "self-check")) \(verb(checks, "is", "are")) broken"
        return (broken > 0 ? [expectations] : []) + (fatal == 0 ? [] : [found])
            + (checks > 0 ? [untrue] : [])
    }
}
