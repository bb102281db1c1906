import SquallFormat

/// The result of a drill with a server.
public enum DrillOutcome<Broken: Sendable>: Sendable {
    /// It was played, and no promise was broken.
    case passes
    /// Promises were broken.
    case broken(Broken)
    /// The client lacks an ability that the drill needs, or it has no meaning for the server.
    case notAsked(String)
    /// Its situation did not come about.
    case notJudged(String)
    /// It was asked to stop before, or a server cannot play it.
    case notPlayed(String)
    /// A fault of the simulation ended it, such as a precondition that does not hold.
    case fault(String)

    /// The outcome in a word, as in data.
    var word: String {
        switch self {
        case .passes: "passes"
        case .broken: "broken"
        case .notAsked: "notAsked"
        case .notJudged: "notJudged"
        case .notPlayed: "notPlayed"
        case .fault: "fault"
        }
    }

    /// The outcome for readers: `not judged`.
    var words: String { word.camelCaseWords }

    var passes: Bool { if case .passes = self { true } else { false } }
    var broken: Broken? { if case .broken(let broken) = self { broken } else { nil } }
    var fault: String? { if case .fault(let reason) = self { reason } else { nil } }

    /// Why it has no verdict.
    var reason: String? {
        switch self {
        case .notAsked(let reason), .notJudged(let reason), .notPlayed(let reason): reason
        case .passes, .broken, .fault: nil
        }
    }

    /// True if a promise was judged and none broken; `nil` without a verdict.
    var isGood: Bool? { reason == nil ? passes : nil }
}
