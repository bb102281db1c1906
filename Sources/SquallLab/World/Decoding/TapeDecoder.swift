import Foundation
import SquallClient

/// One value of a tape, as a `Decodable` type reads it.
///
/// An error that comes out means that Foundation must decode, so none says more than its kind.
struct TapeDecoder {
    let tape: JSONTape
    /// The value's position on the tape.
    let place: Int
    let reading: JSONReading

    var value: JSONTape.Value { tape.values[place] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == [String].self {
            let texts = try stretches(of: String.self)
            return unsafeBitCast(texts.count == 1 ? texts[0] : texts.flatMap(\.self), to: type)
        }
        if type == String.self { return unsafeBitCast(try string(), to: type) }
        if type == Bool.self { return unsafeBitCast(try bool(), to: type) }
        if type == Double.self { return unsafeBitCast(try double(), to: type) }
        // Types that Foundation decodes in its own ways.
        guard type != Date.self, type != Data.self, type != URL.self, type != Decimal.self,
            type != Float.self
        else { throw reading.unclear() }
        return try Value(from: self)
    }

    func string() throws -> String {
        guard value.kind == .string || value.kind == .escaped else { throw mismatch(String.self) }
        guard let text = tape.text(value) else { throw reading.unclear() }
        return text
    }

    func integer<Number: FixedWidthInteger>() throws -> Number {
        guard value.kind == .number else { throw mismatch(Number.self) }
        guard let integer = tape.integer(value), let number = Number(exactly: integer) else {
            throw reading.unclear()
        }
        return number
    }

    func double() throws -> Double {
        guard value.kind == .number else { throw mismatch(Double.self) }
        guard let text = tape.text(value), let number = Double(text), number.isFinite else {
            throw reading.unclear()
        }
        return number
    }

    func bool() throws -> Bool {
        switch value.kind {
        case .isTrue: true
        case .isFalse: false
        default: throw mismatch(Bool.self)
        }
    }

    /// The error for a value of another kind than is asked for: a type may swallow it, and ask for
    /// another.
    private func mismatch(_ type: any Any.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: [], debugDescription: "")
        return value.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The places of an array's elements; runs stay as they are.
    func elements() throws -> [Int] {
        guard value.kind == .array else { throw mismatch([Any].self) }
        return tape.places(from: place + 1, to: Int(value.next))
    }

    func at(_ place: Int) -> TapeDecoder { TapeDecoder(tape: tape, place: place, reading: reading) }
}

extension TapeDecoder: StretchDecoder {
    /// Its runs, each read once, and the elements between them.
    func stretches<Element: Decodable & Sendable>(of type: Element.Type) throws -> [[Element]] {
        guard value.kind == .array else { throw mismatch([Any].self) }
        var (stretches, loose): ([[Element]], [Element]) = ([], [])
        var next = place + 1
        while next < Int(value.next) {
            let element = tape.values[next]
            if element.kind == .run {
                if !loose.isEmpty { stretches.append(loose) }
                loose = []
                let run = tape.chunk(of: element)
                stretches.append(try reading.owner.elements(ofRun: run, reading))
            } else {
                loose.append(try at(next).decode(Element.self))
            }
            next = Int(element.next)
        }
        if !loose.isEmpty { stretches.append(loose) }
        return stretches
    }

    /// Its runs, each looked through once, and the texts between them.
    func texts() throws -> [TextStretch] {
        guard value.kind == .array else { throw mismatch([String].self) }
        var stretches: [TextStretch] = []
        var next = place + 1
        while next < Int(value.next) {
            let element = tape.values[next]
            let chunk = tape.chunk(of: element)
            switch element.kind {
            case .run: stretches.append(try reading.owner.texts(ofRun: chunk, reading))
            case .string:
                // With their quotation marks.
                let (first, end) = (Int(element.start) - 1, Int(element.end) + 1)
                let last = stretches.count - 1
                if last < 0 || !stretches[last].goOn(in: chunk, to: end) {
                    stretches.append(TextStretch(of: chunk, first..<end, count: 1))
                }
            case .escaped: throw reading.unclear()
            default: throw at(next).mismatch(String.self)
            }
            next = Int(element.next)
        }
        return stretches
    }

    func shared<Object: AnyObject & Sendable>(by make: (String) -> Object) throws -> Object {
        reading.owner.object(for: try string(), by: make)
    }

    func part<Part: AnyObject & Decodable & Sendable>(_ type: Part.Type) throws -> Part {
        guard place == 0, let head = tape.head else { return try Part(from: self) }
        return try reading.owner.part(type, ofHead: head, in: self)
    }
}

extension TapeDecoder: Decoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.kind == .object else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(TapeMembers<Key>(object: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try TapeElements(array: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try bool() }

    func decode(_ type: String.Type) throws -> String { try string() }

    func decode(_ type: Double.Type) throws -> Double { try double() }

    func decode(_ type: Float.Type) throws -> Float { throw reading.unclear() }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try integer()
    }
}
