import SquallFormat
import SquallReport

/// A condition on B beside A that must not occur: `p99 worse`, `p95 worse by 10%`.
///
/// Worse means that the difference is significant (Holm-corrected, 5 %) and in the bad direction;
/// with `by`, that the whole interval is beyond that share of A.
public struct ComparisonGate: Sendable {
    /// The text as it was written.
    let text: String
    /// The figure's full name.
    let figure: String
    private let direction: Direction
    private let share: Double

    private enum Direction: String, CaseIterable {
        case worse, better, different
    }

    /// Reads a gate.
    ///
    /// - Throws: ``PlanningProblem`` with a text that would be right.
    public init(_ text: String) throws(PlanningProblem) {
        var words = text.split(separator: " ").map(String.init)
        var share = 0.0
        if let by = words.firstIndex(of: "by") {
            guard by == words.count - 2, let last = words.last, last.hasSuffix("%"),
                let percent = Double(last.dropLast()), percent >= 0
            else {
                throw PlanningProblem(
                    "--fail-if '\(text)': 'by' takes a percentage at the end, as 'p99 worse by"
                        + " 10%'")
            }
            share = percent / 100
            words.removeLast(2)
        }
        guard words.count > 1, let direction = words.last.flatMap(Direction.init) else {
            throw PlanningProblem(
                "--fail-if must be a figure and worse, better or different, as 'p99 worse', got"
                    + " '\(text)'")
        }
        let name = words.dropLast().joined(separator: " ")
        self.text = text
        figure = try Figure.name(of: name, for: "--fail-if")
        self.direction = direction
        self.share = share
        guard direction == .different || KeyMetrics.lessIsBetter(figure) != nil else {
            throw PlanningProblem(
                "--fail-if '\(text)': neither more nor less \(figure) is better; ask for"
                    + " 'different'")
        }
    }

    /// Judges the condition by the differences.
    func judged(_ differences: [PairedDifference]) -> ComparisonAnswer.Gate {
        let difference = differences.first { $0.name == figure }
        return ComparisonAnswer.Gate(
            condition: text, finding: difference?.clause ?? "\(figure) was not measured in both",
            holds: difference.map { !isMet($0) } ?? false, figure: figure)
    }

    private func isMet(_ difference: PairedDifference) -> Bool {
        guard difference.isDistinct, let low = difference.difference.low,
            let high = difference.difference.high
        else { return false }
        let less = KeyMetrics.lessIsBetter(figure) ?? true
        let limit = share * difference.a.magnitude
        let (isMore, isLess) = (low > limit, high < -limit)
        guard direction != .different, isMore || isLess else { return isMore || isLess }
        let isWorse = direction == .worse
        // A share, and what was driven, is what it is; a number may only follow its base.
        let isItself = difference.unit == .share && difference.perBase == nil
        guard !isItself, difference.tolerance == nil else {
            return difference.isLarge && (isMore == less) == isWorse
        }
        return difference.isBetter == !isWorse
    }
}

extension PairedDifference {
    /// The difference in a few words: `the number of refreshes is 3.1 times as high`.
    var clause: String {
        let name = KeyMetrics.words(name)
        guard isDistinct else {
            let least = detectableText.map { " (smallest detectable: \($0))" } ?? ""
            return probability == nil && pairs > 1
                ? "\(name) is identical" : "no significant difference in \(name)\(least)"
        }
        if let part = perBase, part.isDistinct, (part.b < part.a) != (b < a) {
            return "\(name) \(part.base.words) goes from \(Units.threeDigits(part.a)) to"
                + " \(Units.threeDigits(part.b))"
        }
        guard a > 0, b > 0, unit != .share else {
            return "\(name) goes from \(shown.a) to \(shown.b)"
        }
        let (low, high) = (min(a, b), max(a, b))
        let isMore = b > a
        if high >= 2 * low {
            return isMore
                ? "\(name) is \(Units.threeDigits(high / low)) times as high"
                : "\(name) drops by \(Units.percent((a - b) / a))"
        }
        return "\(name) is \(Units.percent((b - a).magnitude / a))"
            + (isMore ? " higher" : " lower")
    }

    /// ``detectable`` as text: as a share of A unless it is more than A, and in percentage points
    /// for shares.
    var detectableText: String? {
        // No share can differ by more than all of it, and a figure that never varies by nothing.
        guard let detectable, detectable > 0, unit != .share || detectable <= 1 else { return nil }
        return unit == .share || detectable > a.magnitude
            ? unit.difference(detectable) : Units.percent(detectable / a.magnitude)
    }
}
