import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel
import TestSupport
import Testing

@testable import SquallServices

@Suite("Responses that a profile writes down")
struct DeclaredResponseTests {
    private static let plants = """
        { "objects": { "Plant": { "id": "{{number}}", "key": "{{key}}", "name": "plant {{number}}",
              "uuid": "{{uuid}}", "soil": "{{Soil}}" }, "Soil": { "ph": 6.5 } },
          "endpoints": [
            { "name": "plants", "path": "/plants", "needsToken": false, "rows": 3,
              "list": { "by": "page", "objects": 7, "sizeParameter": "size", "sizeMax": 5 },
              "response": { "headers": { "Link": "{{link}}" }, "row": "{{Plant}}",
                "body": { "items": "{{rows}}", "total": "{{total}}", "next": "{{nextURL}}",
                  "page": "{{page}}", "pages": "{{pages}}", "more": "{{more}}" } } },
            { "name": "plant", "path": "/plants/{id}", "needsToken": false,
              "request": { "path": { "id": "{{number}}" } }, "response": { "body": "{{Plant}}" },
              "errors": [{ "status": 422, "type": "application/problem+json",
                "body": { "title": "no" } }] },
            { "name": "add", "method": "POST", "path": "/plants", "needsToken": false,
              "request": { "query": "lang=en", "body": { "name": "x" } },
              "response": { "status": 201, "body": "{{Plant}}",
                "headers": { "Location": "/plants/{{number}}" } },
              "errors": [{ "status": 400, "body": { "error": "lacking" } }] },
            { "name": "picture", "path": "/picture", "needsToken": false, "bytes": 40,
              "response": { "type": "image/png" } } ] }
        """

    private func service(_ json: String) throws -> (DeclaredService, problems: [String]) {
        var problems = SettingProblems()
        let node = try JSONParser.parse(Array(json.utf8))
        let service = DeclaredService.format.value(of: node, &problems)
        return (service, problems.all.map(\.message))
    }

    @Test("A verb that a path lacks is not allowed, a path that is not there is not found")
    func verbs() throws {
        for verb in [HTTPMethod.trace, .delete, .options] {
            let refused = try ask(verb, "/plants")
            #expect(refused.status == 405)
            #expect(refused.headers["Allow"] == "GET, POST")
        }
        #expect(try ask(.get, "/oauth/token").status == 405)
        for path in ["/animals", "/plants/1/leaves"] {
            #expect(try ask(.get, path).status == 404)
        }
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, query: String? = nil, body: String = ""
    ) throws -> (status: Int, headers: HTTPHeaders, body: JSON?) {
        let declared = try service(Self.plants)
        try #require(declared.problems == [])
        return ask(declared.0, method, path, query: query, body: body)
    }

    private func ask(
        _ declared: DeclaredService, _ method: HTTPMethod, _ path: String, query: String? = nil,
        body: String = "", type: String? = nil, accept: String? = nil,
        fields: [(name: String, value: String)] = []
    ) -> (status: Int, headers: HTTPHeaders, body: JSON?) {
        let service = declared.tokenService.service(
            randomness: RandomStream(seed: 1), userCount: 2)
        var request = URLRequest(
            url: WebURL(origin: "https://api.example.com", path: path, query: query),
            method: method)
        request.headers.update(name: "Host", value: "localhost:1")
        if !body.isEmpty { request.body = Body(body) }
        if let type { request.headers.update(name: "Content-Type", value: type) }
        if let accept { request.headers.update(name: "Accept", value: accept) }
        for (name, value) in fields { request.headers.update(name: name, value: value) }
        let mint = TokenMint(policy: TokenPolicy(), randomness: RandomStream(seed: 1))
        let answer = service.answer(
            request, to: service.route(request, by: Router(service.endpoints)),
            in: ServiceScene(now: .start, tokens: mint))
        let json = (try? JSONParser.parse(answer.body.bytes)).map { JSON($0) }
        return (answer.status, answer.headers, json)
    }

    private func json(_ text: String) throws -> JSON {
        JSON(try JSONParser.parse(Array(text.utf8)))
    }

