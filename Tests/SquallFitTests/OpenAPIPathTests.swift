import SquallFormat
import Testing

@testable import SquallFit

@Suite("Paths of an OpenAPI document")
struct OpenAPIPathTests {
    private func endpoints(_ paths: String) throws -> [JSONNode] {
        let text = """
            openapi: 3.1.0
            info: {title: t, version: '1'}
            paths:
            \(paths)
            """
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        let profile = try JSONParser.parse(Array(draft.text(for: "y").utf8))
        return try #require(profile["backend"]?["service"]?["endpoints"]?.elements)
    }

    @Test("A parameter of the path and of its call is one, and a variable may have fixed ends")
    func paths() throws {
        let all = try endpoints(
            """
              /accounts/{sid}.json:
                parameters: [{name: sid, in: path, schema: {type: string, example: a}}]
                get:
                  parameters: [{name: sid, in: path, schema: {type: string, example: b}}]
                  responses: {}
              /tiles/{x},{y}:
                get: {responses: {}}
              /<org>/users/:id:
                get: {responses: {}}
            """)
        #expect(
            all.compactMap { $0.text("path") }
                == ["/accounts/{sid}.json", "/tiles/{x}", "/{org}/users/{id}"])
        #expect(all[0]["request"].map { JSON($0).line } == #"{"path":{"sid":"b"}}"#)
    }

    @Test("A call about an object takes it from the list at the path before it")
    func picks() throws {
        let rows = "{type: array, items: {properties: {id: {}, slug: {}, owner: {}}}}"
        let list =
            "{get: {responses: {'200': {content: {application/json: {schema: \(rows)}}}}}}"
        let calls = [
            "/plants/{plant_id}: {delete", "/plants/{slug}/notes: {delete",
            "/plants/{color}: {put", "/trees/{id}: {delete", "/plants/{id}/notes/{noteId}: {put",
        ]
        let endpoints = try endpoints(
            "  /plants: \(list)\n  /plants/{id}/notes: \(list)\n"
                + calls.map { "  \($0): {responses: {}}}" }.joined(separator: "\n"))
        let picks = endpoints.dropFirst(2).map { endpoint in
            endpoint["picks"].map { JSON($0).line } ?? ""
        }
        let name = "get-plants"
        func pick(_ variable: String, _ member: String) -> String {
            #"[{"list":"\#(name)","member":"\#(member)","variable":"\#(variable)"}]"#
        }
        #expect(
            Array(picks) == [
                pick("plant_id", "id"), pick("slug", "slug"), "", "", pick("id", "id"),
            ])
    }

    @Test(
        "A server without a scheme is a host where it looks like one",
        arguments: [
            ("api.example.com", "/a", "https://api.example.com"),
            ("api.example.com/v1/", "/v1/a", "https://api.example.com"),
            ("localhost:3000/v1", "/v1/a", "http://localhost:3000"),
            ("//api.example.com/v1", "/v1/a", "https://api.example.com"), ("v1.0", "/v1.0/a", nil),
            ("/v1", "/v1/a", nil),
        ])
    func server(url: String, path: String, origin: String?) throws {
        let text = "{openapi: 3.0.0, servers: [{url: '\(url)'}], paths: {/a: {get: {}}}}"
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        let written = draft.text(for: "y")
        #expect(written.contains("\"path\": \"\(path)\""), "\(written)")
        #expect(written.contains("\"origin\": \"\(origin ?? "https://api.example.com")\""))
        let isGuessed = draft.remarks.contains { $0.hasPrefix("The document names no server") }
        #expect(isGuessed == (origin == nil))
    }
}
