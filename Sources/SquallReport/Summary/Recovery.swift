import SquallFormat

/// Whether, and after how long, as many steps succeeded as before.
///
/// A population has recovered at the first moment from which, over ten seconds on average, its
/// useful steps are at least 90 % of those of the minute before, **and** no peak of refreshes is
/// under way in it. For a peak the time counts from its beginning, for a fault from its end. A run
/// has recovered when each of its populations has.
///
/// It has not recovered if the load lasts ten seconds more, or as long as the earlier time it is
/// compared with, and useful steps are then fewer by more than chance explains. If the load ends
/// sooner, or chance explains the difference, the outcome is unknown.
public enum Recovery: Hashable, Sendable {
    /// This long after the beginning of a peak or the end of a fault.
    case after(nanoseconds: Int64)
    /// Not within the run.
    case never
    /// Not within the run, and at its end less than half as many steps succeeded as before.
    case metastable
    /// Too little was measured before or after it to tell.
    case unknown

    /// The word for each kind of recovery in a summary.
    public enum Outcome: String, CaseIterable, Codable, Sendable {
        case recovered, never, metastable, unknown
    }

    init(_ outcome: Outcome, afterNanoseconds span: Int64?) {
        switch (outcome, span) {
        case (.recovered, let span?): self = .after(nanoseconds: span)
        case (.metastable, _): self = .metastable
        case (.never, _): self = .never
        case (.unknown, _), (.recovered, nil): self = .unknown
        }
    }

    var outcome: Outcome {
        switch self {
        case .after: .recovered
        case .never: .never
        case .metastable: .metastable
        case .unknown: .unknown
        }
    }

    /// The time it took; nil where it is not over or unknown.
    public var nanoseconds: Int64? {
        if case .after(let nanoseconds) = self { nanoseconds } else { nil }
    }

    /// The worst of several recoveries: one that failed, else an unknown one, else the one with the
    /// longest time.
    public static func longest(of recoveries: [Recovery]) -> Recovery {
        if recoveries.contains(.metastable) { return .metastable }
        if recoveries.contains(.never) { return .never }
        if recoveries.contains(.unknown) { return .unknown }
        let longest = recoveries.compactMap(\.nanoseconds).max()
        return longest.map { .after(nanoseconds: $0) } ?? .unknown
    }

    /// The recovery in words for a table's cell, in text and on the page.
    var words: String {
        switch self {
        case .after(0): "at once"
        case .after(let nanoseconds): Units.approximate(nanoseconds: nanoseconds)
        case .never: "never"
        case .metastable: "metastable"
        case .unknown: "–"
        }
    }
}
