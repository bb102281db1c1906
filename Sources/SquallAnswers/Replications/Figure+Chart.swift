import SquallFormat
import SquallLab
import SquallReport

extension NumberUnit {
    /// The chart axis for numbers of the unit.
    var scale: AnswerChart.Scale {
        switch self {
        case .nanoseconds: .durations
        case .count: AnswerChart.Scale(least: 1) { text($0) }
        case .share, .perSecond, .number: AnswerChart.Scale { text($0) }
        }
    }
}

extension Figure {
    /// The limit that a threshold sets for a figure of the whole run, in the figure's unit: from
    /// `step_duration: p(95)<2s` for `step_duration p(95)`; nil where it is about another figure.
    static func limit(of figure: String, in threshold: String) -> Double? {
        guard let read = Threshold(threshold), read.afterNanoseconds == nil,
            read.untilNanoseconds == nil,
            figure == "\(read.selection) \(read.aggregate.name)"
        else { return nil }
        return read.limit.magnitude
    }
}

extension Threshold {
    /// Reads a threshold as an answer keeps it; nil for another text.
    fileprivate init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let read = try? Threshold(
                metric: String(text[..<colon]),
                expression: String(text[text.index(after: colon)...]), among: .installed)
        else { return nil }
        self = read
    }

    /// The share of samples that may be beyond the limit of a percentile: 5 % for `p(95)<2s`; nil
    /// for other aggregates.
    static func shareBeyond(limitOf threshold: String) -> Double? {
        guard let read = Threshold(threshold) else { return nil }
        let isUpper = [.below, .atMost].contains(read.comparison)
        switch read.aggregate {
        case .percentile(let percentile): return (isUpper ? 100 - percentile : percentile) / 100
        case .median: return 0.5
        default: return nil
        }
    }
}

extension AnswerChart {
    /// The chart with the limits that thresholds set for a figure.
    func held(_ figure: String, against thresholds: [String]) -> AnswerChart {
        var chart = self
        chart.limits = thresholds.compactMap { threshold in
            Figure.limit(of: figure, in: threshold).map { ($0, threshold) }
        }
        return chart
    }
}

extension AnswerChart.Series {
    /// A line over numbers that are counted from 1; nil where one is missing.
    init(_ name: String, numbered values: [Double?], isJoined: Bool = true) {
        let points = values.enumerated().compactMap { index, value in
            value.map { Point(Double(index + 1), $0) }
        }
        self.init(name, points, isJoined: isJoined)
    }
}
