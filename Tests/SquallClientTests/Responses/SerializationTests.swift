import SquallHTTP
import Testing

@testable import SquallClient

/// A way to read an answer.
enum Reading: CaseIterable, Sendable {
    case data, string, decodable

    /// Whether a body of JSON is read as a name.
    var decodes: Bool { self == .decodable }

    /// What is read from an answer, as text; the error's label when nothing is.
    func outcome(
        of reply: FakeTransport.Reply, method: HTTPMethod = .get, rules: BodyRules? = nil
    ) async -> String {
        let stack = Stack(FakeTransport(reply))
        let request = stack.session.request(URLRequest.test(method))
        return await outcome(of: request, rules: rules)
    }

    func outcome(of request: Request, rules: BodyRules? = nil) async -> String {
        switch self {
        case .data:
            text(await request.serializingData(rules: rules).result) { $0.text }
        case .string:
            text(await request.serializingString(rules: rules).result) { $0 }
        case .decodable:
            text(await request.serializingDecodable(Name.self, rules: rules).result) { $0.name }
        }
    }

    private func text<Value>(
        _ result: Result<Value, AFError>, _ text: (Value) -> String
    ) -> String {
        switch result {
        case .success(let value): text(value)
        case .failure(let error): error.label
        }
    }
}

struct Name: Codable, Hashable, EmptyResponse {
    var name: String
    static func emptyValue() -> Name { Name(name: "") }
}

@Suite("Serializing")
struct SerializationTests {
    @Test("Every serializer reads a body", arguments: Reading.allCases)
    func body(reading: Reading) async {
        let json = #"{"name":"x"}"#
        let outcome = await reading.outcome(of: .status(200, json))
        #expect(outcome == (reading.decodes ? "x" : json))
    }

    @Test(
        "A missing body is an error where a serializer needs one", arguments: Reading.allCases,
        [200, 201, 404])
    func noBody(reading: Reading, status: Int) async {
        #expect(await reading.outcome(of: .status(status, "")) == "serialization.empty")
    }

    @Test(
        "A missing body is valid after 204 and 205 and for HEAD", arguments: Reading.allCases,
        [(204, HTTPMethod.get), (205, .get), (200, .head)])
    func rightlyEmpty(reading: Reading, answer: (Int, HTTPMethod)) async {
        let outcome = await reading.outcome(of: .status(answer.0, ""), method: answer.1)
        #expect(outcome == "")
    }

