/// An answer for people: first the answer as a sentence, then what it is based on.
///
/// The numbers of an answer are a separate type, in the module that computes it; this type is the
/// form of all answers on the terminal and on a page.
public struct AnswerDocument: Sendable {
    /// The kind of answer, such as `Capacity`, as its heading names it.
    public let kind: String
    /// Its subject, such as the profile's name; may be empty.
    let subject: String
    /// The question the profile asks; may be empty.
    public var question = ""
    /// The judgement by the expectations; `nil` without expectations.
    public var verdict: Verdict?
    /// The answer in one or two sentences.
    public let sentence: String
    /// True if the text's first line is the answer instead of its subject.
    public var isBrief = false
    /// Remarks on the answer, a sentence or two each.
    public var remarks: [String] = []
    /// The facts it was computed from, by name.
    public var facts: [(name: String, value: String)] = []
    /// The remarks of a brief text; nil where they are the same.
    public var briefRemarks: [String]?
    /// The sections of a brief text; nil where they are the same.
    public var briefSections: [Section]?
    /// The sections it is based on.
    public var sections: [Section] = []
    /// The command that computes it again; may be empty.
    let replayCommand: String

    /// Makes an answer.
    public init(kind: String, subject: String, sentence: String, replayCommand: String = "") {
        self.kind = kind
        self.subject = subject
        self.sentence = sentence
        self.replayCommand = replayCommand
    }
}
