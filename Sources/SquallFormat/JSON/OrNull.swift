/// A member that a document always contains, as `null` where there is no value.
///
/// If members could be left out, a misspelt name would read as nil.
///
/// ```swift
/// struct Row: Codable { @OrNull var margin: Double? }
/// ```
@propertyWrapper
public struct OrNull<Value> {
    /// The value; nil where the document has null.
    public var wrappedValue: Value?

    /// Makes a member with a value.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }
}

extension OrNull: Equatable where Value: Equatable {}
extension OrNull: Hashable where Value: Hashable {}
extension OrNull: Sendable where Value: Sendable {}

extension OrNull: Encodable where Value: Encodable {
    /// Writes the value or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension OrNull: Decodable where Value: Decodable {
    /// Reads the value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}
