import SquallFormat
import Testing

@testable import SquallFit

@Suite("What an OpenAPI document says is what a draft answers")
struct OpenAPIResponseTests {
    /// The service of the draft of a document in YAML.
    func service(_ paths: String, _ schemas: String = "") throws -> JSONNode {
        let text = """
            openapi: 3.1.0
            info: {title: t, version: '1'}
            security: [{b: []}]
            paths:
            \(paths)
            components:
              securitySchemes: {b: {type: http, scheme: bearer}}
              schemas:
                None: {type: string}
            \(schemas)
            """
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        let profile = try JSONParser.parse(Array(draft.text(for: "y").utf8))
        return try #require(profile["backend"]?["service"])
    }

    private static let free = #""needsToken": false"#

    private func call(_ schema: String, query: String = "") -> String {
        """
          /x:
            get:
              parameters: [\(query)]
              responses: {'200': {content: {application/json: {schema: \(schema)}}}}
        """
    }

    func endpoint(_ service: JSONNode) throws -> JSONNode {
        try #require(service["endpoints"]?.elements.first)
    }

    @Test(
        "A value is the document's own, or one that its schema allows",
        arguments: [
            ("{type: string, enum: [red, green]}", "\"red\""), ("{const: 3}", "3"),
            ("{propertyNames: {const: red}, additionalProperties: {const: 3}}", "{\"red\":3}"),
            ("{type: string, example: oak}", "\"oak\""),
            ("{type: integer, example: oak, minimum: 5}", "5"),
            ("{type: integer, exclusiveMinimum: 5, multipleOf: 4}", "8"),
            ("{type: number, minimum: 0, maximum: 1}", "0.5"),
            ("{type: [string, 'null'], format: date}", "\"2026-01-15\""),
            ("{anyOf: [{type: 'null'}, {type: boolean}]}", "true"),
            ("{type: string, pattern: '^[A-Z]{3}-\\d{2}$'}", "\"AAA-11\""),
            ("{type: string, pattern: '^(on|off)$'}", "\"on\""),
            // pydantic's Decimal.
            ("{type: string, pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$'}", "\"0\""),
            (
                "{type: string, pattern: '^(?=.*[A-Z])(?=.*\\d).{8,}$'}", "\"A1aaaaaaaa\""
            ),
            ("{type: string, pattern: '^(?:\\x61|[^ ])+@.+(?=m)m$'}", "\"user1@example.com\""),
            ("{type: integer, format: int32, example: 81234567890, minimum: 5}", "5"),
            ("{type: string, maxLength: 2}", "\"v\""), ("{type: string, minLength: 9}", "\"v"),
            ("{type: string}", "\"v {{number}}\""),
            ("{type: string, format: uuid}", "\"{{uuid}}\""),
            ("{type: array, items: {type: integer}, minItems: 2}", "[1,1]"),
            (
                "{allOf: [{properties: {a: {type: boolean}}}, {properties: {c: {const: 1}}}]}",
                "{\"a\":true,\"c\":1}"
            ),
            ("{oneOf: [{properties: {k: {const: 1}}}, {type: integer}]}", "{\"k\":1}"),
            ("{type: object, additionalProperties: {type: boolean}}", "{\"name\":true}"),
            (
                "{allOf: [{properties: {a: {const: 1}, c: {const: 2}}},"
                    + " {additionalProperties: false, properties: {a: {}}}]}",
                "{\"a\":1}"
            ),
            ("{type: array, items: {additionalProperties: false, required: [a]}}", "[]"),
            ("{type: [string, 'null'], example: x, allOf: [{type: 'null'}]}", "null"),
            ("{type: float, minimum: 20}", "20.5"),
            ("{type: 'null'}", "null"), ("{type: object, required: [z]}", "{\"z\":\"z\"}"),
            (
                "{type: string, format: date, example: '2015-07-01T00:00:00'}",
                "\"2026-01-15\""
            ),
            ("{type: string, format: byte, pattern: '^.{2}$'}", "\"aa\""),
            (
                "{type: string, format: uri, pattern: '^(https:)([/|.|\\w])*\\.(?:jpg|gif)'}",
                "\"https:.jpg\""
            ),
            ("{type: string, format: email, pattern: '^[a-z]+@x\\.org$'}", "\"a@x.org\""),
            ("{type: string, format: uri, example: /x}", "\"https://example.com/\""),
            ("{enum: [a, b], allOf: [{enum: [b]}]}", "\"b\""),
            ("{$ref: '#/components/schemas/None', enum: [q]}", "\"q\""),
            ("{type: object, properties: {o: {type: array, enum: [red]}}}", "{}"),
            (
                "{type: object, additionalProperties: {type: string}, example: {n: 1.5}}",
                "{\"name\":\"text {{number}}\"}"
            ),
            (
                "{type: array, items: {nullable: true, allOf: [{type: string}]}, example: [null]}",
                "[\"v {{number}}\"]"
            ),
            (
                "{oneOf: [{type: number, example: 2}, {type: integer, example: 3}, {const: x}]}",
                "\"x\""
            ),
            (
                "{allOf: [{oneOf: [{enum: [off]}, {type: object}]}, {}]}",
                "\"off\""
            ),
            (
                "{type: object, properties: {o: {oneOf: [{type: string}, {}]}, e: {oneOf: []}}}",
                "{}"
            ),
            (
                "{allOf: [{properties: {d: {type: array, items: {type: object}}}},"
                    + " {properties: {d: {items: {required: [k], properties: {k: {const: 4}}}}}}]}",
                "{\"d\":[{\"k\":4}]}"
            ),
        ])
    func values(schema: String, expected: String) throws {
        let service = try service(call("{type: object, properties: {v: \(schema), w: {}}}"))
        let value = try #require(try endpoint(service)["response"]?["body"]?["v"])
        let line = JSON(value).line
        #expect(expected.hasSuffix("\"v") ? line == "\"vxxxxxxxx\"" : line == expected, "\(line)")
    }

