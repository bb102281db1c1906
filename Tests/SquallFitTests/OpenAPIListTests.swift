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
}
