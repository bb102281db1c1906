import Foundation
import SquallFormat
import SquallLab
import SquallReport
import Testing

@testable import CommandLineTool

@Suite("squall new")
struct NewCommandTests {
    private func profile(_ text: String) throws -> Profile {
        try Profile.read(Array(text.utf8), file: "new", vocabulary: .installed)
    }

    private func summary(of text: String, _ overrides: [ProfileOverride] = []) throws -> RunSummary
    {
        let profile = try Profile.read(
            Array(text.utf8), file: "new", vocabulary: .installed, overrides: overrides)
        let run = LoadRun(
            profile: profile.scaled(toUsers: 20), named: "mine",
            options: .init(replayCommand: ""))
        return try run.run { _ in .continue }.summary
    }

    @Test("A profile whose name has no ending is run by the printed words, and not by its name")
    func plainName() throws {
        let squall = try PlayedTool()
        #expect(squall.run("new", "mine") == .passed)
        #expect(squall.console.output.contains("Try: squall run ./mine\n"))
        #expect(squall.run("validate", "./mine") == .passed)
        #expect(squall.run("validate", "mine") == .usage)
        #expect(squall.console.errors.contains("for the file of that name write ./mine"))
    }

    @Test("A new profile runs as it is, keeps every threshold and is full of comments")
    func starting() throws {
        let squall = try PlayedTool()
        #expect(squall.run("new", "mine.json") == .passed)
        let text = try squall.read("mine.json")
        #expect(text.split(separator: "\n").count { $0.contains("//") } > 20)
        let summary = try summary(of: text)
        #expect(summary.reason.hasPrefix("all 4 thresholds hold"))
        #expect(summary.expiredSteps.contains { $0.expiredSteps > 0 })
    }

    @Test("A strict JUnit report fails where an answer rests on assumed numbers")
    func strict() throws {
        let squall = try PlayedTool()
        #expect(squall.run("new", "mine.json") == .passed)
        let runs = [try summary(of: squall.read("mine.json"))]
        let (lenient, strict) = (runs.suites(), runs.suites(isStrict: true))
        #expect(JUnitSuite.document(lenient).contains("<skipped"))
        let report = JUnitSuite.document(strict)
        #expect(report.contains("failures=\"1\"") && !report.contains("<skipped"))
    }

