import SquallHTTP
import SquallKernel
import Testing

import SquallBackend
@testable import SquallCases
import SquallServices

@Suite("Bodies of requests")
struct RequestBodyTests {
    @Test(
        "The short way of reading a body gives Foundation's values for any body", arguments: 1...20)
    func sameAsFoundation(seed: UInt64) {
        let stream = RandomStream(seed: seed).stream("bodies")
        var plain = 0
        for ordinal in 0..<300 {
            let body = Body(Self.bytes(stream.stream(number: UInt64(ordinal))))
            let quick = RequestBody.read(RequestBody.Payment.self, from: body)
            let judged = RequestBody.judged(RequestBody.Payment.self, body)
            #expect(quick?.imp_uid == judged?.imp_uid && quick?.post_id == judged?.post_id)
            #expect((quick == nil) == (judged == nil), "\(body.text)")
            plain += body.bytes.withUnsafeBufferPointer { FlatObject($0) == nil ? 0 : 1 }
        }
        // Both ways must have been gone, or nothing was compared.
        #expect(plain > 20 && plain < 280)
    }

    @Test(
        "Flags are read as Foundation reads them", arguments: ["true", "null", "1", "\"a\"", "x"])
    func flags(value: String) {
        let body = Body("{ \"like_status\" :\(value)}")
        let quick = RequestBody.read(RequestBody.Like.self, from: body)
        let judged = RequestBody.judged(RequestBody.Like.self, body)
        #expect(quick?.like_status == judged?.like_status)
        #expect((quick == nil) == (judged == nil))
    }

    @Test("A body beyond all measure is not read")
    func tooLarge() {
        let text = "{\"content\":\"" + String(repeating: "a", count: RequestBody.countMax) + "\"}"
        #expect(RequestBody.read(RequestBody.Comment.self, from: Body(text)) == nil)
    }

    /// Pieces of objects put together mostly right, and now and then a byte spoiled.
    private static func bytes(_ stream: RandomStream) -> [UInt8] {
        var draws: UInt64 = 0
        func draw(_ bound: Int) -> Int {
            draws += 1
            return Int(stream.integer(below: UInt64(bound), at: draws))
        }
        let names = ["imp_uid", "post_id", "other", "imp_uid ", "한글", "i\\u006dp_uid", ""]
        let values = [
            "\"a\"", "\"\"", "\"한\"", "null", "true", "0", "12", "-1", "1.0", "1e3", "[]", "{}",
            "\"\\n\"", "01", "nul", "\"a", "12345678901234567890",
        ]
        let spaces = ["", "", " ", "\n\t", "\r"]
        let members = (0..<draw(4)).map { _ in
            "\(spaces[draw(5)])\"\(names[draw(names.count)])\"\(spaces[draw(5)]):"
                + "\(spaces[draw(5)])\(values[draw(values.count)])"
        }
        var bytes = Array("{\(members.joined(separator: ","))}\(spaces[draw(5)])".utf8)
        if draw(4) == 0 { bytes[draw(bytes.count)] = UInt8(draw(256)) }
        return bytes
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
