/// The elements of an array, one after another.
struct TapeElements: UnkeyedDecodingContainer {
    private let elements: [TapeDecoder]
    private let reading: JSONReading
    private(set) var currentIndex = 0

    /// The elements of an array, including those of its runs.
    init(array: TapeDecoder) throws {
        reading = array.reading
        elements = try array.elements().flatMap { place in
            let value = array.tape.values[place]
            guard value.kind == .run else { return [array.at(place)] }
            return try TapeElements.elements(ofRun: value, array)
        }
    }

    private static func elements(
        ofRun value: JSONTape.Value, _ array: TapeDecoder
    ) throws -> [TapeDecoder] {
        guard let tape = JSONTape(run: array.tape.chunk(of: value)) else {
            throw array.reading.unclear()
        }
        return tape.places().map { TapeDecoder(tape: tape, place: $0, reading: array.reading) }
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw reading.unclear() }
        guard elements[currentIndex].decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type
    ) throws -> Number { try take().integer() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { throw reading.unclear() }

    /// The next element, which then counts as read.
    private mutating func take() throws -> TapeDecoder {
        guard !isAtEnd else { throw reading.unclear() }
        defer { currentIndex += 1 }
        return elements[currentIndex]
    }
}
