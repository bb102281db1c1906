/// Something broken that a run came upon, or a question that it asked and never put to the test.
public struct Finding: Codable, Hashable, Sendable {
    /// What kind of thing it is, without changing parts, so that findings can be grouped.
    public let label: String
    /// What happened, with users, times and values.
    public let detail: String

    /// A finding of that kind.
    public init(label: String, detail: String) {
        self.label = label
        self.detail = detail
    }
}
