import Testing

@testable import SquallFormat

/// What a schema of a request takes and refuses.
@Suite("Schemas of requests")
struct ValueSchemaTests {
    @Test(
        "Of alternatives one must hold, beside what stands around them",
        arguments: [
            (#"{"mail": "a", "id": 1}"#, true), (#"{"phone": 5, "id": 1}"#, true),
            (#"{"phone": "x", "id": 1}"#, false), (#"{"id": 1}"#, false),
            (#"{"mail": "a"}"#, false),
        ], ["anyOf", "oneOf"])
    func alternatives(_ sample: (value: String, isTaken: Bool), keyword: String) throws {
        let (value, isTaken) = sample
        let schema = """
            {"required": ["id"], "\(keyword)": [
              {"required": ["mail"], "properties": {"mail": {"type": "string"}}},
              {"required": ["phone"], "properties": {"phone": {"type": "integer"}}}]}
            """
        func json(_ text: String) throws -> JSON { JSON(try JSONParser.parse(Array(text.utf8))) }
        let own = ValueSchema(try json(schema))
        let sent = try json(value)
        #expect(own.accepts(sent) == isTaken)
        let fields = sent.members.mapValues(\.plain)
        #expect(own.accepts { fields[$0] } == isTaken)
        #expect(!own.requiring(["name"]).accepts(sent))
    }

    @Test(
        "A number is one of its format",
        arguments: [
            ("int32", "2147483647", true), ("int32", "2147483648", false),
            ("int32", "-2147483649", false), ("int64", "9007199254740993", true),
            ("int64", "9300000000000000000", false), ("float", "1e30", true),
        ])
    func formats(format: String, text: String, isTaken: Bool) {
        let own = ValueSchema(.object(["type": "number", "format": .string(format)]))
        #expect(own.accepts(.string(text)) == isTaken)
    }
}
