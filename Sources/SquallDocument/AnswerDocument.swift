/// An answer as people read it: the answer as a sentence first, then what it rests on.
///
/// What the answer is, number by number, is a type of its own where it is worked out; this is how
/// any of them looks, on the terminal and on a page.
public struct AnswerDocument: Sendable {
    /// Whether what was expected holds.
    public enum Verdict: String, Sendable {
        case passed, failed, partial
        /// What decides it was never seen.
        case notJudged = "not judged"

        /// Passed or failed; nil where nothing was expected.
        public init?(_ isGood: Bool?) {
            guard let isGood else { return nil }
            self = isGood ? .passed : .failed
        }

        var words: String {
            switch self {
            case .passed: "✓ passed"
            case .failed: "✗ failed"
            case .partial, .notJudged: "◐ \(rawValue)"
            }
        }
    }

    /// What kind of answer it is, as `Capacity`.
    public let kind: String
    /// What it is about, as the profile's name; may be empty.
    public let subject: String
    /// The question the profile asks; may be empty.
    public var question = ""
    /// Whether what was expected holds; nil where nothing was.
    public var verdict: Verdict?
    /// The answer.
    public let sentence: String
    /// Whether a text's first line says the answer, and not only what it is about.
    public var isBrief = false
    /// What has to be known with it, a sentence or two each.
    public var remarks: [String] = []
    /// What it was worked out from, by name.
    public var facts: [(name: String, value: String)] = []
    /// What it rests on.
    public var sections: [Section] = []
    /// The command that works it out again; may be empty.
    public let replayCommand: String

    /// An answer.
    public init(kind: String, subject: String, sentence: String, replayCommand: String = "") {
        self.kind = kind
        self.subject = subject
        self.sentence = sentence
        self.replayCommand = replayCommand
    }
}
