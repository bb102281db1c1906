public import SquallFormat

/// The moment at which a series becomes steady, by MSER-5, counted from the run's beginning.
public struct SettlingRow: Codable, Sendable {
    /// The series, as `timeseries.csv` calls it.
    public let series: String
    /// The outcome of the rule.
    let outcome: Outcome
    /// The end of its transient; `nil` when it does not end, or is unknown.
    @OrNull public private(set) var settledAfterNanoseconds: Int64?

    /// The outcomes of the rule.
    public enum Outcome: String, CaseIterable, Codable, Sendable {
        /// From some moment on the series is steady.
        case settled
        /// Its second half differs from its first.
        case never
        /// It has too few rows to tell.
        case tooShort
    }

    /// Makes a row; only a settled series has a moment.
    public init(series: String, _ outcome: Outcome, afterNanoseconds: Int64? = nil) {
        self.series = series
        self.outcome = outcome
        settledAfterNanoseconds = afterNanoseconds
    }
}

extension RunSummary {
    /// A warning that the measurements are not steady, with which every mean depends on the run's
    /// length; `nil` where they are, or too few rows could tell.
    var unsteadiness: String? {
        let parts = [lateToSettle, neverSettled].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private var lateToSettle: String? {
        let late = settling.filter { ($0.settledAfterNanoseconds ?? 0) > measuredFromNanoseconds }
        guard let last = late.compactMap(\.settledAfterNanoseconds).max() else { return nil }
        let list = late.map {
            "\(TimelineColumn.words(ofSeries: $0.series)) settles only after \($0.settled)"
        }.joined(separator: ", ")
        let warmUp =
            measuredFromNanoseconds > 0 ? "The warm-up is too short: " : "There is no warm-up, and "
        return "\(warmUp)\(list) (MSER-5). Set warmUp.for to at least"
            + " \(Units.exact(nanoseconds: last))."
    }

    private var neverSettled: String? {
        let never = settling.filter { $0.outcome == .never }
            .map { TimelineColumn.words(ofSeries: $0.series) }
        return never.isEmpty
            ? nil
            : "No steady state (MSER-5) of \(never.joined(separator: ", ")): the run shows an event"
                + " or is too short, and its means depend on how long it lasts."
    }

    /// Sentences about the part of the beginning that is left out, and about transients in the
    /// measured time; empty when it was not checked.
    var transient: [String] {
        guard !settling.isEmpty else { return [] }
        let left =
            measuredFromNanoseconds > 0
            ? "The first \(Units.exact(nanoseconds: measuredFromNanoseconds)) (warm-up) is"
                + " excluded."
            : "Every number counts from the run's beginning: nothing is left out."
        let short = settling.filter { $0.outcome == .tooShort }
            .map { TimelineColumn.words(ofSeries: $0.series) }
        return [
            left,
            lateToSettle,
            neverSettled,
            short.isEmpty
                ? nil : "Too few rows to tell (MSER-5): \(short.joined(separator: ", ")).",
            unsteadiness == nil && short.isEmpty
                ? "Every series that a threshold is about had settled by then (MSER-5)." : nil,
        ].compactMap(\.self)
    }
}

extension SettlingRow {
    /// The end of its transient, in words.
    var settled: String {
        switch outcome {
        case .settled: Units.exact(nanoseconds: settledAfterNanoseconds ?? 0)
        case .never: "never"
        case .tooShort: "too few rows to tell"
        }
    }
}