    @Test(
        "A required cursor and a time that reports begin at ask for no page",
        arguments: [
            "{name: token, in: query, required: true, schema: {type: string}}",
            "{name: from, in: query, schema: {type: string, format: date-time}}",
            "{name: start, in: query, schema: {anyOf: [{type: string}, {type: 'null'}]}}",
        ])
    func noPages(query: String) throws {
        let items = "{type: array, items: {type: object, properties: {a: {type: boolean}}}}"
        #expect(try endpoint(service(call(items, query: query)))["list"]?["by"] == nil)
    }

    @Test("A schema that has itself in it ends where it may, and keeps what must be there")
    func recursion() throws {
        let service = try service(
            call("{$ref: '#/components/schemas/Node'}"),
            """
                Node:
                  required: [id, next, leaf]
                  properties:
                    id: {type: integer}
                    next: {anyOf: [{$ref: '#/components/schemas/Node'}, {type: 'null'}]}
                    parent: {$ref: '#/components/schemas/Node'}
                    origin: {allOf: [{$ref: '#/components/schemas/Node'}]}
                    children: {type: array, items: {$ref: '#/components/schemas/Node'}}
                    leaf: {required: [up], properties: {up: {type: boolean}}}
            """)
        let node = try #require(service["objects"]?["Node"])
        #expect(
            JSON(node).line == #"{"children":[],"id":"{{number}}","leaf":{"up":true},"next":null}"#)
    }

    @Test("A file is bytes though its type is JSON's, and lines of JSON are not called JSON")
    func files() throws {
        func response(_ content: String) throws -> (service: JSONNode, type: String?) {
            let paths = """
                  /x?y=1:
                    get: {responses: {'200': {content: {\(content)}}}}
                """
            let endpoint = try endpoint(service(paths))
            #expect(endpoint.text("path") == "/x")
            return (endpoint, endpoint["response"]?.text("type"))
        }
        let file = "{schema: {type: string, format: binary}}"
        #expect(try response("application/json: \(file), image/png: \(file)").type == "image/png")
        let bytes = try response("'*/*': \(file)")
        #expect(bytes.type == "application/octet-stream")
        #expect(bytes.service["response"]?["body"] == nil)
        #expect(try response("application/jsonl: {schema: {}}").type == "application/jsonl")
    }

