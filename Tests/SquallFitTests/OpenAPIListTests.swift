import SquallFormat
import Testing

@testable import SquallFit

@Suite("Lists in objects, and bodies of several types, of an OpenAPI document")
struct OpenAPIListTests {
    /// The service of the draft of a document in YAML.
    private func service(_ paths: String) throws -> JSONNode {
        let text = """
            openapi: 3.1.0
            info: {title: t, version: '1'}
            paths:
            \(paths)
            """
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        let profile = try JSONParser.parse(Array(draft.text(for: "y").utf8))
        return try #require(profile["backend"]?["service"])
    }

    @Test(
        "A list in an object is the one of its path, and its objects are asked for",
        arguments: [
            ("schema: {properties: {x: ROWS, user: {type: string}}}", "id"),
            ("schema: {properties: {x: ROWS, tags: {type: array, items: {}}, a: {}}}", "id"),
            (
                "schema: {properties: {ok: {type: boolean}, response: {properties: {x: ROWS,"
                    + " tags: {type: array, items: {type: string}}}}}}", "id"
            ),
            ("schema: {properties: {_embedded: {properties: {rows: ROWS}}, _links: {}}}", "id"),
            ("schema: {properties: {data: {properties: {items: ROWS}}}}", "id"),
            (
                "schema: {properties: {edges: {type: array, items: {properties: {cursor: {},"
                    + " node: {properties: {id: {type: string}}}}}}}}", "node.id"
            ),
            ("example: {data: {items: [{id: a1, name: oak}]}}", "id"),
        ])
    func listsOfObjects(media: String, member: String) throws {
        let rows = "{type: array, items: {properties: {id: {type: string}}}}"
        let service = try service(
            """
              /x:
                get:
                  responses: {'200': {content: {application/json: {
                    \(media.replacing("ROWS", with: rows))}}}}
              /x/{xId}: {get: {responses: {}}}
            """)
        let picks = service["endpoints"]?.elements.last?["picks"]?.elements
        #expect(picks?.first?.text("member") == member)
    }

    @Test("A body may have each of the document's types, with what that one must have")
    func types() throws {
        let service = try service(
            """
              /x:
                post:
                  requestBody: {content: {application/json: {schema: {required: [a],
                    properties: {a: {type: string}}}}, application/xml: {},
                    multipart/form-data: {schema: {required: [c, b, id],
                      properties: {id: {readOnly: true}}}}}}
                  responses: {}
            """)
        let request = service["endpoints"]?.elements.first?["request"]
        #expect(
            request?["otherTypes"].map { JSON($0).line }
                == #"{"application/xml":[],"multipart":["b","c"]}"#)
    }

    @Test(
        "A list is the one that the document shows, as long where nothing else says how long it is",
        arguments: [
            ("example: {data: [{id: 1}, {id: 7}]}", nil, 2),
            ("schema: ROWS, example: [{id: 1}, {id: 7}]", nil, 2),
            ("schema: ROWS, examples: {a: {$ref: '#/x-shown'}}", nil, 2),
            ("schema: {example: [{id: 1}, {id: 7}], type: array, items: {}}", nil, 2),
            ("schema: ROWS, example: [{id: 1}, {id: 7}]", "page", 20),
        ])
    func shownLists(media: String, parameter: String?, rows: Int64) throws {
        let own = "{type: array, items: {properties: {id: {type: integer}}}}"
        let parameters = parameter.map { "[{name: \($0), in: query}]" } ?? "[]"
        let service = try service(
            """
              /x:
                get:
                  parameters: \(parameters)
                  responses: {'200': {content: {application/json: {
                    \(media.replacing("ROWS", with: own))}}}}
            x-shown: {value: [{id: 1}, {id: 7}]}
            """)
        let endpoint = service["endpoints"]?.elements.first
        #expect(endpoint?["rows"].map { JSON($0) } == .integer(rows))
        let shown = endpoint?["response"]?["examples"].map { JSON($0).line }
        #expect(shown == #"[{"id":1},{"id":7}]"#)
    }

    @Test("A response comes in each type that the document has for it")
    func responseTypes() throws {
        let service = try service(
            """
              /x:
                get:
                  responses: {'200': {content: {application/json: {schema: {const: 1}},
                    text/json: {schema: {const: 1}}, application/pdf: {}, '*/*': {},
                    text/csv: {example: a;b}, text/html: {}}}}
            """)
        #expect(
            service["endpoints"]?.elements.first?["response"]?["otherTypes"].map { JSON($0).line }
                == #"{"text/csv":"a;b","text/html":"text","text/json":null}"#)
    }

    @Test(
        "A failure without a response of its own has that of its class, or of all others",
        arguments: ["default", "4XX", "'400'"])
    func failures(status: String) throws {
        let service = try service(
            """
              /x:
                post:
                  requestBody: {content: {application/json: {schema: {required: [a],
                    properties: {a: {}}}}}}
                  responses: {'200': {}, \(status): {content: {application/json: {schema:
                    {properties: {code: {type: integer}}}}}}}
            """)
        let error = service["endpoints"]?.elements.first?["errors"]?.elements.first
        #expect(error.map { JSON($0).line } == #"{"body":{"code":400},"status":400}"#)
    }

    @Test(
        "Of alternatives in several parts, and in an alternative, one each is chosen",
        arguments: [
            "allOf: [{oneOf: [{allOf: [{properties: {k: {const: x}}}, {oneOf: [F, S]}]}]}]",
            "oneOf: [{properties: {k: {const: x}}}], allOf: [{oneOf: [F, S]}]",
            "anyOf: [F], oneOf: [{properties: {k: {const: x}}}]",
        ])
    func parts(schema: String) throws {
        let schema = schema.replacing("S", with: "{type: string}")
            .replacing("F", with: "{required: [f], properties: {f: {const: true}}}")
        let service = try service(
            """
              /x: {get: {responses: {'200': {content: {application/json: {schema: {
                type: object, properties: {a: {const: 1}}, \(schema)}}}}}}}
            """)
        #expect(
            service["endpoints"]?.elements.first?["response"]?["body"].map { JSON($0).line }
                == #"{"a":1,"f":true,"k":"x"}"#)
    }

    @Test("The kind of an alternative is told, also where the alternative does not list it")
    func kinds() throws {
        let service = try service(
            """
              /x: {get: {responses: {'200': {content: {application/json: {schema: {
                oneOf: [{$ref: '#/x-cat'}], discriminator: {propertyName: kind}}}}}}}}
            x-cat: {type: object, properties: {id: {const: 1}}}
            """)
        #expect(
            service["endpoints"]?.elements.first?["response"]?["body"].map { JSON($0).line }
                == #"{"id":1,"kind":"x-cat"}"#)
    }
}
