import SquallFormat
import SquallReport

/// Which value of a setting to take, by what is expected of every replication.
///
/// For a token's lifetime it is the shortest that keeps every expectation, since a stolen token is
/// valid for that long. For other settings it is the last value before expectations break: the
/// most load, the fewest workers. Where all values keep them, none is named.
struct SweepChoice {
    private let answer: SweepAnswer
    private let axis: SweepAnswer.Axis
    /// The places, in rising order.
    private let points: [SweepAnswer.Point]

    init(of answer: SweepAnswer) {
        self.answer = answer
        axis = answer.axes[0]
        points = answer.points.ordered { $0.values[0] < $1.values[0] }
    }

    /// The value to take and why; nil where no value is better than another.
    var sentence: String? {
        let kept = points.indices.filter { points[$0].broken.isEmpty }
        guard let first = kept.first, let last = kept.last else { return none }
        let isLifetime = axis.name.hasSuffix("Lifetime")
        guard isLifetime || kept.count < points.count else { return nil }
        guard isLifetime || kept.count == last - first + 1 else { return scattered(kept) }
        if isLifetime {
            return
                "Take \(name(first)), the shortest that keeps every expectation\(limit(first - 1)):"
                + " a stolen token is good for no longer.\(cost(of: first))"
        }
        if first == 0 {
            return "Take \(name(last)), the most that keeps every expectation\(limit(last + 1))."
        }
        guard last == points.count - 1 else { return scattered(kept) }
        return "Take \(name(first)), the least that keeps every expectation\(limit(first - 1))."
    }

    private var words: String { axis.name.lastPathWords }

    private func name(_ place: Int) -> String { "\(words) \(axis.text(points[place].values[0]))" }

    /// What breaks at the next value, where one was run.
    private func limit(_ place: Int) -> String {
        guard points.indices.contains(place), let broken = points[place].broken.first else {
            return ""
        }
        let text = axis.text(points[place].values[0])
        return "; at \(text) \(answer.thresholds[broken].whenBroken)"
    }

    /// The cost of the shortest lifetime for the token endpoint, beside the longest.
    private func cost(of place: Int) -> String {
        guard let figure = answer.figures.firstIndex(of: "refreshes count"),
            let last = points.last, place < points.count - 1,
            points[place].figures[figure].estimate != nil, last.figures[figure].estimate != nil
        else { return "" }
        return " It costs \(points[place].figures[figure].text) refreshes,"
            + " \(axis.text(last.values[0])) \(last.figures[figure].text)."
    }

    private func scattered(_ kept: [Int]) -> String {
        let names = kept.map { axis.text(points[$0].values[0]) }.joined(separator: ", ")
        return "Every expectation holds at \(words) \(names) only."
    }

    /// Says that no value keeps all expectations, and which one breaks most often.
    private var none: String {
        let counts = answer.thresholds.indices.map { threshold in
            points.count { $0.broken.contains(threshold) }
        }
        let worst = answer.thresholds.indices.max { counts[$0] < counts[$1] } ?? 0
        return "No \(words) of those tried keeps every expectation: at \(counts[worst]) of"
            + " \(points.count) \(answer.thresholds[worst].whenBroken)."
    }
}
