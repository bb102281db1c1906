import SquallFormat
import SquallReport

extension Figure.Unit {
    /// An axis of numbers of the unit.
    var scale: AnswerChart.Scale {
        switch self {
        case .nanoseconds: .durations
        case .count: AnswerChart.Scale(least: 1) { text($0) }
        case .share, .perSecond, .number: AnswerChart.Scale { text($0) }
        }
    }

    /// The limit that a threshold sets to a figure, in the figure's unit: of `step_duration:
    /// p(95)<2s` to `step_duration p(95)`; nil where it is about another one.
    func limit(of figure: String, in threshold: String) -> Double? {
        let halves = threshold.split(separator: ":", maxSplits: 1)
        guard let metric = halves.first, let expression = halves.last, halves.count == 2 else {
            return nil
        }
        let text = expression.filter { $0 != " " }
        let aggregate = text.prefix { !"<>=!".contains($0) }
        guard figure == "\(metric) \(aggregate)" else { return nil }
        let limit = text.dropFirst(aggregate.count).drop { "<>=!".contains($0) }
        switch self {
        case .nanoseconds:
            let isBare = limit.allSatisfy { $0.isNumber || $0 == "." }
            return (try? Units.nanoseconds(isBare ? limit + "ms" : limit)).map { Double($0) }
        case .share:
            return limit.last == "%"
                ? Double(limit.dropLast()).map { $0 / 100 } : Double(limit)
        case .count: return (try? Units.count(limit)).map { Double($0) }
        case .perSecond, .number: return Double(limit)
        }
    }
}

extension AnswerChart {
    /// The same with the limits that thresholds set to a figure.
    func held(_ figure: String, _ unit: Figure.Unit, against thresholds: [String]) -> AnswerChart {
        var chart = self
        chart.limits = thresholds.compactMap { threshold in
            unit.limit(of: figure, in: threshold).map { ($0, threshold) }
        }
        return chart
    }
}
