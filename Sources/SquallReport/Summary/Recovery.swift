import SquallFormat

/// Whether, and after how long, as many steps succeeded as before again.
///
/// A population has recovered at the first moment from which on, for ten seconds and on average,
/// its useful steps are at least 90 % of those of the minute before, **and** no storm of refreshes
/// is under way in it. A storm counts from its beginning, a fault from its end. A run has recovered
/// when each of its populations has.
///
/// It has not when the load lasts for ten seconds more, or for as long as the time before that it
/// is compared with, and the useful steps are then fewer than that by more than chance explains.
/// Where the load ends sooner, or chance explains it, nobody knows.
public enum Recovery: Hashable, Sendable {
    /// So long after the beginning of a storm or the end of a fault.
    case after(nanoseconds: Int64)
    /// Not within the run.
    case never
    /// Not within the run, at whose end not half of the steps succeeded that did before.
    case metastable
    /// Nothing was measured before, or too little after it, to tell.
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

    /// The time it took; nil where it is not over or not known.
    public var nanoseconds: Int64? {
        if case .after(let nanoseconds) = self { nanoseconds } else { nil }
    }

    /// The worst of several: what keeps a whole from having recovered, what is not
    /// known, or else the longest time.
    public static func longest(of recoveries: [Recovery]) -> Recovery {
        if recoveries.contains(.metastable) { return .metastable }
        if recoveries.contains(.never) { return .never }
        if recoveries.contains(.unknown) { return .unknown }
        let longest = recoveries.compactMap(\.nanoseconds).max()
        return longest.map { .after(nanoseconds: $0) } ?? .unknown
    }

    /// The recovery as a cell of a table says it, the same in text and on the page.
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
