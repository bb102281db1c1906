public import Foundation

/// A value in a file, with a checksum of its content as an additional member `checksum`.
///
/// The checksum covers the members and not their layout, so a file that was only reformatted is
/// still valid.
public struct Checksummed<Value: Codable>: Codable {
    /// The content.
    public let value: Value
    private let checksum: String

    /// Makes a value with the checksum of its content.
    public init(_ value: Value) {
        self.value = value
        checksum = Checksummed.checksum(of: value)
    }

    /// Reads the value and its stored checksum.
    public init(from decoder: any Decoder) throws {
        value = try Value(from: decoder)
        checksum = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .checksum)
    }

    /// Writes the value's members and the checksum.
    public func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(checksum, forKey: .checksum)
    }

    /// Reads the value of a document, strictly.
    ///
    /// - Throws: the line and the fault there, or that the content has changed.
    public static func read(_ data: Data) throws(FileSyntaxError) -> Value {
        let sealed = try JSONDocument.read(Checksummed<Value>.self, from: data)
        let found = checksum(of: sealed.value)
        guard found == sealed.checksum else {
            throw FileSyntaxError(
                line: 1,
                problem: "the content is not what was written: its checksum is \(found), and"
                    + " /checksum says \(sealed.checksum.excerpt())")
        }
        return sealed.value
    }

    private static func checksum(of value: Value) -> String {
        StableHash(of: JSONDocument.line(value).utf8).value.hexadecimal
    }

    private enum Key: String, CodingKey { case checksum }
}
