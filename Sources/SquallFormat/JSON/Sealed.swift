public import Foundation

/// A value in a file that is read back, with a checksum of its content: a member `checksum` beside
/// its own.
///
/// The checksum is over the members and not over their layout, so a file that was only laid out
/// anew is still whole.
public struct Sealed<Value: Codable>: Codable {
    /// The content.
    public let value: Value
    private let checksum: String

    /// A value with the checksum of its content.
    public init(_ value: Value) {
        self.value = value
        checksum = Sealed.checksum(of: value)
    }

    /// Reads the value and what its checksum was.
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

    /// The value of a document, strictly read.
    ///
    /// - Throws: the line and what is wrong there, or that the content is not what was written.
    public static func read(_ data: Data) throws(FileSyntaxError) -> Value {
        let sealed = try JSONDocument.read(Sealed<Value>.self, from: data)
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
