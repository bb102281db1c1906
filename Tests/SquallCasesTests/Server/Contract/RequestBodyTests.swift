import SquallHTTP
import Testing

import SquallBackend
@testable import SquallCases

@Suite("Bodies of requests")
struct RequestBodyTests {
    @Test(
        "A member may be missing or null, and one of another type spoils the body",
        arguments: [
            ("", true), ("{}", true), (#"{"content": null}"#, true), (#"{"content": "a"}"#, true),
            (#"{"content": 1}"#, false), ("[]", false), ("{", false),
        ])
    func members(text: String, isRead: Bool) {
        let comment = RequestBody.read(RequestBody.Comment.self, from: Body(text))
        #expect((comment != nil) == isRead)
        #expect(comment?.content == (text.contains("\"a\"") ? "a" : nil))
    }

    @Test("A body beyond all measure is not read")
    func tooLarge() {
        let text = "{\"content\":\"" + String(repeating: "a", count: RequestBody.countMax) + "\"}"
        #expect(RequestBody.read(RequestBody.Comment.self, from: Body(text)) == nil)
    }
}

@Suite("Uploads")
struct UploadTests {
    @Test(
        "Only one to five files of the known kinds and of at most 5 MB are stored",
        arguments: [
            ([("a.jpg", 1), ("b.PNG", 1), ("c.jpeg", 1), ("d.gif", 1), ("e.pdf", 1)], 200),
            ([("a.jpg", 5_242_880)], 200), ([("a.jpg", 5_242_881)], 400), ([], 400),
            ([("a.jpg", 1), ("b", 1)], 400), ([("a.heic", 1)], 400),
            (Array(repeating: ("a.png", 1), count: 6), 400),
        ] as [([(name: String, bytes: Int)], Int)])
    func rules(files: [(name: String, bytes: Int)], status: Int) {
        let server = TestServer()
        let answer = server.send(.post, "/v1/posts/files", form: .files("files", files))
        #expect(answer.status == status)
    }

    @Test("Stored files have the client's name, the moment and a name of their own, and come back")
    func names() throws {
        let server = TestServer()
        let files = [(name: "x/한 장.png", bytes: 7), (name: "한 장.png", bytes: 8)]
        let answer = server.send(.post, "/v1/posts/files", form: .files("files", files))
        let paths = try #require(try answer.object()["files"] as? [String])
        #expect(
            paths == ["uploads/posts/한 장_1725148805000.png", "uploads/posts/한 장_1725148805001.png"])
        let path = paths[1].percentEncoded { $0.isUnreservedInURL || $0 == UInt8(ascii: "/") }
        #expect(server.send(.get, "/v1/" + path).body.count == 8)
    }

    @Test("Bytes that travel as bytes are found between the boundaries")
    func plainBytes() throws {
        var form = MultipartFormData(boundary: "fence")
        form.append(Body("1\r\n--fen"), withName: "nick")
        form.append(Body("\r\n\r\n"), withName: "profile", fileName: "a;b.png")
        var request = URLRequest(url: WebURL(origin: "http://h", path: "/"), body: form.body)
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
        let read = try MultipartForm(request)
        #expect(read.text("nick") == "1\r\n--fen" && read.parts[1].body.text == "\r\n\r\n")
        #expect(read.parts[1].fileName == "a;b.png")
    }
}
