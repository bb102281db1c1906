public import Foundation

/// Encodes a value as `application/x-www-form-urlencoded`, byte for byte as Alamofire does.
///
/// ```swift
/// try URLEncodedFormEncoder().encode(["b": [2, 1]])  // "b%5B%5D=1&b%5B%5D=2"
/// ```
///
/// By default pairs are sorted as strings, which reorders an array's elements too, as the example
/// shows; switch `alphabetizesPairs` off where the order of elements matters.
public struct URLEncodedFormEncoder: Sendable {
    /// Whether pairs are sorted at every level; declaration order otherwise.
    public var alphabetizesPairs = true
    /// How an array's elements are named.
    public var arrayEncoding = ArrayEncoding.brackets
    /// How truth is spelled.
    public var boolEncoding = BoolEncoding.numeric
    /// How bytes are spelled.
    public var dataEncoding = DataEncoding.base64
    /// How dates are spelled.
    public var dateEncoding = DateEncoding.deferredToDate
    /// How names are spelled.
    public var keyEncoding = KeyEncoding.useDefaultKeys
    /// How a nested name follows the name around it.
    public var keyPathEncoding = KeyPathEncoding.brackets
    /// What becomes of absent values.
    public var nilEncoding = NilEncoding.dropKey
    /// How a space is spelled.
    public var spaceEncoding = SpaceEncoding.percentEscaped
    /// Which bytes of UTF-8 stay as they are; a space is left to `spaceEncoding`.
    public var isAllowed: @Sendable (UInt8) -> Bool = { byte in
        byte.isUnreservedInURL || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "/")
    }

    /// An encoder with Alamofire's defaults.
    public init() {}

    /// An encoder with some defaults changed.
    public init(_ change: (inout URLEncodedFormEncoder) -> Void) { change(&self) }

    /// Encodes a value with names, such as a structure or a dictionary.
    ///
    /// A dictionary's order is the hash table's unless pairs are sorted.
    ///
    /// - Throws: `invalidRootObject` for a lone value or an array, and whatever the value throws.
    public func encode(_ value: some Encodable) throws -> String {
        let root = FormNode()
        try FormValueEncoder(node: root, options: self, codingPath: []).encode(value)
        guard case .object(let pairs) = root.value else {
            throw FormEncodingError.invalidRootObject(root.value.kind)
        }
        return FormSerializer(options: self).text(of: pairs)
    }
}

/// Why a value cannot be a form.
public enum FormEncodingError: Error, Hashable, Sendable {
    /// The outermost value has no names: `array`, `string` or `nothing`.
    case invalidRootObject(String)
}

extension URLEncodedFormEncoder {
    /// How an array's elements are named.
    public enum ArrayEncoding: Sendable {
        /// `key[]`.
        case brackets
        /// `key`.
        case noBrackets
        /// `key[0]`.
        case indexInBrackets
        /// A name made of the key and the index.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        func name(_ key: String, at index: Int) -> String {
            switch self {
            case .brackets: key + "[]"
            case .noBrackets: key
            case .indexInBrackets: "\(key)[\(index)]"
            case .custom(let name): name(key, index)
            }
        }
    }

    /// How truth is spelled.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal
    }

    /// How bytes are spelled.
    public enum DataEncoding: Sendable {
        /// As `Data` encodes itself: an array of numbers.
        case deferredToData
        /// In base 64.
        case base64
        /// In the program's own way.
        case custom(@Sendable (Data) throws -> String)
    }

    /// How dates are spelled.
    public enum DateEncoding: Sendable {
        /// As `Date` encodes itself: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970, with a fraction.
        case secondsSince1970
        /// Milliseconds since 1970, with a fraction.
        case millisecondsSince1970
        /// `2001-01-01T00:00:00Z`.
        case iso8601
        /// In the program's own way.
        case custom(@Sendable (Date) throws -> String)
    }

    /// How a nested name follows the name around it.
    public enum KeyPathEncoding: Sendable {
        /// `outer[inner]`.
        case brackets
        /// `outer.inner`.
        case dots
        /// What follows the outer name, made of the inner one.
        case custom(@Sendable (_ inner: String) -> String)

        func suffix(_ key: String) -> String {
            switch self {
            case .brackets: "[\(key)]"
            case .dots: ".\(key)"
            case .custom(let suffix): suffix(key)
            }
        }
    }

    /// What becomes of absent values.
    public enum NilEncoding: Sendable {
        /// The pair is left out.
        case dropKey
        /// `key=`.
        case dropValue
        /// `key=null`.
        case null

        var text: String? {
            switch self {
            case .dropKey: nil
            case .dropValue: ""
            case .null: "null"
            }
        }
    }

    /// How a space is spelled.
    public enum SpaceEncoding: String, Sendable {
        /// `%20`.
        case percentEscaped = "%20"
        /// `+`.
        case plusReplaced = "+"
    }
}

extension String {
    /// The string with every byte of its UTF-8 percent-encoded that `isAllowed` refuses.
    public func percentEncoded(allowing isAllowed: (UInt8) -> Bool) -> String {
        guard !utf8.allSatisfy(isAllowed) else { return self }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count * 3)
        for byte in utf8 {
            if isAllowed(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(hexDigit(byte >> 4))
                encoded.append(hexDigit(byte & 15))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

extension UInt8 {
    /// Whether the byte is a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    public var isUnreservedInURL: Bool {
        switch self {
        case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
        default: false
        }
    }
}
