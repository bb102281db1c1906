import SquallFormat
import Testing

@testable import SquallFit

/// What is asked of a request.
extension OpenAPIResponseTests {
    @Test("A request is refused for a required member alone, though its example has others")
    func requiredMembers() throws {
        func request(_ schema: String) throws -> String? {
            let body = "{content: {application/json: {example: {a: 1, c: 2}, schema: \(schema)}}}"
            let paths = "  /x: {post: {requestBody: \(body), responses: {}}}"
            return try endpoint(service(paths))["request"]?["schema"].map { JSON($0).line }
        }
        let required = #"{"required":["a"],"type":"object"}"#
        #expect(try request("{required: [a], properties: {a: {}, c: {}}}") == required)
        #expect(try request("{properties: {a: {}, c: {}}}") == #"{"type":"object"}"#)
        #expect(try request("{required: [a, c]}") == nil)
    }

    @Test(
        "A request is checked as the document says, and not where any value will do",
        arguments: [
            ("{type: integer, minimum: 1}", #"{"minimum":1,"type":"integer"}"#),
            ("{anyOf: [{type: number}, {type: 'null'}]}", #"{"type":["number","null"]}"#),
            (
                "{type: string, enum: [p, q], nullable: true}",
                #"{"enum":["p","q",null],"type":["string","null"]}"#
            ),
            (
                "{type: array, items: {type: string, maxLength: 3}}",
                #"{"items":{"maxLength":3,"type":"string"},"type":"array"}"#
            ),
            ("{allOf: [{$ref: '#/components/schemas/None'}]}", #"{"type":"string"}"#),
            (
                "{oneOf: [{type: string}, {type: integer}]}",
                #"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#
            ),
            ("{anyOf: [{type: string}, {}]}", nil), ("{}", nil),
            ("{type: string, readOnly: true}", nil),
        ])
    func checked(schema: String, expected: String?) throws {
        let own = "{type: object, properties: {a: \(schema)}}"
        let body = "{content: {application/json: {schema: \(own)}}}"
        let paths = "  /x: {post: {requestBody: \(body), responses: {}}}"
        let written = try endpoint(service(paths))["request"]?["schema"]
        #expect(written?["properties"]?["a"].map { JSON($0).line } == expected)
    }

    @Test("A body that a document has of a GET is neither sent nor asked for")
    func bodyOfGET() throws {
        let body = "{required: true, content: {application/json: {schema: {$ref: '#/a'}}}}"
        let paths = "  /x: {get: {requestBody: \(body), responses: {}}}"
        let own = try endpoint(service(paths))
        #expect(own["request"] == nil && own["requestBytes"] == nil)
    }

    @Test("A refusal that the document gives no body has none")
    func bodiless() throws {
        let body = "{content: {application/json: {schema: {required: [a]}}}}"
        let paths = """
              /x: {post: {requestBody: \(body), responses: {'201': {}, '400': {description: no}}}}
            """
        let errors = try endpoint(service(paths))["errors"]?.elements.map { JSON($0).line }
        #expect(errors == [#"{"status":400}"#])
    }
}
