import Foundation

/// Encodes one value into one place of the tree.
struct FormValueEncoder: Encoder {
    let node: FormNode
    let options: URLEncodedFormEncoder
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.become(.object([]))
        return KeyedEncodingContainer(FormKeyedContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.become(.array([]))
        return FormUnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormSingleContainer(encoder: self)
    }

    /// Encodes a value whose type may have a spelling of its own.
    func encode(_ value: some Encodable) throws {
        if let text = try ownSpelling(of: value) {
            node.value = .string(text)
        } else {
            try value.encode(to: self)
        }
    }

    func encodeNil() {
        if let text = options.nilEncoding.text { node.value = .string(text) }
    }

    func below(_ key: any CodingKey, _ child: FormNode) -> FormValueEncoder {
        FormValueEncoder(node: child, options: options, codingPath: codingPath + [key])
    }

    private func ownSpelling(of value: some Encodable) throws -> String? {
        switch value {
        case let date as Date: try options.dateEncoding.text(of: date)
        case let data as Data: try options.dataEncoding.text(of: data)
        case let decimal as Decimal: decimal.description
        case let bool as Bool: options.boolEncoding.text(of: bool)
        default: nil
        }
    }
}

extension URLEncodedFormEncoder.DateEncoding {
    fileprivate func text(of date: Date) throws -> String? {
        switch self {
        case .deferredToDate: nil
        case .secondsSince1970: String(date.timeIntervalSince1970)
        case .millisecondsSince1970: String(date.timeIntervalSince1970 * 1000)
        case .iso8601: date.formatted(.iso8601)
        case .custom(let text): try text(date)
        }
    }
}

extension URLEncodedFormEncoder.DataEncoding {
    fileprivate func text(of data: Data) throws -> String? {
        switch self {
        case .deferredToData: nil
        case .base64: data.base64EncodedString()
        case .custom(let text): try text(data)
        }
    }
}

extension URLEncodedFormEncoder.BoolEncoding {
    func text(of value: Bool) -> String {
        switch self {
        case .numeric: value ? "1" : "0"
        case .literal: value ? "true" : "false"
        }
    }
}

private struct FormSingleContainer: SingleValueEncodingContainer {
    let encoder: FormValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.encodeNil() }

    func encode(_ value: Bool) { set(encoder.options.boolEncoding.text(of: value)) }
    func encode(_ value: String) { set(value) }
    func encode(_ value: Double) { set(String(value)) }
    func encode(_ value: Float) { set(String(value)) }
    func encode(_ value: some FixedWidthInteger & Encodable) { set(String(value)) }
    func encode(_ value: some Encodable) throws { try encoder.encode(value) }

    private func set(_ text: String) { encoder.node.value = .string(text) }
}

private struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: FormValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int {
        guard case .array(let elements) = encoder.node.value else { return 0 }
        return elements.count
    }

    /// An absent element is left out unless it has a spelling.
    func encodeNil() {
        if encoder.options.nilEncoding.text != nil { element().encodeNil() }
    }

    func encode(_ value: some Encodable) throws { try element().encode(value) }

    func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) -> KeyedEncodingContainer<Key> {
        element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }

    func superEncoder() -> any Encoder { element() }

    private func element() -> FormValueEncoder {
        encoder.below(FormKey(intValue: count), encoder.node.appendElement())
    }
}

private struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FormValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { child(key).encodeNil() }
    func encode(_ value: some Encodable, forKey key: Key) throws { try child(key).encode(value) }

    // The compiler writes `encodeIfPresent` for optional properties, and its default drops `nil`
    // before an option can give it a spelling.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try optional(value, key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { child(FormKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { child(key) }

    private func optional<Value: Encodable>(_ value: Value?, _ key: Key) throws {
        guard let value else { return encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    private func child(_ key: any CodingKey) -> FormValueEncoder {
        encoder.below(key, encoder.node.child(named: key.stringValue))
    }
}

/// A name without a coding key in the program.
private struct FormKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
