/// A law that any sound run obeys, such as "every attempt has one cause".
public struct SelfCheck: Codable, Hashable, Sendable {
    /// The law in a few words.
    public let name: String
    /// Whether the run obeyed it.
    public let ok: Bool
    /// The numbers on both sides.
    public let detail: String

    /// The outcome of holding a run against the law.
    public init(name: String, ok: Bool, detail: String) {
        self.name = name
        self.ok = ok
        self.detail = detail
    }
}
