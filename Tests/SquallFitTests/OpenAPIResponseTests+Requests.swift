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
            // Of 3.1 a number, of 3.0 a flag beside one.
            (
                "{type: number, exclusiveMinimum: 0, maximum: 99}",
                #"{"exclusiveMinimum":0,"maximum":99,"type":"number"}"#
            ),
            (
                "{type: number, maximum: 99, exclusiveMaximum: true, exclusiveMinimum: false}",
                #"{"exclusiveMaximum":99,"type":"number"}"#
            ),
            (
                "{type: object, additionalProperties: false, properties: {b: {}, c: {readOnly: "
                    + "true, type: string}}}",
                #"{"additionalProperties":false,"properties":{"b":{},"c":{}},"type":"object"}"#
            ),
            (
                "{allOf: [{type: object, properties: {b: {type: string}}}, "
                    + "{additionalProperties: false, properties: {c: {type: string}}}]}",
                #"{"properties":{"c":{"type":"string"}},"type":"object"}"#
            ),
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

    @Test(
        "Whether a body must be there stands in a draft where its members do not say it",
        arguments: [
            ("true", "{type: object}", true), ("true", "{required: [a], properties: {a: {}}}", nil),
            ("false", "{required: [a], properties: {a: {}}}", false),
            ("false", "{type: object}", nil), (nil, "{type: object}", nil),
        ] as [(String?, String, Bool?)])
    func neededBody(required: String?, schema: String, expected: Bool?) throws {
        let told = required.map { "required: \($0), " } ?? ""
        let body = "{\(told)content: {application/json: {schema: \(schema)}}}"
        let request = try endpoint(
            service("  /x: {post: {requestBody: \(body), responses: {}}}"))["request"]
        #expect(request?["needsBody"].map { $0.value == .bool(true) } == expected)
    }

    @Test(
        "A parameter is checked as the document says, where calls are refused and the app's fit",
        arguments: [
            (
                "{name: n, in: query, schema: {type: integer, format: int32}}", "query",
                #"{"format":"int32","type":"integer"}"#
            ),
            (
                "{name: n, in: query, schema: {type: [integer, 'null'], maximum: 9}}", "query",
                #"{"maximum":9,"type":["integer","null"]}"#
            ),
            (
                "{name: n, in: header, schema: {type: string, minLength: 2}}", "headers",
                #"{"minLength":2,"type":"string"}"#
            ),
            (
                "{name: n, in: path, schema: {type: integer, format: int64}}", "path",
                #"{"format":"int64","type":"integer"}"#
            ),
            (
                "{name: page, in: query, schema: {type: integer, minimum: 1}}", "query",
                #"{"minimum":1,"type":"integer"}"#
            ),
            // Any text, and more than one; objects have any number; a cursor is the list's, and a
            // page that the app asks for is none to refuse.
            ("{name: n, in: query, schema: {type: string}}", "query", nil),
            ("{name: n, in: query, schema: {type: array, items: {type: integer}}}", "query", nil),
            ("{name: n, in: path, schema: {type: integer, maximum: 9}}", "path", nil),
            ("{name: page, in: query, schema: {type: integer, minimum: 2}}", "query", nil),
            ("{name: page, in: query, schema: {type: integer, maximum: 9}}", "query", nil),
            ("{name: cursor, in: query, schema: {type: integer}}", "query", nil),
            (
                "{name: n, in: query, required: true, example: x, schema: {type: integer}}",
                "query",
                nil
            ),
        ] as [(String, String, String?)])
    func checkedTexts(parameter: String, place: String, expected: String?) throws {
        func checked(_ responses: String) throws -> JSONNode? {
            let get = "get: {parameters: [\(parameter)], responses: {\(responses)}}"
            return try endpoint(service("  /x/{n}: {\(get)}"))["request"]?["checked"]
        }
        let schema = try checked("'400': {description: no}")?[place]?.members.first?.value
        #expect(schema.map { JSON($0).line } == expected)
        #expect(try checked("'200': {}") == nil)
    }

    @Test("A body that a document has of a GET is neither sent nor asked for")
    func bodyOfGET() throws {
        let body = "{required: true, content: {application/json: {schema: {$ref: '#/a'}}}}"
        let paths = "  /x: {get: {requestBody: \(body), responses: {}}}"
        let own = try endpoint(service(paths))
        #expect(own["request"] == nil && own["requestBytes"] == nil)
    }

    @Test("A body that no profile writes has its size, whatever else a request has")
    func sizeOfBody() throws {
        let query = "[{name: q, in: query, required: true, schema: {type: string}}]"
        let body = "{content: {application/xml: {schema: {type: string}}}}"
        let own = try endpoint(
            service("  /x: {post: {parameters: \(query), requestBody: \(body), responses: {}}}"))
        #expect(own["request"]?["query"] != nil && own["requestBytes"] != nil)
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
