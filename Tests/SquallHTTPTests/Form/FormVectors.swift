import Foundation

@testable import SquallHTTP

/// A value that encodes itself as a closure says.
struct Parameters: Encodable, Sendable {
    let write: @Sendable (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try write(encoder) }
}

/// What a form encoder makes of a value.
struct FormVector: CustomStringConvertible, Sendable {
    let name: String
    let expected: String
    let text: @Sendable () throws -> String

    var description: String { name }

    init<Value: Encodable & Sendable>(
        _ name: String, _ value: Value, _ expected: String,
        _ change: @escaping @Sendable (inout URLEncodedFormEncoder) -> Void = { _ in }
    ) {
        self.name = name
        self.expected = expected
        text = { try URLEncodedFormEncoder(change).encode(value) }
    }
}

struct Outer: Encodable, Sendable {
    var one = 1
    var two = Inner()
    var list: [Inner]? = nil
    struct Inner: Encodable, Sendable {
        var a = "x"
        var b: [Int] = [2, 1]
    }
}

class Base: Encodable, @unchecked Sendable {
    // Safe because it is immutable.
    let base = 1
    private enum CodingKeys: String, CodingKey { case base }
}

final class Derived: Base, @unchecked Sendable {
    // Safe because it is immutable.
    let own = 2
    private enum CodingKeys: String, CodingKey { case own }
    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(own, forKey: .own)
    }
}

final class Nesting: Base, @unchecked Sendable {
    // Safe because it is immutable.
    private enum CodingKeys: String, CodingKey { case own }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try super.encode(to: container.superEncoder())
        var list = container.nestedUnkeyedContainer(forKey: .own)
        try list.encode(1)
        var pairs = list.nestedContainer(keyedBy: CodingKeys.self)
        try pairs.encode("x", forKey: .own)
    }
}

struct Manual: Encodable, Sendable {
    enum Key: String, CodingKey { case root, list, leaf, absent }
    func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        var pairs = root.nestedContainer(keyedBy: Key.self, forKey: .root)
        var list = pairs.nestedUnkeyedContainer(forKey: .list)
        for number in [1, 2] { try list.encode(number) }
        try list.encodeNil()
        try pairs.encode(true, forKey: .leaf)
        try pairs.encodeNil(forKey: .absent)
    }
}

struct Absent: Encodable, Sendable {
    var a: Int? = nil
    var b: String? = nil
    var c = "x"
}

struct Unsorted: Encodable, Sendable {
    var z = 1
    var a = 2
    var m = [3, 1]
}
