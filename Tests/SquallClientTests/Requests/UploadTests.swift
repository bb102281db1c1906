import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Uploads")
struct UploadTests {
    @Test("A form is encoded once: every attempt sends the same bytes and boundary")
    func form() async throws {
        let stack = Stack(FakeTransport(.status(500), .ok), interceptor: Probe(retries: 1))
        let upload = stack.session.upload(
            multipartFormData: { $0.append(Body("x"), withName: "a") },
            with: URLRequest.test(.post))
        _ = await upload.validate().serializingData().response
        let sent = stack.transport.requests
        #expect(sent.count == 2 && sent[0] == sent[1])
        let type = try #require(sent[0].headers["Content-Type"])
        let boundary = try #require(type.split(separator: "=").last)
        #expect(type.hasPrefix("multipart/form-data; boundary=alamofire.boundary."))
        #expect(sent[0].body.text.hasPrefix("--\(boundary)\r\n"))
    }

    @Test("Each form has a boundary of its own, the same in another run")
    func boundaries() async {
        func boundaries() async -> [String?] {
            let stack = Stack()
            for _ in 0..<3 {
                let upload = stack.session.upload(
                    multipartFormData: { _ in }, with: URLRequest.test(.post))
                _ = await upload.serializingData().response
            }
            return stack.transport.requests.map { $0.headers["Content-Type"] }
        }
        let first = await boundaries()
        #expect(Set(first).count == 3)
        #expect(await boundaries() == first)
    }

    @Test("The form's content type takes the place of the router's own")
    func contentType() async {
        var urlRequest = URLRequest.test(.post)
        urlRequest.headers["content-type"] = "multipart/form-data"
        let stack = Stack()
        let upload = stack.session.upload(multipartFormData: { _ in }, with: urlRequest)
        _ = await upload.serializingData().response
        #expect(stack.transport.requests.first?.headers.count == 1)
        #expect(
            stack.transport.requests.first?.headers["Content-Type"]?.contains("boundary") == true)
    }

    @Test("The body is made after adapting, anew for every attempt")
    func order() async {
        let count = Notes<Int>()
        let stack = Stack(FakeTransport(.status(500), .ok), interceptor: Probe(retries: 1))
        let upload = stack.session.upload(
            {
                count.append(0)
                return Body("\(count.values.count)")
            }, with: URLRequest.test(.put))
        _ = await upload.validate().serializingData().response
        #expect(stack.transport.requests.map(\.body.text) == ["1", "2"])
        let events = stack.log.lines("adapted", "uploadable", "created", "send")
        #expect(events.prefix(4) == ["adapted", "uploadable", "created", "send 0"])
    }

    @Test("A body that cannot be made ends the attempt")
    func failing() async {
        let stack = Stack()
        let upload = stack.session.upload({ throw TestError() }, with: URLRequest.test(.put))
        let error = await upload.serializingData().response.error
        #expect(error?.label == "createUploadableFailed" && stack.transport.requests.isEmpty)
        #expect(stack.log.lines("uploadable") == ["uploadableFailed createUploadableFailed"])
    }

    @Test("A large file is sent as a file")
    func file() async {
        let stack = Stack()
        let file = Body(Blob(magic: [0xFF], seed: 3, count: 50_000_000))
        let upload = stack.session.upload(file, with: URLRequest.test(.put))
        _ = await upload.serializingData().response
        #expect(stack.transport.requests.first?.body == file)
    }
}
