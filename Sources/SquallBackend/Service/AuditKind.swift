/// A kind of thing that an ``Audit`` finds, in the words that results use for it.
public struct AuditKind: Hashable, Sendable {
    /// What it is called, without dynamic parts: `list.repeated`.
    public let name: String
    /// One of them, as a sentence counts it: `purchase paid for twice`.
    public let one: String
    /// Several of them: `purchases paid for twice`.
    public let many: String
    /// What is held against what, in a sentence.
    public let meaning: String

    /// A kind with its words.
    public init(_ name: String, one: String, many: String, meaning: String) {
        self.name = name
        self.one = one
        self.many = many
        self.meaning = meaning
    }
}
