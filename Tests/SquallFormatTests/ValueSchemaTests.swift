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
        let own = ValueSchema(try Self.json(schema))
        let sent = try Self.json(value)
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

    private static func json(_ text: String) throws -> JSON {
        JSON(try JSONParser.parse(Array(text.utf8)))
    }

    @Test(
        "Each keyword refuses what servers refuse, and takes what they read as it",
        arguments: [
            (#"{"allOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, #"{"a": 1}"#, false),
            (#"{"allOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, #"{"a": 1, "b": 2}"#, true),
            (#"{"properties": {"a": {"type": "integer"}}}"#, #"{"a": null}"#, true),
            (
                #"{"required": ["a"], "properties": {"a": {"type": "integer"}}}"#, #"{"a": null}"#,
                false
            ),
            (#"{"type": "string", "maxLength": 3}"#, #""für""#, true),
            (#"{"type": "string", "maxLength": 3}"#, #""four""#, false),
            (#"{"type": "boolean"}"#, "1", true), (#"{"type": "boolean"}"#, "2", false),
            (#"{"type": "boolean"}"#, #""True""#, true),
            (#"{"type": "boolean"}"#, #""yes""#, false),
            (#"{"enum": [5, 7]}"#, #""7""#, true), (#"{"enum": [5, 7]}"#, "6", false),
            (#"{"enum": ["5", "7"]}"#, #""7""#, true), (#"{"enum": ["5", "7"]}"#, "7", true),
            (#"{"type": "array", "maxItems": 1}"#, "[1]", true),
            (#"{"type": "array", "maxItems": 1}"#, "[1, 2]", false),
            (#"{"items": {"type": "integer", "minimum": 2}}"#, "[2, 3]", true),
            (#"{"items": {"type": "integer", "minimum": 2}}"#, "[2, 1]", false),
            (#"{"type": "integer"}"#, "1.0", true), (#"{"type": "integer"}"#, "1.5", false),
            (#"{"type": ["integer", "null"]}"#, "null", true),
            (#"{"exclusiveMinimum": 0, "exclusiveMaximum": 1}"#, "0.5", true),
            (#"{"exclusiveMinimum": 0}"#, "0", false), (#"{"exclusiveMaximum": 1}"#, "1", false),
            (#"{"additionalProperties": false, "properties": {"a": {}}}"#, #"{"a": 1}"#, true),
            (#"{"additionalProperties": false, "properties": {"a": {}}}"#, #"{"b": 1}"#, false),
            (#"{"additionalProperties": {}, "properties": {"a": {}}}"#, #"{"b": 1}"#, true),
        ] as [(String, String, Bool)])
    func keywords(_ schema: String, _ value: String, isTaken: Bool) throws {
        #expect(try ValueSchema(Self.json(schema)).accepts(Self.json(value)) == isTaken)
    }

    @Test("Of a form the texts are judged; of lists and objects nothing is said")
    func forms() throws {
        let schema = """
            {"allOf": [{"required": ["age"]}], "properties": {
              "age": {"type": "integer", "maximum": 99}, "tags": {"type": "array"},
              "home": {"type": "object"}}}
            """
        let own = ValueSchema(try Self.json(schema))
        #expect(own.accepts { ["age": "7", "tags": "x", "home": "y"][$0] })
        #expect(!own.accepts { ["tags": "x"][$0] })
        #expect(!own.accepts { ["age": "old"][$0] })
        #expect(!own.accepts { ["age": "100"][$0] })
    }
}