    @Test("A list's wrapper, its page size and its parameters are the document's")
    func lists() throws {
        let query =
            "{name: page, in: query},"
            + " {name: per_page, in: query, schema: {default: 12, maximum: 50}}"
        let page = """
            {properties: {results: {type: array, items: {properties: {id: {type: integer}}}}, \
            count: {type: integer}, next: {type: [string, 'null'], format: uri}}}
            """
        let endpoint = try endpoint(try service(call(page, query: query)))
        #expect(JSON(try #require(endpoint["rows"])) == 12)
        let list = #"{"by":"page","objects":1000,"sizeMax":50,"sizeParameter":"per_page"}"#
        #expect(endpoint["list"].map { JSON($0).line } == list)
        let body = #"{"count":"{{total}}","next":"{{nextURL}}","results":"{{rows}}"}"#
        #expect(endpoint["response"]?["body"].map { JSON($0).line } == body)
    }

    @Test("Names, forms and statuses of token calls are the document's")
    func tokens() throws {
        let service = try service(
            """
              /auth/login:
                post:
                  requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {
                    grant_type: {anyOf: [{type: string, pattern: ^password$}, {type: 'null'}]},
                    username: {type: string}, password: {type: string}}}}}}
                  responses: {'201': {content: {application/json: {schema: {properties: {
                    data: {properties: {token: {type: string}, refreshToken: {type: string}}},
                    ok: {type: boolean}}}}}}}
              /auth/again:
                post:
                  requestBody: {content: {application/json: {schema: {properties: {
                    refreshToken: {type: string}}}}}}
                  responses: {}
              /token/blacklist/:
                post:
                  requestBody: {content: {application/json: {schema: {properties: {
                    refresh: {type: string}}}}}}
                  responses: {'200': {}}
              /things/:
                get: {responses: {}}
            """)
        func line(_ name: String) -> String? { service[name].map { JSON($0).line } }
        #expect(
            line("logIn")
                == #"{"body":"form","fields":["grant_type=password"],"#
                + #""method":"POST","path":"/auth/login","status":201,"userField":"username"}"#)
        #expect(
            line("refresh")
                == #"{"method":"POST","path":"/auth/again","token":{"body":"refreshToken"}}"#)
        #expect(line("logOut")?.contains(#""path":"/token/blacklist/""#) == true)
        #expect(
            line("delivery")
                == #"{"json":{"access":"data.token","members":{"ok":true},"#
                + #""refresh":"data.refreshToken"}}"#)
        #expect(service["endpoints"]?.elements.compactMap { $0.text("path") } == ["/things/"])
    }

    @Test("A refresh token that the document has no place for comes as a cookie")
    func tokenWithoutPlace() throws {
        let told = "{'200': {content: {application/json: {schema: {properties: {jwt: {}}}}}}}"
        let service = try service(
            call("{}") + "\n  /login: {post: {responses: \(told)}}"
                + "\n  /auth/refresh: {post: {responses: \(told)}}")
        let cookie = #"{"cookie":"refresh_token"}"#
        #expect(service["refresh"]?["token"].map { JSON($0).line } == cookie)
        #expect(
            service["delivery"].map { JSON($0).line }
                == #"{"each":{"access":{"member":"jwt"},"refresh":\#(cookie)}}"#)
    }

