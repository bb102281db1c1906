/// One header field.
public struct HTTPHeader: Hashable, Sendable, CustomStringConvertible {
    /// The field's name as it is sent; compared without regard to case.
    public let name: String
    /// The field's value as it is sent.
    public let value: String

    /// A field from its name and value, neither of which is checked or trimmed.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// `name: value`.
    public var description: String { "\(name): \(value)" }

    fileprivate func has(_ name: String) -> Bool {
        self.name == name || self.name.isEqualIgnoringASCIICase(to: name)
    }
}

/// Header fields in the order they were first added, each name once whatever its case, unless one
/// is appended.
///
/// A later value replaces an earlier one in place and brings its own spelling of the name; fields
/// that may be there several times, as `Set-Cookie` and `Via` are, are appended. An array and a
/// linear search: a request carries about five fields, for which no hash table pays. Nothing beside
/// the array, not even a flag for a name that is there several times: a second member would make
/// each copy of a request or response cost more than all searches.
public struct HTTPHeaders: Hashable, Sendable {
    private var fields: [HTTPHeader] = []

    /// No fields.
    public init() {}

    /// Fields in order; of equal names the last value and spelling win, at the first one's place.
    public init(_ headers: [HTTPHeader]) {
        // Nearly always no name is there twice, nor are two equally long.
        let isPlain = headers.withUnsafeBufferPointer { headers in
            headers.indices.allSatisfy { later in
                (0..<later).allSatisfy {
                    headers[$0].name.utf8.count != headers[later].name.utf8.count
                }
            }
        }
        if isPlain {
            fields = headers
        } else {
            for header in headers { update(header) }
        }
    }

    /// Sets a field, replacing an equal name in place.
    public mutating func add(_ header: HTTPHeader) { update(header) }

    /// Sets a field, replacing an equal name in place.
    public mutating func add(name: String, value: String) {
        update(HTTPHeader(name: name, value: value))
    }

    /// Adds a field behind all others, also where its name is there already.
    public mutating func append(_ header: HTTPHeader) {
        fields.append(header)
    }

    /// Adds a field behind all others, also where its name is there already.
    public mutating func append(name: String, value: String) {
        append(HTTPHeader(name: name, value: value))
    }

    /// Sets a field, replacing an equal name in place, and further ones of that name.
    public mutating func update(_ header: HTTPHeader) {
        if let index = index(of: header.name) {
            while let further = self.index(of: header.name, from: index + 1) {
                fields.remove(at: further)
            }
            fields[index] = header
        } else {
            fields.append(header)
        }
    }

    /// Sets a field, replacing an equal name in place.
    public mutating func update(name: String, value: String) {
        update(HTTPHeader(name: name, value: value))
    }

    /// Removes every field of a name; an absent name changes nothing.
    public mutating func remove(name: String) {
        while let index = index(of: name) { fields.remove(at: index) }
    }

    /// The value of a field, whatever the case of its name; of a name that is there several times
    /// all values with a comma between them, which is what they mean together.
    public func value(for name: String) -> String? {
        let length = name.utf8.count
        var place = -1
        for position in fields.indices where fields[position].name.utf8.count == length {
            guard fields[position].has(name) else { continue }
            guard place < 0 else { return values(for: name).joined(separator: ", ") }
            place = position
        }
        return place < 0 ? nil : fields[place].value
    }

    /// The values of every field of a name, in order.
    public func values(for name: String) -> [String] {
        fields.filter { $0.has(name) }.map(\.value)
    }

    /// The value of a field; assigning `nil` removes it.
    public subscript(_ name: String) -> String? {
        get { value(for: name) }
        set {
            if let newValue {
                update(name: name, value: newValue)
            } else {
                remove(name: name)
            }
        }
    }

    /// The fields by name, without their order; values of one name with a comma between them.
    public var dictionary: [String: String] {
        fields.reduce(into: [:]) { dictionary, field in
            let name = fields[index(of: field.name) ?? 0].name
            dictionary[name] = dictionary[name].map { "\($0), \(field.value)" } ?? field.value
        }
    }

    private func index(of name: String, from start: Int = 0) -> Int? {
        // Skips names of other lengths before anything else.
        let length = name.utf8.count
        return fields.withUnsafeBufferPointer { fields in
            for position in start..<fields.count where fields[position].name.utf8.count == length {
                if fields[position].has(name) { return position }
            }
            return nil
        }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Fields in the order they are written; of equal names the last wins.
    public init(dictionaryLiteral elements: (String, String)...) {
        // Reserves memory for two more: most routers add a token and a content type.
        fields.reserveCapacity(elements.count + 2)
        for (name, value) in elements { update(HTTPHeader(name: name, value: value)) }
    }
}

extension HTTPHeaders: ExpressibleByArrayLiteral {
    /// Fields in the order they are written; of equal names the last wins.
    public init(arrayLiteral elements: HTTPHeader...) { self.init(elements) }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// One past the position of the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> HTTPHeader { fields[position] }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One `name: value` per line, in order.
    public var description: String { fields.map(\.description).joined(separator: "\n") }
}

extension String {
    /// Compares ASCII letters without their case, as names of header fields are compared.
    func isEqualIgnoringASCIICase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { left, right in
            left == right || left.asciiLowercased == right.asciiLowercased
        }
    }
}

extension StringProtocol {
    /// The text with ASCII capital letters made small, as words of protocols are compared: no other
    /// letter is one of theirs.
    public var asciiLowercased: String {
        String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
    }
}

extension UInt8 {
    /// The byte, with an ASCII capital letter made small.
    var asciiLowercased: UInt8 { self &- 65 < 26 ? self | 32 : self }
}

/// The fields that clients write most often, by their meaning.
extension HTTPHeader {
    /// `Authorization`.
    public static func authorization(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Authorization", value: value)
    }

    /// `Content-Type`.
    public static func contentType(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Type", value: value)
    }
}
