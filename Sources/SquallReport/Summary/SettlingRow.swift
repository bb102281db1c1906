public import SquallFormat

/// From when on a series shows a steady state, by MSER-5, counted from the run's beginning.
public struct SettlingRow: Codable, Hashable, Sendable {
    /// The series, as `timeseries.csv` calls it.
    public let series: String
    /// What the rule says of it.
    public let outcome: Outcome
    /// Where its transient ends; nil when it does not, or nobody can tell.
    @OrNull public private(set) var settledAfterNanoseconds: Int64?

    /// What the rule can say of a series.
    public enum Outcome: String, CaseIterable, Codable, Sendable {
        /// From some moment on it is as it stays.
        case settled
        /// Its second half is not yet, or no longer, as its first.
        case never
        /// It has too few rows to tell.
        case tooShort
    }

    private enum CodingKeys: String, CodingKey {
        case series, outcome
        case settledAfterNanoseconds = "settledAfterNs"
    }

    /// What the rule says of a series; a moment only where it settled.
    public init(series: String, _ outcome: Outcome, afterNanoseconds: Int64? = nil) {
        self.series = series
        self.outcome = outcome
        settledAfterNanoseconds = afterNanoseconds
    }
}

extension RunSummary {
    /// What of its beginning a run leaves out, and what of a transient it measures, in sentences;
    /// empty when nobody looked.
    var transient: [String] {
        guard !settling.isEmpty else { return [] }
        let left =
            measuredFromNanoseconds > 0
            ? "The first \(Units.exact(nanoseconds: measuredFromNanoseconds)) are in no number."
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
