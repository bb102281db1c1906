import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Validation")
struct ValidationTests {
    /// The label of the error with which an answer is refused.
    static func refusal(
        _ reply: FakeTransport.Reply, accept: String? = nil,
        _ validate: (DataRequest) -> DataRequest
    ) async -> AFError? {
        let stack = Stack(FakeTransport(reply))
        var urlRequest = URLRequest.test
        urlRequest.headers["Accept"] = accept
        let request = validate(stack.session.request(urlRequest))
        return await request.serializingResponse().response.error
    }

    static func reply(_ type: String?, body: String = "x") -> FakeTransport.Reply {
        FakeTransport.Reply(headers: type.map { ["Content-Type": $0] } ?? [], body: Body(body))
    }

    @Test(
        "A status is acceptable if it is in the range or sequence",
        arguments: [
            (200...299, 200, true), (200...299, 299, true), (200...299, 300, false),
            (200...299, 199, false), (200...445, 419, true), (200...418, 419, false),
        ])
    func ranges(range: ClosedRange<Int>, status: Int, isAccepted: Bool) async {
        let closed = await Self.refusal(.status(status)) { $0.validate(statusCode: range) }
        let sequence = await Self.refusal(.status(status)) {
            $0.validate(statusCode: range.lowerBound..<range.upperBound + 1)
        }
        #expect((closed == nil) == isAccepted && (sequence == nil) == isAccepted)
        #expect(isAccepted || closed?.responseCode == status)
    }

    @Test("No status is in an empty sequence")
    func noStatus() async {
        let error = await Self.refusal(.ok) { $0.validate(statusCode: []) }
        #expect(error?.responseCode == 200)
    }

    @Test(
        "A content type is acceptable if one of the patterns matches it",
        arguments: [
            ("application/json", ["application/json"], true),
            ("application/json; charset=utf-8", ["application/json"], true),
            ("application/json", ["application/json; q=0.8"], true),
            ("application/json", ["*/*"], true), ("application/json", ["application/*"], true),
            ("application/json", ["*/json"], true), ("application/json", ["text/*", "*/*"], true),
            ("application/json", ["application/xml"], false), ("text/html", ["*/json"], false),
            ("image/png", ["application/*", "text/*"], false), ("text/html", [], false),
            ("application/json", ["nonsense"], false), ("nonsense", ["*/*"], true),
            ("nonsense", ["nonsense/nonsense"], false),
        ])
    func contentTypes(type: String, accepted: [String], isAccepted: Bool) async {
        let error = await Self.refusal(Self.reply(type)) { $0.validate(contentType: accepted) }
        #expect((error == nil) == isAccepted)
    }

    @Test("A missing content type is acceptable only if everything is", arguments: [true, false])
    func missingType(acceptsAll: Bool) async {
        let accepted = acceptsAll ? ["a/b", "*/*"] : ["z/b", "a/b"]
        let error = await Self.refusal(Self.reply(nil)) { $0.validate(contentType: accepted) }
        #expect((error == nil) == acceptsAll)
        #expect(acceptsAll || error?.acceptableContentTypes == ["a/b", "z/b"])
    }

    @Test("An answer without a body has any content type", arguments: [nil, "text/html"])
    func emptyBody(type: String?) async {
        let error = await Self.refusal(Self.reply(type, body: "")) {
            $0.validate(contentType: ["application/json"])
        }
        #expect(error == nil)
    }

    @Test("The error of a validation names what was acceptable, sorted, and what came")
    func errorDetails() async {
        let error = await Self.refusal(Self.reply("text/html; charset=utf-8")) {
            $0.validate(contentType: ["b/c", "a/c"])
        }
        #expect(error?.acceptableContentTypes == ["a/c", "b/c"])
        #expect(error?.responseContentType == "text/html")
        #expect(error?.label == "validation.contentType" && error?.responseCode == nil)
    }

    @Test("Of two validators the first that refuses gives the error", arguments: [true, false])
    func firstFails(statusFirst: Bool) async {
        let reply = FakeTransport.Reply(
            status: 404, headers: ["Content-Type": "text/html"], body: Body("x"))
        let error = await Self.refusal(reply) { request in
            statusFirst
                ? request.validate(statusCode: 200...299).validate(contentType: ["a/b"])
                : request.validate(contentType: ["a/b"]).validate(statusCode: 200...299)
        }
        #expect(error?.label == (statusFirst ? "validation.status" : "validation.contentType"))
    }

    @Test(
        "Plain validation takes the request's Accept for the content type",
        arguments: [
            (nil, "anything/x", true), ("*/*", "anything/x", true),
            ("application/json", "application/json", true),
            ("application/json", "text/html", false),
            ("image/webp,image/*;q=0.8,*/*;q=0.5", "text/html", true),
            ("image/webp,image/*;q=0.8", "image/png", true),
            ("image/webp, image/*;q=0.8", "text/html", false),
        ])
    func accept(accept: String?, type: String, isAccepted: Bool) async {
        let error = await Self.refusal(Self.reply(type), accept: accept) { $0.validate() }
        #expect((error == nil) == isAccepted)
    }

    @Test(
        "Plain validation refuses statuses outside of 200…299",
        arguments: [199, 200, 204, 299, 300, 419, 500])
    func automaticStatus(status: Int) async {
        let error = await Self.refusal(.status(status)) { $0.validate() }
        #expect(error?.responseCode == ((200...299).contains(status) ? nil : status))
    }

    @Test("A check of one's own sees request, answer and body, and its error is wrapped")
    func custom() async {
        let seen = Notes<String>()
        let error = await Self.refusal(.status(201, "abc")) {
            $0.validate { request, response, body in
                seen.append("\(request?.url.path ?? "") \(response.statusCode) \(body.text)")
                return .failure(TestError())
            }
        }
        #expect(seen.values == ["/get 201 abc"] && error?.label == "validation.custom")
        #expect(error?.underlyingError as? TestError == TestError())
    }

    @Test(
        "Media types are read as Alamofire reads them",
        arguments: [
            ("text/html", "text", "html"), (" text/html ", "text", "html"),
            ("text/html;q=1", "text", "html"), ("text / html", "text", "html"),
            ("*/*", "*", "*"), ("", nil, nil), ("text", nil, nil), ("/", nil, nil),
            ("text/", nil, nil), ("a/b/c", nil, nil), ("/html", nil, nil), (" /html", nil, nil),
        ] as [(String, String?, String?)])
    func mediaTypes(text: String, type: String?, subtype: String?) {
        let read = MediaType(text)
        #expect(read.map { String($0.type) } == type)
        #expect(read.map { String($0.subtype) } == subtype)
    }

    @Test("A bare word is no media type")
    func bareWord() { #expect(MediaType("text") == nil) }

    @Test(
        "A pattern accepts types of its kind",
        arguments: [
            ("a/b", "a/b", true), ("a/*", "a/b", true), ("*/b", "a/b", true), ("*/*", "a/b", true),
            ("a/b", "a/c", false), ("a/*", "c/b", false), ("*/b", "a/c", false),
        ])
    func patterns(pattern: String, type: String, isAccepted: Bool) throws {
        let (pattern, type) = try (#require(MediaType(pattern)), #require(MediaType(type)))
        #expect(pattern.accepts(type) == isAccepted)
        #expect(pattern.isWildcard == (pattern.type + pattern.subtype == "**"))
    }
}
