public import SquallLab
import SquallReport

/// A run that is cut into batches of equal measured time; a class, since a result is not copied.
public final class BatchedRun: Sendable {
    let result: RunResult
    /// What happened in each batch, in the whole, and in the whole without each batch.
    private let batches, rests: [Part]
    private let whole: Part

    /// How long a part of the run is, and what happened in it.
    private typealias Part = (seconds: Double, values: MetricMark)

    /// Cuts the result of a run that was made with batches.
    ///
    /// The last batch also takes what ends after the load does, so the batches add up to the run.
    public init(_ result: RunResult) {
        self.result = result
        let summary = result.summary
        let end = MetricMark(
            at: summary.measuredUntilNanoseconds, of: result.output.metrics,
            selecting: result.marks.first.map { Array($0.values.keys) } ?? [])
        let begin = summary.measuredFromNanoseconds
        let marks = result.marks + [end]
        let before: [MetricMark?] = [nil] + result.marks
        whole = (Double(end.nanoseconds - begin) / 1e9, end)
        batches = zip(marks, before).map { mark, earlier in
            let seconds = Double(mark.nanoseconds - (earlier?.nanoseconds ?? begin)) / 1e9
            return (seconds, mark.since(earlier))
        }
        rests = batches.map { [whole] batch in
            (whole.seconds - batch.seconds, whole.values.since(batch.values))
        }
    }

    /// How many batches there are.
    var count: Int { batches.count }
    /// How long each is, in nanoseconds.
    var nanoseconds: Int64 { Int64((batches[0].seconds * 1e9).rounded()) }

    /// The numbers that do not depend on how long the run is, in the order of its summary.
    ///
    /// A count grows with time and an extreme never falls, so neither has an interval.
    func figures() -> [BatchFigure] {
        let whole = named(whole)
        let (alone, without) = (batches.map(named), rests.map(named))
        return Figure.all(of: result.summary).compactMap { figure in
            guard let value = whole[figure.name] else { return nil }
            return BatchFigure(
                figure.name, figure.unit, whole: value,
                alone: alone.map { $0[figure.name] }, without: without.map { $0[figure.name] })
        }
    }

    /// The number that a threshold without a window is compared with, and its interval.
    func observed(
        by threshold: Threshold, named name: String, unit: Figure.Unit
    ) -> BatchFigure? {
        guard threshold.afterNanoseconds == nil, threshold.untilNanoseconds == nil,
            ![.count, .maximum, .minimum].contains(threshold.aggregate)
        else { return nil }
        func observed(_ part: Part) -> Double? {
            threshold.evidence(
                of: part.values.values[threshold.selection],
                overNanoseconds: Int64((part.seconds * 1e9).rounded())
            ).observed
        }
        return BatchFigure(
            name, unit, whole: observed(whole), alone: batches.map(observed),
            without: rests.map(observed))
    }

    private func named(_ part: Part) -> [String: Double] {
        let figures = part.values.values.filter { $0.key.tags.isEmpty }.flatMap { key, value in
            Figure.figures(
                of: MetricSummary(
                    key, value, overNanoseconds: Int64((part.seconds * 1e9).rounded())))
        }
        let steady = figures.filter { figure in
            ![" count", " max", " min"].contains { figure.name.hasSuffix($0) }
        }
        return Dictionary(uniqueKeysWithValues: steady.map { ($0.name, $0.value) })
    }
}