    @Test(
        "The statuses and methods of valid empty responses can be chosen",
        arguments: Reading.allCases)
    func ownEmptyRules(reading: Reading) async {
        let rules = BodyRules {
            $0.emptyResponseCodes = [200]
            $0.emptyRequestMethods = [.delete]
        }
        #expect(await reading.outcome(of: .status(200, ""), rules: rules) == "")
        #expect(await reading.outcome(of: .status(500, ""), method: .delete, rules: rules) == "")
        #expect(
            await reading.outcome(of: .status(204, ""), rules: rules) == "serialization.empty")
    }

    @Test("A type without an empty value cannot be nothing")
    func noEmptyValue() async {
        let stack = Stack(FakeTransport(.status(204, "")))
        let error = await stack.get().serializingDecodable([Int].self).response.error
        #expect(error?.label == "serialization.emptyType")
        let empty = await stack.get().serializingDecodable(Empty.self).result
        #expect(throws: Never.self) { try empty.get() }
    }

    @Test("An earlier error comes through unchanged", arguments: Reading.allCases)
    func earlierError(reading: Reading) async {
        let stack = Stack(FakeTransport(.status(500, #"{"name":"x"}"#)))
        let request = stack.get().validate()
        #expect(await reading.outcome(of: request) == "validation.status")
        #expect(request.error?.responseCode == 500)
    }

    @Test(
        "A serializer passes the error of a missing response on unchanged",
        arguments: Reading.allCases)
    func noAnswer(reading: Reading) async {
        let stack = Stack(FakeTransport(results: [.failure(TransportError(.timedOut))]))
        let request = stack.get()
        #expect(await reading.outcome(of: request) == "transport.timedOut")
    }

    @Test("Empty answers of other statuses and verbs are not right", arguments: Reading.allCases)
    func wronglyEmpty(reading: Reading) async {
        for method in [HTTPMethod.post, .put, .delete] {
            let outcome = await reading.outcome(of: .status(202, ""), method: method)
            #expect(outcome == "serialization.empty")
        }
    }

    @Test(
        "Text is read in the charset that the answer names, and else in ISO Latin 1",
        arguments: [
            ("text/plain; charset=utf-8", "é"), ("text/plain; charset=\"UTF-8\"", "é"),
            ("text/plain", "Ã©"), ("text/plain; charset=klingon", "Ã©"),
            ("text/plain; boundary=x; charset=utf-8", "é"),
            ("text/plain; charset=us-ascii", "serialization.string"),
        ])
    func charset(type: String, expected: String) async {
        let reply = FakeTransport.Reply(headers: ["Content-Type": type], body: Body("é"))
        #expect(await Reading.string.outcome(of: reply) == expected)
    }

    @Test(
        "Each encoding reads its own bytes and refuses others",
        arguments: [
            (TextEncoding.utf8, [0xC3, 0xA9], "é"), (.utf8, [0xC3], nil), (.ascii, [65], "A"),
            (.ascii, [0x80], nil), (.isoLatin1, [0xE9], "é"),
            (.utf16, [0xFF, 0xFE, 0xE9, 0], "é"), (.utf16, [0xFE, 0xFF, 0, 0xE9], "é"),
            (.utf16, [0, 65], "A"), (.utf16BigEndian, [0, 65], "A"),
            (.utf16LittleEndian, [65, 0], "A"), (.utf16LittleEndian, [65], nil),
            (.utf16BigEndian, [0xD8, 0], nil),
        ] as [(TextEncoding, [UInt8], String?)])
    func encodings(encoding: TextEncoding, bytes: [UInt8], text: String?) {
        #expect(encoding.text(of: bytes) == text)
        #expect(TextEncoding(name: encoding.rawValue.uppercased()) == encoding)
    }

    @Test("A serializer of one's own sees everything, and its error is wrapped once")
    func ownSerializer() async throws {
        let stack = Stack(FakeTransport(.status(201, "x")))
        let serializer = ResponseSerializer<String> { request, response, body, error in
            "\(request?.url.path ?? "") \(response?.statusCode ?? 0) \(body?.text ?? "")"
                + " \(error == nil)"
        }
        let value = try await stack.get().serializingResponse(using: serializer).value
        #expect(value == "/get 201 x true")
        let failing = ResponseSerializer<String> { _, _, _, _ in throw TestError() }
        let error = await stack.get().serializingResponse(using: failing).response.error
        #expect(error?.label == "serialization.custom")
        #expect(error?.underlyingError as? TestError == TestError())
        let passing = ResponseSerializer<String> { _, _, _, _ in throw AFError.explicitlyCancelled }
        let passed = await stack.get().serializingResponse(using: passing).response.error
        #expect(passed?.isExplicitlyCancelledError == true)
    }

    @Test("A raw response is the body, none included, and the error there is")
    func raw() async {
        let stack = Stack(FakeTransport(.status(500, "x"), .status(204, "")))
        let failed = await stack.get().validate().serializingResponse().response
        #expect(failed.error?.responseCode == 500 && failed.data == Body("x"))
        let empty = await stack.get().validate().serializingResponse().response
        #expect(empty.value == Body.empty)
    }

    @Test("A decoding error keeps the decoder's error")
    func decodingError() async {
        let stack = Stack(FakeTransport(.status(200, "{}")))
        let error = await stack.get().serializingDecodable(Name.self).response.error
        #expect(error?.underlyingError is DecodingError)
        #expect(error?.label == "serialization.decoding")
    }
}