    @Test("Without a refresh no expiry is simulated, and the draft says so")
    func withoutRefresh() throws {
        let text = """
            openapi: 3.0.0
            security: [{b: []}]
            components: {securitySchemes: {b: {type: http, scheme: bearer}}}
            paths: {/x: {get: {responses: {}}}, /login: {post: {responses: {}}}}
            """
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        #expect(draft.remarks.contains { $0.hasPrefix("No refresh was found") })
        let open = text.replacing("[{b: []}]", with: "[{b: []}, {}]")
        #expect(
            try ProfileDraft(openAPI: Array(open.utf8), file: "x").text(for: "y").contains(
                Self.free))
        let renewed = try ProfileDraft(
            openAPI: Array(open.utf8), file: "x", tokenCalls: ["refresh": "POST /again"])
        #expect(!renewed.text(for: "y").contains(Self.free))
        #expect(!draft.text(for: "y").contains("expireAllTokens"))
        let asked = try ProfileDraft(
            openAPI: Array(text.utf8), file: "x.yaml", tokenCalls: ["refresh": "POST /again"])
        #expect(asked.text(for: "y").contains("expireAllTokens"))
    }

    @Test("A sign-in may have its account in an object, and a word other than Bearer")
    func nestedAccount() throws {
        let text = """
            openapi: 3.0.0
            security: [{t: []}]
            components: {securitySchemes: {t: {type: apiKey, in: header, name: Authorization,
              description: 'Send it as: Token xxxxxx'}}}
            paths:
              /me: {get: {responses: {}}}
              /in: {post: {responses: {}, requestBody: {content: {application/json: {schema: {
                required: [user], properties: {user: {required: [email, password], properties: {
                  email: {type: string}, password: {type: string}}}}}}}}}}
            """
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        let profile = try JSONParser.parse(Array(draft.text(for: "y").utf8))
        let service = try #require(profile["backend"]?["service"])
        #expect(
            service["logIn"].map { JSON($0).line }
                == #"{"method":"POST","passwordField":"user.password","path":"/in","#
                + #""userField":"user.email"}"#)
        #expect(service["token"]?["header"]?.text("scheme") == "Token")
    }

    @Test("The field that shows the token is no other part of a request")
    func tokenField() throws {
        let text = """
            openapi: 3.0.0
            info: {title: t, version: '1'}
            security: [{t: []}]
            components: {securitySchemes: {t: {type: apiKey, in: header, name: X-Token}}}
            paths:
              /x: {get: {parameters: [{name: x-token, in: header, required: true}]}}
            """
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        #expect(!draft.text(for: "y").contains("x-token"))
    }

    @Test("What a lost reference stands for is left open, and the draft says so")
    func lostReferences() throws {
        let text = """
            openapi: 3.0.0
            servers: [{url: 'https://{tenant}.x.example/v1'}]
            paths:
              /a: {get: {responses: {'200': {$ref: '#/components/responses/no'}}}}
              /b: {get: {responses: {'200': {content: {application/json: {schema: {properties: {
                v: {$ref: 'other.yaml#/V'}, w: {const: 1}}}}}}}}}
            """
        let draft = try ProfileDraft(openAPI: Array(text.utf8), file: "x.yaml")
        let remark = draft.remarks.first { $0.hasPrefix("A reference leads nowhere, and 1 more") }
        #expect(remark?.contains("x.yaml:4:40: /paths/~1a/get/responses/200 refers to") == true)
        let written = draft.text(for: "y")
        #expect(written.contains(#""path": "/v1/a""#) && written.contains(#""w": 1"#))
    }

    @Test("A refusal has the status, the media type and the members that the document gives it")
    func refusals() throws {
        let service = try service(
            """
              /x:
                get:
                  responses:
                    '401': {content: {application/problem+json: {schema: {required: [status, title],
                      properties: {status: {type: integer, example: 404}, title: {type: string}}}}}}
            """)
        let expired = try #require(service["expired"])
        #expect(
            expired["headers"]?.elements.first?.text == "Content-Type: application/problem+json")
        let body = try JSONParser.parse(Array((expired.text("body") ?? "").utf8))
        #expect(JSON(body).line == #"{"status":401,"title":"The access token has expired."}"#)
        // Where the document has none, a real server's may be any.
        #expect(expired["statusAlone"] == nil)
        let other = try self.service("  /x: {get: {responses: {}}}")["expired"]
        #expect(other.map { JSON($0).line } == #"{"statusAlone":true}"#)
    }

    @Test("What may be composed in a thousand million ways is composed in one")
    func ways() throws {
        let schemas = (0..<12).map { level in
            let next = Array(
                repeating: "{allOf: [{$ref: '#/S\(level + 1)'}]}", count: 10)
            return "S\(level): {oneOf: [\(next.joined(separator: ", "))]}"
        }
        let text = (schemas + ["S12: {type: string}"]).joined(separator: "\n")
        let root = try JSONNode.reading(Array(text.utf8))
        let file = OpenAPIFile(root: root, name: "x", stepsMax: 50_000)
        let samples = OpenAPISamples(file: file)
        let sample = try samples.sample(root["S0"] ?? root, "/S0", name: "v", for: .response)
        #expect(sample?.value.json == "\"v {{number}}\"")
    }

    @Test("A pattern that could take for ever is not asked about an example")
    func pattern() throws {
        let example = String(repeating: "a", count: 30) + "b"
        let service = try service(
            call("{type: object, properties: {v: {pattern: '^(a+)+$', example: \(example)}}}"))
        #expect(try endpoint(service)["response"]?["body"]?.text("v") == example)
    }
}
