import SquallFormat

/// A hash over everything that happened in a run, in order.
public struct RunDigest: Equatable, Sendable {
    /// The hash in sixteen hexadecimal digits.
    public let text: String

    /// The digest of that value.
    public init(_ value: UInt64) {
        text = value.hexadecimal
    }
}

extension RunDigest: Codable {
    /// Reads sixteen hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard text.wholeMatch(of: /[0-9a-f]{16}/) != nil else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected sixteen hexadecimal digits, got '\(text)'")
        }
    }

    /// Writes the digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

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