    @Test("An object is the same in the list and alone, and variables have their types")
    func objects() throws {
        let plant = try json(
            #"{"id":5,"key":"5","name":"plant 5","soil":{"ph":6.5},"#
                + #""uuid":"00000000-0000-4000-8000-000000000005"}"#)
        #expect(try ask(.get, "/plants/5").body == plant)
        #expect(DeclaredTemplate.Facts(named: "plant%205").number == 5)
        #expect(DeclaredTemplate.Facts(named: "rose").number > 9)
        let page = try ask(.get, "/plants", query: "page=2&size=3").body
        guard case .object(let members)? = page, case .array(let items)? = members["items"] else {
            Issue.record("no page: \(String(describing: page))")
            return
        }
        #expect(items.count == 3 && items[1] == plant)
        #expect(members["total"] == 7 && members["page"] == 2 && members["pages"] == 3)
        #expect(members["more"] == .bool(true))
        #expect(members["next"] == "http://localhost:1/plants?size=3&page=3")
    }

    @Test("An object of any number has an address, also of one below all others")
    func lowestNumber() throws {
        let (service, problems) = try service(
            #"{"endpoints":[{"name":"owner","path":"/owners/{id}","needsToken":false,"#
                + #""response":{"body":{"mail":"{{email}}"}}}]}"#)
        #expect(problems == [])
        let mails = [Int.min, -3, 1, 8].map { number in
            ask(service, .get, "/owners/\(number)").body
        }
        let expected = [0, 0, 0, 7].map { JSON.object(["mail": .string("user\($0)@example.com")]) }
        #expect(mails == expected)
    }

    @Test("A page of the largest size that may be asked for has to fit into memory")
    func largestPage() throws {
        func problems(_ size: Int, _ response: String = "") throws -> [String] {
            try service(
                """
                { "endpoints": [{ "name": "x", "path": "/x", "bytes": 1000000,
                  "list": { "by": "page", "sizeMax": \(size) }\(response) }] }
                """
            ).problems
        }
        #expect(try problems(100) == [])
        #expect(try problems(101).first?.contains("list.sizeMax: a response may have") == true)
        let row = String(repeating: "x", count: 10_000)
        let text = """
            { "endpoints": [{ "name": "x", "path": "/x", "list": { "by": "page", "sizeMax": 9999 },
              "response": { "row": { "a": "\(row)" }, "body": { "items": "{{rows}}" } } }] }
            """
        #expect(try service(text).problems.first?.contains("9 999 objects of 10 0") == true)
    }

    @Test("The last page has no next one, and no header that would name it")
    func lastPage() throws {
        let last = try ask(.get, "/plants", query: "page=3")
        #expect(last.headers.value(for: "Link")?.contains("rel=\"next\"") == false)
        let first = try ask(.get, "/plants", query: "size=100")
        let link = "<http://localhost:1/plants?size=100&page=2>; rel=\"next\""
        #expect(first.headers.value(for: "Link") == link)
        #expect(try ask(.get, "/plants", query: "page=9").status == 200)
    }

    @Test("A request that lacks what the call needs gets the error that is written down")
    func refusals() throws {
        let wrong = try ask(.get, "/plants/rose")
        #expect(wrong.status == 422)
        #expect(wrong.headers.value(for: "Content-Type") == "application/problem+json")
        #expect(try ask(.post, "/plants", body: #"{"name":"a"}"#).status == 400)
        #expect(try ask(.post, "/plants", query: "lang=en", body: "{}").status == 400)
        let made = try ask(.post, "/plants", query: "lang=en", body: #"{"name":"a"}"#)
        #expect(made.status == 201)
        #expect(made.headers.value(for: "Location") == "/plants/1001")
        let picture = try ask(.get, "/picture")
        #expect(picture.headers.value(for: "Content-Type") == "image/png" && picture.body == nil)
    }

    @Test(
        "The type of a response is the one that the client likes best",
        arguments: [
            ("", "application/json"), ("*/*", "application/json"), ("text/csv", "text/csv"),
            ("text/csv;q=0.5, application/json", "application/json"),
            ("text/html, application/json;q=0.1, text/csv;q=0.2", "text/csv"),
            ("text/*", "text/csv"), ("TEXT/CSV ; q=1", "text/csv"), ("image/*", "application/json"),
            ("application/json;q=0, */*", "text/csv"),
        ])
    func accepted(accept: String, type: String) {
        let types = ["application/json", "text/csv", "text/json"]
        #expect(types[AcceptedType.place(of: accept, among: types)] == type)
    }

    @Test("A response has its first objects as they are, and other types where they are asked for")
    func shownObjects() throws {
        let text = #"""
            { "endpoints": [{ "name": "list", "path": "/x", "needsToken": false, "rows": 3,
              "response": { "body": "{{rows}}", "row": { "id": "{{number}}" },
                "examples": [{ "id": "a" }, { "id": "b" }],
                "otherTypes": { "text/csv": "a;b", "text/json": null } } }] }
            """#
        let declared = try service(text)
        try #require(declared.problems == [])
        let list = try json(#"[{"id":"a"},{"id":"b"},{"id":3}]"#)
        for (accept, type) in [(nil, "application/json"), ("text/json", "text/json")] {
            let answer = ask(declared.0, .get, "/x", accept: accept)
            #expect(answer.body == list && answer.headers.value(for: "Content-Type") == type)
        }
        let other = ask(declared.0, .get, "/x", accept: "text/csv")
        #expect(other.headers.value(for: "Content-Type") == "text/csv" && other.body == nil)
    }

    @Test("A call to try has a slash at its end, what its query needs and values for its path")
    func example() throws {
        let text = #"""
            { "endpoints": [{ "name": "list", "path": "/x/{kind}/",
              "request": { "query": "sort=asc", "path": { "kind": "cat" } },
              "response": { "body": {} } }] }
            """#
        var plan = ServicesPlan.standard
        plan.declared = try service(text).0
        let access = plan.access(at: plan.declared.origin)
        #expect(access?.example?.target == "/x/cat/?sort=asc")
    }

    @Test("A body of another type that the call takes is judged by what that type must have")
    func types() throws {
        let text = #"""
            { "endpoints": [{ "name": "add", "method": "POST", "path": "/x", "needsToken": false,
              "request": { "body": { "a": 1 },
                "otherTypes": { "form": ["b"], "application/xml": [] } },
              "response": { "body": {} }, "errors": [{ "status": 400, "body": {} }] }] }
            """#
        let declared = try service(text)
        #expect(declared.problems == [])
        for (type, body, status) in [
            ("application/json", #"{"a":2}"#, 200), ("application/json", #"{"b":2}"#, 400),
            ("application/x-www-form-urlencoded", "b=2", 200),
            ("application/x-www-form-urlencoded", "a=2", 400), ("application/xml", "<a/>", 200),
            ("text/plain", "b=2", 400),
        ] {
            let answer = ask(declared.0, .post, "/x", body: body, type: type)
            #expect(answer.status == status, "\(type) \(body)")
        }
    }

    @Test(
        "A body with a value of another kind is refused, one that servers read as the kind is not",
        arguments: [
            (#"{"n":1}"#, true), (#"{"n":"2"}"#, true), (#"{"n":2.0,"on":"true"}"#, true),
            (#"{"n":1,"on":null,"tags":["a"],"at":{"x":0.5}}"#, true), (#"{"n":1,"z":[]}"#, true),
            (#"{"n":"two"}"#, false), (#"{"n":1.5}"#, false), (#"{"n":0}"#, false),
            (#"{"n":null}"#, false), (#"{"n":[1]}"#, false), (#"{"n":1,"on":"maybe"}"#, false),
            (#"{"n":1,"tags":"a"}"#, false), (#"{"n":1,"tags":[{}]}"#, false),
            (#"{"n":1,"at":{}}"#, false), (#"{"n":1,"kind":"c"}"#, false), ("[]", false),
            (#"{"n":1,"tags":["abcd"]}"#, false), ("no JSON", false), ("{}", false),
        ])
    func schema(body: String, isTaken: Bool) throws {
        let schema = #"""
            { "type": "object", "required": ["n"], "properties": {
                "n": { "type": "integer", "minimum": 1 }, "on": { "type": "boolean" },
                "kind": { "enum": ["a", "b"] },
                "tags": { "type": "array", "items": { "type": "string", "maxLength": 3 } },
                "at": { "type": "object", "required": ["x"],
                  "properties": { "x": { "type": ["number", "null"] } } } } }
            """#
        let text = #"""
            { "endpoints": [{ "name": "add", "method": "POST", "path": "/x", "needsToken": false,
              "request": { "body": { "n": 1, "on": true }, "schema": \#(schema) },
              "response": { "body": {} }, "errors": [{ "status": 422, "body": {} }] }] }
            """#
        let declared = try service(text)
        #expect(declared.problems == [])
        #expect(ask(declared.0, .post, "/x", body: body).status == (isTaken ? 200 : 422))
    }

    @Test(
        "A body that must be there is asked for, whatever members it must have",
        arguments: [
            ("", "{}", 200), (#""needsBody": true,"#, "{}", 422),
            ("", #"{ "required": ["n"] }"#, 422),
            (#""needsBody": false,"#, #"{ "required": ["n"] }"#, 200),
        ])
    func neededBody(setting: String, schema: String, status: Int) throws {
        let text = """
            { "endpoints": [{ "name": "add", "method": "POST", "path": "/x", "needsToken": false,
              "request": { \(setting) "body": { "n": 1 }, "schema": \(schema) },
              "response": { "body": {} }, "errors": [{ "status": 422, "body": {} }] }] }
            """
        let declared = try service(text)
        #expect(declared.problems == [])
        #expect(ask(declared.0, .post, "/x").status == status)
        #expect(ask(declared.0, .post, "/x", body: #"{"n":1}"#).status == 200)
    }

    @Test(
        "Texts in path, query and header fields are checked, and required fields asked for",
        arguments: [
            ("/x/7/a%20b", "n=3", "1", 200), ("/x/7/a%20b", nil, "1", 200),
            ("/x/9/a%20b", nil, "1", 400), ("/x/7/c", nil, "1", 400),
            ("/x/7/a%20b", "n=x", "1", 400), ("/x/7/a%20b", nil, "two", 400),
            ("/x/7/a%20b", nil, nil, 400),
        ] as [(String, String?, String?, Int)])
    func checkedTexts(path: String, query: String?, field: String?, status: Int) throws {
        let text = #"""
            { "endpoints": [{ "name": "get", "path": "/x/{i}/{k}", "needsToken": false,
              "request": { "headers": { "X-V": "1" }, "checked": {
                "query": { "n": { "type": "integer" } },
                "path": { "i": { "type": "integer", "maximum": 8 }, "k": { "enum": ["a b"] } },
                "headers": { "X-V": { "type": "integer" } } } },
              "response": { "body": {} }, "errors": [{ "status": 400 }] }] }
            """#
        let declared = try service(text)
        #expect(declared.problems == [])
        let sent = field.map { [(name: "X-V", value: $0)] } ?? []
        #expect(
            ask(declared.0, .get, path, query: query, fields: sent).status == status)
    }

    @Test("The fields of a form are checked by what their texts read as")
    func form() throws {
        let text = #"""
            { "endpoints": [{ "name": "add", "method": "POST", "path": "/x", "needsToken": false,
              "request": { "body": { "n": 1 }, "type": "form", "schema": { "type": "object",
                "properties": { "n": { "type": "integer" }, "tags": { "type": "array" } } } },
              "response": { "body": {} }, "errors": [{ "status": 400, "body": {} }] }] }
            """#
        let (declared, type) = (try service(text).0, "application/x-www-form-urlencoded")
        for (body, status) in [("n=3&tags=a", 200), ("n=three", 400), ("tags=a", 200)] {
            #expect(ask(declared, .post, "/x", body: body, type: type).status == status)
        }
    }

    @Test(
        "What cannot be put together is refused when the profile is read",
        arguments: [
            (#""{{Plnt}}""#, "{{Plnt}}, which is no variable of a text"),
            (#""a {{Plant}}""#, "{{Plant}}, which is no variable of a text"),
            (#""{{Loop}}""#, "has the object Loop in itself"),
            (#"["{{A}}", "{{A}}"]"#, "more than 1 000 000 bytes"),
        ])
    func problems(body: String, problem: String) throws {
        let doubled = zip("ABCDEFGHIJKLMNOPQRSTU", "BCDEFGHIJKLMNOPQRSTUV").map {
            #""\#($0)": ["{{\#($1)}}", "{{\#($1)}}"]"#
        }
        let text = #"""
            { "objects": { "Plant": {}, "Loop": { "a": "{{Loop}}" }, "V": 1,
              \#(doubled.joined(separator: ",")) },
              "endpoints": [{ "name": "x", "path": "/x", "response": { "body": \#(body) } }] }
            """#
        let found = try service(text).problems
        #expect(found.contains { $0.contains(problem) }, "\(found)")
    }

    @Test(
        "A variable that the path lacks and a list that is no endpoint are refused",
        arguments: [
            (#""variable": "key", "list": "x""#, "variable: the path /x/{id} has no {key}"),
            (#""variable": "id", "list": "y""#, #"list: no endpoint is called "y""#),
        ])
    func picks(pick: String, problem: String) throws {
        let text = #"""
            { "endpoints": [{ "name": "x", "path": "/x/{id}", "picks": [{ \#(pick) }] }] }
            """#
        let found = try service(text).problems
        #expect(found.count == 1 && found.contains { $0.hasSuffix(problem) }, "\(found)")
    }
}
