/// A list that shares its unchanged stretches with other versions of itself.
///
/// A post that many users comment on is read again whenever one more does. An array would have to
/// be copied each time; this keeps the stretches that a decoder has read before. Models with long
/// lists of other users' actions can use it in place of an array; from a decoder that does not know
/// stretches it is an array.
///
/// ```swift
/// struct Post: Decodable { let comments: SharedList<Comment> }
/// ```
public struct SharedList<Element: Decodable & Sendable>: Sendable {
    private let stretches: [[Element]]
    /// How many elements there are.
    public let count: Int

    /// A list of stretches, one behind the other.
    public init(stretches: [[Element]]) {
        self.stretches = stretches
        count = stretches.reduce(0) { $0 + $1.count }
    }

    /// The list with further elements behind it, all of which it shares.
    public func appending(_ elements: [Element]) -> SharedList {
        SharedList(stretches: stretches + [elements])
    }

    /// The elements as an array.
    ///
    /// - Complexity: O(`count`).
    public var elements: [Element] { stretches.flatMap(\.self) }
}

extension SharedList: Sequence {
    /// The elements, one after another.
    public func makeIterator() -> FlattenSequence<[[Element]]>.Iterator {
        stretches.joined().makeIterator()
    }

    /// Exactly ``count``.
    public var underestimatedCount: Int { count }

    /// True without elements; takes no walk over the stretches.
    public var isEmpty: Bool { count == 0 }
}

extension SharedList: Decodable {
    /// The list as a decoder has it, which is an array unless the decoder knows stretches.
    ///
    /// - Throws: what decoding an array throws.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? any StretchDecoder {
            self.init(stretches: try decoder.stretches(of: Element.self))
        } else {
            self.init(stretches: [try [Element](from: decoder)])
        }
    }
}

/// Decodes a list in stretches, some of which it has decoded before, and texts and objects that it
/// has met.
public protocol StretchDecoder: Decoder {
    /// The value as stretches of a list.
    ///
    /// - Throws: when it is no list, or an element is none of the type.
    func stretches<Element: Decodable & Sendable>(of type: Element.Type) throws -> [[Element]]
    /// The value as stretches of texts, none of which is read.
    ///
    /// - Throws: when it is no list, or an element is no text.
    func texts() throws -> [TextStretch]
    /// The object that stands for the value, a text; made unless one of its type is known.
    ///
    /// - Throws: when it is no text.
    func shared<Object: AnyObject & Sendable>(by make: (String) -> Object) throws -> Object
    /// The value as an object of members that come first in it; one for all texts that differ in
    /// others only.
    ///
    /// - Throws: what decoding the object throws.
    func part<Part: AnyObject & Decodable & Sendable>(_ type: Part.Type) throws -> Part
}
