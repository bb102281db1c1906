public import Foundation

/// Values as JSON documents: written in one canonical form, and read strictly.
public enum JSONDocument {
    /// The document of a value: names sorted, indented by two spaces, with a line feed at its end.
    ///
    /// Integers keep all their digits; fractions have the shortest text that reads back as the
    /// same number.
    ///
    /// - Precondition: every number in it is finite.
    public static func text(_ value: some Encodable) -> String {
        text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]) + "\n"
    }

    /// The document of a value on one line.
    public static func line(_ value: some Encodable) -> String {
        text(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Reads a document strictly: every name must be there, none may be unknown, and numbers must
    /// be small enough that sums and differences do not overflow.
    ///
    /// - Throws: the line, the key path and the fault there.
    public static func read<Value: Codable>(
        _ type: Value.Type, from data: Data
    ) throws(FileSyntaxError) -> Value {
        let document = try parse(data)
        if let problem = firstBeyond(in: document, []) { throw problem }
        let value: Value
        do {
            let decoder = JSONDecoder()
            if type is any ShortUnits.Type {
                decoder.keyDecodingStrategy = .custom { $0[$0.count - 1].withLongUnit }
            }
            value = try decoder.decode(type, from: data)
        } catch {
            throw problem(error, in: document, isShort: type is any ShortUnits.Type)
        }
        if let unknown = firstUnknown(in: document, known: try parse(Data(text(value).utf8)), []) {
            throw unknown
        }
        return value
    }

    private static func text(
        _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
    ) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        if value is any ShortUnits {
            encoder.keyEncodingStrategy = .custom { $0[$0.count - 1].withShortUnit }
        }
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            preconditionFailure("a value cannot be written as JSON: \(error)")
        }
    }

    private static func parse(_ data: Data) throws(FileSyntaxError) -> JSONNode {
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(Array(data))
        } catch {
            throw FileSyntaxError(line: error.place.line, problem: error.problem)
        }
    }

    private static func problem(
        _ error: any Error, in document: JSONNode, isShort: Bool
    ) -> FileSyntaxError {
        guard let error = error as? DecodingError else {
            return FileSyntaxError(line: document.place.line, problem: "\(error)")
        }
        let name = { (key: any CodingKey) in isShort ? key.withShortUnit : key }
        let path = error.context.codingPath.map(name)
        let node = document.node(at: path)
        let words =
            switch error {
            case .keyNotFound(let key, _):
                "\((path + [name(key)]).pointer) is missing"
                    + (Spelling.nearest(to: name(key).stringValue, among: node.members.map(\.name))
                        .map { "; is '\($0)' meant for it?" } ?? "")
            case .typeMismatch(let type, _), .valueNotFound(let type, _):
                "\(path.pointer) must be \(words(for: type)), got \(node.summary)"
            case .dataCorrupted(let context): "\(path.pointer): \(context.debugDescription)"
            @unknown default: "\(path.pointer) cannot be read"
            }
        return FileSyntaxError(line: node.place.line, problem: words)
    }

    /// The first number too large for a sum of two; seeds are exempt, since they are never added.
    private static func firstBeyond(
        in document: JSONNode, _ path: [String]
    ) -> FileSyntaxError? {
        switch document.value {
        case .object(let members):
            for member in members where !["seed", "seeds"].contains(member.name) {
                if let found = firstBeyond(in: member.value, path + [member.name]) { return found }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let found = firstBeyond(in: element, path + ["\(index)"]) { return found }
            }
        case .number(let text):
            guard let number = Double(text), number.magnitude < numberMax else {
                return FileSyntaxError(
                    line: document.place.line,
                    problem: "\(path.pointer) is \(text.excerpt()), which no run comes to")
            }
        case .string, .bool, .null: break
        }
        return nil
    }

    private static let numberMax = 0x1p62

    private static func words(for type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Double.Type: "a number"
        case is any FixedWidthInteger.Type: "a whole number"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "a \(type)"
        }
    }

    /// The first name in a document that the type does not have.
    private static func firstUnknown(
        in document: JSONNode, known: JSONNode, _ path: [String]
    ) -> FileSyntaxError? {
        switch (document.value, known.value) {
        case (.object(let members), .object):
            for member in members {
                let path = path + [member.name]
                guard let other = known[member.name] else {
                    let hint = Spelling.hint(for: member.name, among: known.members.map(\.name))
                    return FileSyntaxError(
                        line: member.place.line,
                        problem: "\(path.pointer) is not known here.\(hint)")
                }
                if let unknown = firstUnknown(in: member.value, known: other, path) {
                    return unknown
                }
            }
        case (.array(let elements), .array):
            for (index, element) in elements.enumerated() {
                guard let other = known[index] else { continue }
                if let unknown = firstUnknown(in: element, known: other, path + ["\(index)"]) {
                    return unknown
                }
            }
        default: break
        }
        return nil
    }
}

extension DecodingError {
    fileprivate var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "")
        }
    }
}

extension JSONNode {
    /// The deepest existing value on a path.
    fileprivate func node(at path: [any CodingKey]) -> JSONNode {
        guard let key = path.first else { return self }
        let next = key.intValue.map { self[$0] } ?? self[key.stringValue]
        return next?.node(at: Array(path.dropFirst())) ?? self
    }
}

extension [any CodingKey] {
    fileprivate var pointer: String {
        map { $0.intValue.map(String.init) ?? $0.stringValue }.pointer
    }
}

extension [String] {
    /// A key path as a JSON pointer: `/metrics/3/values/count`.
    fileprivate var pointer: String { isEmpty ? "the document" : "/" + joined(separator: "/") }
}
