/// A document that writes `startNs` for its member `startNanoseconds`.
public protocol ShortUnits: Codable {}

extension Array: ShortUnits where Element: ShortUnits {}

extension CodingKey {
    /// The name that a document with short units has for a member.
    public var withShortUnit: any CodingKey { self.replacing("Nanoseconds", with: "Ns") }

    /// The member that a document with short units names so.
    var withLongUnit: any CodingKey { self.replacing("Ns", with: "Nanoseconds") }

    private func replacing(_ suffix: String, with other: String) -> any CodingKey {
        guard stringValue.hasSuffix(suffix) else { return self }
        return ShortUnitKey(stringValue: stringValue.dropLast(suffix.count) + other)
    }
}

private struct ShortUnitKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