    @Test("A draft is not measured, whatever API it is of, until its numbers are somebody's")
    func assumed() throws {
        let squall = try PlayedTool()
        #expect(squall.run("new", "mine.json") == .passed)
        let text = try squall.read("mine.json")
        let draft = try summary(of: text)
        #expect(draft.verdict == .notMeasured && draft.answer[0].contains("assumed values"))
        #expect(draft.assumed.contains { $0.setting == "backend.network.up" && $0.isDecisive })
        let given = try profile(text).assumed.map(\.path).map { path in
            let node = SettingPath(path)?.node(in: try JSONParser.parse(Array(text.utf8)))
            return ProfileOverride(setting: "\(path)=\(node.map { JSON($0).line } ?? "")")
        }
        let own = try summary(of: text, given.compactMap(\.self))
        #expect(
            own.verdict == .passed && own.assumed.isEmpty && own.digest.text == draft.digest.text)
    }

    @Test("squall new --swift writes a package: client, app, main, test and profile, each once")
    func package() throws {
        let squall = try PlayedTool()
        try squall.write("// SquallTool", to: "Squall/Package.swift")
        let words = ["new", "--swift", "Shop", "--package", "Squall"]
        #expect(squall.run(words) == .passed)
        let files = [
            "Package.swift", "Sources/ShopClient/API.swift", "Sources/shop-squall/Shop.swift",
            "Sources/shop-squall/main.swift", "Tests/ShopTests/RefreshTests.swift", "load.json",
        ]
        for file in files {
            let text = try squall.read("Shop/\(file)")
            #expect(text.utf8.count > 100 && !text.contains("\\(name"), "\(file)")
        }
        #expect(try squall.read("Shop/Package.swift").contains(#"(path: "../Squall")"#))
        #expect(squall.run(words) == .usage)
        #expect(squall.console.errors.contains("Shop is not empty"))
    }

    @Test("A folder with anything in it is refused, also behind a link, and stays as it is")
    func notEmpty() throws {
        let squall = try PlayedTool()
        try squall.write("mine", to: "There/load.json")
        try FileManager.default.createSymbolicLink(
            at: squall.console.file("Link"), withDestinationURL: squall.console.file("There"))
        for name in ["There", "Link"] {
            #expect(squall.run("new", "--swift", name, "--package", "https://x/Squall") == .usage)
        }
        #expect(try squall.files(in: "There") == ["load.json"])
    }

    @Test("squall new leaves no files when it fails")
    func failing() throws {
        let squall = try PlayedTool()
        try squall.write("a file", to: "place")
        let words = ["new", "--swift", "place/Shop", "--package", "https://x/Squall"]
        #expect(squall.run(words) == .inputOutput)
        #expect(try squall.files(in: ".").filter { $0.contains("Shop") }.isEmpty)
    }

    @Test(
        "squall new refuses names that its files import or use",
        arguments: ["Foundation", "String", "Squall", "SquallTool", "Testing", "Self", "API"])
    func taken(name: String) throws {
        let squall = try PlayedTool()
        #expect(squall.run("new", "--swift", name, "--package", "https://x/Squall") == .usage)
        #expect(squall.console.errors.contains("cannot be named \(name)"))
    }

    @Test("An address stands in the manifest as a literal, whatever is in it")
    func hostileAddress() throws {
        let squall = try PlayedTool()
        let address = #"https://x/"); let x = 1 //\#n\(1)"#
        #expect(squall.run("new", "--swift", "Shop", "--package", address) == .passed)
        let manifest = try squall.read("Shop/Package.swift")
        #expect(manifest.contains(#"url: "https://x/\"); let x = 1 //\u{a}\\(1)", branch"#))
    }

    @Test(
        "A package needs a name of Swift's and a place where Squall is",
        arguments: [
            (["shop"], "begins with a capital"), (["My-App"], "letters and digits only"),
            (["Shop"], "no package lies at ../Squall"),
            (["Shop", "--package", "nowhere"], "no package lies at nowhere"),
            (["Shop", "--package", "client"], "the package at client is not Squall"),
            (["Shop", "--openapi", "x.json"], "exclude each other"),
        ])
    func packageOrigin(words: [String], error: String) throws {
        let squall = try PlayedTool()
        try squall.write("let package = Package(name: \"Client\")", to: "client/Package.swift")
        #expect(squall.run(["new", "--swift"] + words) == .usage)
        #expect(squall.console.errors.contains(error), "\(squall.console.errors)")
        let other = try PlayedTool()
        #expect(other.run("new", "--package", "x") == .usage)
    }

    @Test("The address of a package stays an address in the manifest")
    func packageAddress() throws {
        let squall = try PlayedTool()
        let address = "https://example.com/team/Squall.git"
        #expect(squall.run("new", "--swift", "Shop", "--package", address) == .passed)
        let manifest = try squall.read("Shop/Package.swift")
        #expect(
            manifest.contains("url: \"\(address)\"") && manifest.contains("package: \"Squall\""))
    }

    @Test("A new profile is printed without a file name, and no file is overwritten")
    func places() throws {
        let squall = try PlayedTool()
        #expect(squall.run("new") == .passed)
        let printed = squall.console.output
        #expect(throws: Never.self) { try profile(printed) }
        try squall.write("mine", to: "mine.json")
        #expect(squall.run("new", "mine.json") == .usage)
        #expect(squall.console.errors.contains("mine.json is there already"))
        #expect(try squall.read("mine.json") == "mine")
    }

    @Test("Calls, sizes, pages, tokens and addresses come from the document")
    func reading() throws {
        let squall = try PlayedTool()
        try squall.write(Self.shop, to: "shop.json")
        #expect(squall.run("new", "--openapi", "shop.json") == .passed)
        let text = squall.console.output
        #expect(throws: Never.self) { try profile(text) }
        for part in [
            #""origin": "https://shop.example:8443""#,
            #"{ "name": "listItems", "path": "/v2/items", "rows": 20, "#
                + #""list": { "by": "cursor", "objects": 1000 }, "#
                + #""response": { "body": { "data": "{{rows}}" }, "row": "{{Item}}" } }"#,
            #""Item": { "id": "{{number}}", "title": "title {{number}}" }"#,
            #"{ "name": "getItem", "path": "/v2/items/{itemId}.json", "response""#
                + #": { "body": "{{Item}}" } }"#,
            #""path": "/v2/items", "request": { "body": { "id": 1, "title": "title" }, "#
                + #""schema": { "properties": { "id": { "type": "integer" }, "title": { "type": "#
                + #""string" } }, "type": "object" } }, "response": { "status": 204 } }"#,
            #"{ "name": "health", "path": "/v2/health", "needsToken": false, "#,
            #""refresh": { "method": "POST", "path": "/v2/auth/refresh" }"#,
            #""logIn": { "method": "POST", "path": "/v2/auth/login" }"#,
        ] { #expect(text.contains(part), "\(part) is not in\n\(text)") }
    }

    static let documents = [
        ("openapi: 3.0.0\ninfo:\n  title: x", "api.json:1:1: /paths is missing"),
        ("openapi: 3.0.0\npaths: {a: b: c}", "api.json:2:13"), ("{", "expected"),
        (#"{"swagger": "1.2"}"#, "OpenAPI 3 and Swagger 2 are read"),
        (#"{"openapi": "3.0.0"}"#, "/paths is missing"), ("openapi: 3.0", "/paths is missing"),
        ("<!doctype html>", "often at /openapi.json"),
        ("asyncapi: 2.6.0", "/openapi is missing, so this is no OpenAPI 3"),
        (#"{"info": {"schema": "https://schema.getpostman.com/"}}"#, "npx postman-to-openapi"),
        (#"{"openapi": 3, "paths": {}}"#, #"/openapi must begin with "3.", got 3"#),
        (#"{"openapi": "3.0.0", "paths": {}}"#, "has no call to make a profile of"),
        (#"{"openapi": "3.0.0", "paths": {"/a": 3}}"#, "/paths/~1a must be an object, got 3"),
        (
            #"{"openapi": "3.0.0", "paths": {"/a": {"get": []}}}"#,
            "/paths/~1a/get must be an object, got an empty list"
        ),
        (
            ##"{"openapi": "3.1.0", "paths": {"/a": {"$ref": "other.json#/a"}}}"##,
            "redocly"
        ),
        (
            ##"{"openapi": "3.1.0", "paths": {"/a": {"$ref": "#/paths/~1a"}}}"##,
            "refers to itself"
        ),
    ]

    @Test("A bad document is told of with its place and the way out", arguments: documents)
    func bad(text: String, problem: String) throws {
        let squall = try PlayedTool()
        try squall.write(text, to: "api.json")
        #expect(squall.run("new", "mine.json", "--openapi", "api.json") == .invalidInput)
        #expect(squall.console.errors.contains("api.json"))
        #expect(squall.console.errors.contains(problem), "\(squall.console.errors)")
        #expect(squall.run("new", "--openapi", "gone.json") == .inputOutput)
    }

    private static let shop = ##"""
        {
          "openapi": "3.0.3", "info": { "title": "Shop" },
          "servers": [{ "url": "https://shop.example:8443/v2/" }],
          "security": [{ "jwt": [] }],
          "paths": {
            "/items": {
              "parameters": [{ "name": "cursor", "in": "query" }],
              "get": { "operationId": "listItems", "responses": { "200": { "content": {
                "application/json": { "schema": { "type": "object", "properties": {
                  "data": { "type": "array", "items": { "$ref": "#/components/schemas/Item" } }
                } } } } } } },
              "post": { "requestBody": { "content": { "application/json": {
                "schema": { "$ref": "#/components/schemas/Item" } } } }, "responses": {} }
            },
            "/items/{itemId}.json": { "get": { "operationId": "getItem", "responses": {
              "200": { "content": { "application/json": {
                "schema": { "$ref": "#/components/schemas/Item" } } } } } },
              "parameters": [{ "name": "itemId", "in": "path" }] },
            "/health": { "get": { "operationId": "health", "security": [], "responses": {} } },
            "/auth/login": { "post": { "security": [], "responses": {} } },
            "/auth/refresh": { "post": { "security": [], "responses": {} } }
          },
          "components": {
            "securitySchemes": { "jwt": { "type": "http", "scheme": "bearer" } },
            "schemas": { "Item": { "type": "object", "properties": {
              "id": { "type": "integer" }, "title": { "type": "string" } } } }
          }
        }
        """##

    /// A document with a call of each schema, in which everything may refer to everything.
    private func document(_ schemas: String, servers: String = "[]") -> String {
        """
        {"openapi": "3.0.0", "info": {"title": "t"}, "servers": \(servers),
         "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json":
           {"schema": {"$ref": "#/components/schemas/S"}}}}}}}},
         "components": {"schemas": \(schemas)}}
        """
    }

    @Test("A document without tokens makes a draft that asks nothing of tokens, and runs")
    func withoutTokens() throws {
        let squall = try PlayedTool()
        let schema = #"{"S": {"type": "array", "items": {"type": "string"}}}"#
        try squall.write(document(schema), to: "a.json")
        #expect(squall.run("new", "mine.json", "--openapi", "a.json") == .passed)
        #expect(squall.console.output.contains("Guessed; please check:\n· Responses are"))
        let text = try squall.read("mine.json")
        #expect(text.contains("// Guessed; please check:"))
        #expect(text.contains("\"faults\": []"))
        for word in ["sessions_lost", "squall explore", "\"explore\":", "squall apps"] {
            #expect(!text.contains(word), "\(word)")
        }
        let run = LoadRun(
            profile: try profile(text).scaled(toUsers: 20), named: "mine",
            options: .init(replayCommand: ""))
        #expect(try run.run { _ in .continue }.summary.verdict == .notMeasured)
    }

    @Test("Health checks and sign-ups are on no screen, and a pet with its tags is one object")
    func guesses() throws {
        let squall = try PlayedTool()
        try squall.write(
            #"""
            {"openapi": "3.0.0", "info": {"title": "t"}, "paths": {
              "/healthz": {"get": {"operationId": "healthz", "responses": {}}},
              "/users": {"post": {"operationId": "signUp", "responses": {}}},
              "/notes": {"post": {"operationId": "addNote", "responses": {}}},
              "/pets/{id}": {"get": {"operationId": "pet", "responses": {"200": {"content":
                {"application/json": {"schema": {"properties": {"name": {"type": "string"},
                "tags": {"type": "array", "items": {"type": "string"}}}}}}}}}},
              "/pets": {"get": {"operationId": "pets", "responses": {"200": {"content":
                {"application/json": {"schema": {"properties": {"petsCount": {"type": "integer"},
                "pets": {"type": "array", "items": {"type": "string"}}}}}}}}}}}}
            """#, to: "a.json")
        #expect(squall.run("new", "--openapi", "a.json") == .passed)
        let text = squall.console.output
        #expect(text.contains(#""name": "home", "calls": [["pets"]]"#), "\(text)")
        #expect(text.contains(#""name": "write", "calls": [["addNote"]]"#))
        #expect(text.contains(#""path": "/pets", "needsToken": false, "rows": 20"#))
        let pet = text.split(separator: "\n").first { $0.contains(#""path": "/pets/{id}""#) }
        #expect(pet?.contains("rows") == false)
    }

    @Test("A schema that refers to itself twenty times over is read in a moment")
    func dense() throws {
        let names = (0..<20).map { "\"p\($0)\": {\"$ref\": \"#/components/schemas/S\"}" }
        let squall = try PlayedTool()
        try squall.write(
            document(#"{"S": {"properties": {\#(names.joined(separator: ", "))}}}"#), to: "a.json")
        #expect(squall.run("new", "--openapi", "a.json") == .passed)
        #expect(try profile(squall.console.output).users == 200)
    }

    @Test("Variables of an address are filled in once, whatever their defaults say")
    func nestedVariables() throws {
        let variables = (0..<40).map { "\"v\($0)\": {\"default\": \"{v\($0 + 1)}{v\($0 + 1)}\"}" }
        let joined = variables.joined(separator: ",")
        let servers = #"[{"url": "https://{v0}.example.com", "variables": {\#(joined)}}]"#
        let squall = try PlayedTool()
        try squall.write(document(#"{"S": {"type": "string"}}"#, servers: servers), to: "a.json")
        #expect(squall.run("new", "--openapi", "a.json") == .passed)
    }

    @Test("Calls with a server of their own go there, and what stands after # is no path")
    func otherServers() throws {
        let squall = try PlayedTool()
        let call = #""security": [], "responses": {}, "servers": [{"url": "https://id.box.com/"}]"#
        try squall.write(
            """
            {"openapi": "3.0.0", "info": {"title": "t"},
             "servers": [{"url": "https://api.box.com/2.0"}],
             "security": [{"o": []}],
             "components": {"securitySchemes": {"o": {"type": "oauth2", "flows": {
               "authorizationCode": {"tokenUrl": "https://id.box.com/oauth2/token"}}}}},
             "paths": {
               "/authorize": {"get": {\(call)}},
               "/oauth2/token": {"post": {\(call)}},
               "/oauth2/token#refresh": {"post": {\(call)}},
               "/news": {"servers": [{"url": "/beta"}], "get": {"responses": {}}},
               "/files": {"get": {"responses": {}}}}}
            """, to: "a.json")
        #expect(squall.run("new", "p.json", "--openapi", "a.json") == .passed)
        let text = try squall.read("p.json")
        #expect(text.contains("3 calls go to another host (https://id.box.com)"))
        #expect(text.contains(#""path": "/beta/news""#))
        #expect(text.contains(#""path": "/2.0/files""#))
        let token = #"{ "method": "POST", "path": "/oauth2/token", "body": "form", "#
        #expect(text.contains(#""refresh": \#(token)"fields": ["grant_type=refresh_token"] }"#))
        #expect(text.contains(#""logIn": \#(token)"userField": "username", "#))
        #expect(!text.contains("token#") && !text.contains("tokenrefresh"))
        _ = try profile(text)
        #expect(text.contains(#""name": "home", "calls": [["get-news", "get-files"]]"#))
    }

    @Test("Sixteen thousand references are followed in a moment")
    func manyReferences() throws {
        let schemas = (0..<8_000).map { "\"S\($0)\": {\"$ref\": \"#/components/schemas/T\"}" }
        let references = (0..<8_000).map {
            "\"p\($0)\": {\"$ref\": \"#/components/schemas/S\($0)\"}"
        }
        let text = document(
            #"{"S": {"properties": {\#(references.joined(separator: ","))}}, "#
                + #""T": {"type": "string"}, "# + schemas.joined(separator: ",") + "}")
        let squall = try PlayedTool()
        try squall.write(text, to: "a.json")
        #expect(squall.run("new", "--openapi", "a.json") == .passed)
    }

    @Test("A call that no profile can have is left out, and the draft says so")
    func leftOut() throws {
        let long = String(repeating: "한", count: 250)
        let text = #"""
            {"openapi": "3.0.0", "info": {"title": "t"}, "servers": [{"url": "https://a b/\n"}],
             "paths": {"/ok": {"get": {}}, "/x//{a}\t": {"post": {"operationId": "\#(long)"}},
               "/{}{}": {"get": {}}},
             "components": {"securitySchemes": {"k": {"type": "apiKey", "in": "header",
               "name": "no header\n name"}}}}
            """#
        let squall = try PlayedTool()
        try squall.write(text, to: "a.json")
        #expect(squall.run("new", "--openapi", "a.json") == .passed)
        #expect(try profile(squall.console.output).users == 200)
        #expect(squall.console.output.contains("· Left out, since no profile can have it"))
    }
}
