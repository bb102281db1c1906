public import SquallFormat

/// When a series becomes steady, by MSER-5, counted from the run's beginning.
public struct SettlingRow: Codable, Sendable {
    /// The series, as `timeseries.csv` calls it.
    public let series: String
    /// The outcome of the rule.
    public let outcome: Outcome
    /// Where its transient ends; nil when it does not end, or is unknown.
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
    /// Sentences about the part of the beginning that is left out, and about transients in the
    /// measured time; empty when it was not checked.
    var transient: [String] {
        guard !settling.isEmpty else { return [] }
        let left =
            measuredFromNanoseconds > 0
            ? "The first \(Units.exact(nanoseconds: measuredFromNanoseconds)) (warm-up) are"
                + " excluded."
            : "Every number counts from the run's beginning: nothing is left out."
        let late = settling.filter { ($0.settledAfterNanoseconds ?? 0) > measuredFromNanoseconds }
            .map { "\($0.series) after \($0.settled)" }
        let never = settling.filter { $0.outcome == .never }.map(\.series)
        let short = settling.filter { $0.outcome == .tooShort }.map(\.series)
        return [
            left,
            late.isEmpty
                ? nil
                : "What is measured begins in a transient, which by MSER-5 ends for"
                    + " \(late.joined(separator: ", ")).",
            never.isEmpty
                ? nil
                : "By MSER-5 \(never.joined(separator: ", ")) never settled: the run shows an event"
                    + " or is too short, and its means depend on how long it lasts.",
            short.isEmpty
                ? nil : "There are too few rows of \(short.joined(separator: ", ")) to tell.",
            late.isEmpty && never.isEmpty && short.isEmpty
                ? "By MSER-5 all that was asked about had settled by then." : nil,
        ].compactMap(\.self)
    }
}

extension SettlingRow {
    /// Where its transient ends, in words.
    var settled: String {
        switch outcome {
        case .settled: Units.exact(nanoseconds: settledAfterNanoseconds ?? 0)
        case .never: "never"
        case .tooShort: "too few rows to tell"
        }
    }
}
