/// A value that a document always names, as `null` where there is none.
///
/// A member that may be left out would let a misspelt name read as nothing.
///
/// ```swift
/// struct Row: Codable { @OrNull var margin: Double? }
/// ```
@propertyWrapper
public struct OrNull<Value> {
    /// The value; nil where the document says null.
    public var wrappedValue: Value?

    /// A member with that value.
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
