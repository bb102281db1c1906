/// A law that any sound run obeys, such as "every attempt has one cause".
public struct SelfCheck: Codable, Sendable {
    /// The law in a few words.
    public let name: String
    /// Whether the run obeyed it.
    public let ok: Bool
    /// The numbers on both sides of the law.
    public let detail: String

    /// Makes the result of a check.
    public init(name: String, ok: Bool, detail: String) {
        self.name = name
        self.ok = ok
        self.detail = detail
    }
}
