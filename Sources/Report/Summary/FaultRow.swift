/// Something that was done to the server on purpose.
public struct FaultRow: Hashable, Sendable {
    /// When it was done.
    public let atNanoseconds: Int64
    /// What was done, in the profile's words.
    public let label: String

    /// A fault of a profile.
    public init(atNanoseconds: Int64, label: String) {
        self.atNanoseconds = atNanoseconds
        self.label = label
    }

    var json: JSON { .object(["atNs": .integer(atNanoseconds), "label": .string(label)]) }
}
