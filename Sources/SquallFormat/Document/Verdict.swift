/// The judgement of a run or an answer by what was expected of it.
public enum Verdict: String, CaseIterable, Codable, Sendable {
    case passed, failed
    /// There are no expectations, and nothing fails any run.
    case noVerdict
    /// It rests on settings that were neither measured nor given.
    case notMeasured
    /// It was interrupted, so its results are incomplete.
    case partial
    /// A threshold that ends the run was crossed.
    case aborted
    /// Every expectation holds, but something was found that none of them covers.
    case passedWithFindings
    /// Nothing in the run could decide it.
    case notJudged
    /// A fitted profile that may, may not, or may with care be used, or was not compared.
    case usable, notUsable, notReliable, notChecked

    /// Passed or failed; nil where nothing was expected.
    public init?(_ isGood: Bool?, hasFindings: Bool = false) {
        guard let isGood else { return nil }
        self = isGood ? hasFindings ? .passedWithFindings : .passed : .failed
    }

    /// The verdict for readers: `passed with findings`.
    public var words: String { rawValue.camelCaseWords }

    /// The words after their mark.
    public var marked: String { (isGood.map { $0 ? "✓ " : "✗ " } ?? "◐ ") + words }

    /// True for good news, false for bad; `nil` where it is neither.
    public var isGood: Bool? {
        switch self {
        case .passed, .usable: true
        case .failed, .aborted, .notUsable: false
        default: nil
        }
    }
}

extension TerminalStyle {
    /// A line of a verdict, bold and in its colour.
    public func line(_ line: String, of verdict: Verdict) -> String {
        switch verdict.isGood {
        case true?: bold(green(line))
        case false?: bold(red(line))
        case nil: bold(yellow(line))
        }
    }
}
