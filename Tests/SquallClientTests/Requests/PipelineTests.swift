import SquallHTTP
import Testing

@testable import SquallClient

@Suite("A request's way")
struct PipelineTests {
    @Test("One successful attempt calls the monitors in Alamofire's order")
    func order() async throws {
        let stack = Stack(interceptor: Probe())
        _ = try await stack.get().validate().serializingDecodable(Empty.self).value
        #expect(
            stack.log.lines == [
                "resume", "initial", "adapted", "created", "send 0", "receive 200", "validate",
                "validate", "complete", "finish", "parse", "end",
            ])
    }

    @Test("One retry repeats everything from the convertible on, with the next attempt's number")
    func retryOrder() async throws {
        let stack = Stack(FakeTransport(.status(500), .ok))
        let request = stack.get(Probe(retries: 1)).validate(statusCode: 200...299)
        _ = try await request.serializingData().value
        #expect(
            stack.log.lines == [
                "resume", "initial", "adapted", "created", "send 0", "receive 500",
                "validate validation.status", "complete validation.status", "retry 1", "initial",
                "adapted", "created", "send 1", "receive 200", "validate", "complete", "finish",
                "parse", "end",
            ])
    }

    @Test("A request without interceptors is created without being adapted")
    func withoutInterceptors() async {
        let stack = Stack()
        _ = await stack.get().serializingResponse().response
        #expect(stack.log.lines("initial", "adapted", "created") == ["initial", "created"])
    }

    @Test("Requests are numbered per session from 0, and so are attempts")
    func numbers() async {
        let stack = Stack(FakeTransport(.status(500)), user: 7)
        stack.session.beginStep(3)
        for _ in 0..<2 {
            _ = await stack.get(Probe(retries: 1)).validate().serializingResponse().response
        }
        let expected = [(0, 0), (0, 1), (1, 0), (1, 1)].map { request, attempt in
            RequestCause(user: 7, step: 3, request: request, attempt: attempt)
        }
        #expect(stack.transport.causes == expected)
    }

    @Test("A second session beside the first one goes on counting the same user's requests")
    func besides() async {
        let stack = Stack()
        let other = Session(beside: stack.session)
        let third = Session(beside: other)
        other.beginStep(5)
        for session in [stack.session, other, third, stack.session] {
            _ = await session.request(URLRequest.test).serializingResponse().response
        }
        #expect(stack.transport.causes.map(\.request) == [0, 1, 2, 3])
        #expect(stack.transport.causes.allSatisfy { $0.step == 5 })
    }

    @Test(
        "A GET with a body is refused before and after adapting, and the retrier is asked",
        arguments: [false, true])
    func bodyInGET(byAdapter: Bool) async throws {
        let probe = Probe(adapt: { request, _ in
            var request = request
            request.body = Body("x")
            return request
        })
        let stack = Stack(interceptor: probe)
        let urlRequest = byAdapter ? URLRequest.test : .test(.get, body: "x")
        let response = await stack.session.request(urlRequest).serializingData().response
        let error = try #require(response.error)
        let inner = byAdapter ? error.underlyingError?.asAFError : error
        #expect(inner?.isBodyDataInGETRequest == true)
        #expect(error.isRequestAdaptationError == byAdapter)
        #expect(probe.consults == 2 && stack.transport.requests.isEmpty)
    }

    @Test("A convertible that fails is asked about, and asked again when there is a retry")
    func failingConvertible() async {
        let stack = Stack()
        let probe = Probe(retries: 2)
        let request = stack.session.request(FailingConvertible(), interceptor: probe)
        let response = await request.serializingResponse().response
        guard case .createURLRequestFailed(let error) = response.error else {
            return #expect(Bool(false))
        }
        #expect(error as? TestError == TestError())
        #expect(stack.log.lines("createFailed").count == 3 && probe.consults == 3)
    }

    @Test("A retried request is built anew, so that it can carry a newer token")
    func rebuilt() async {
        let tokens = Notes<Int>()
        let convertible = CountingConvertible(tokens: tokens)
        let stack = Stack(FakeTransport(.status(500), .status(500), .ok))
        let request = stack.session.request(convertible, interceptor: Probe(retries: 2)).validate()
        _ = await request.serializingData().response
        #expect(stack.transport.requests.map { $0.headers["Token"] } == ["0", "1", "2"])
        #expect(request.requests.count == 6)
        #expect(request.request?.headers["Token"] == "2" && request.retryCount == 2)
    }

    @Test("Default header fields are added on the way out where the request lacks them")
    func defaultHeaders() async {
        let stack = Stack { $0.defaultHeaders = ["Accept": "d", "X": "d"] }
        let urlRequest = URLRequest(url: URLRequest.test.url, headers: ["accept": "own"])
        let request = stack.session.request(urlRequest)
        let response = await request.serializingResponse().response
        #expect(stack.transport.requests.first?.headers.description == "accept: own\nX: d")
        #expect(request.request == urlRequest && response.request == urlRequest)
    }

    @Test("Without a validator any status is a success, and nobody is asked")
    func unvalidated() async {
        let probe = Probe(retries: 5)
        let stack = Stack(FakeTransport(.status(419)), interceptor: probe)
        let response = await stack.get().serializingData().response
        #expect(response.value == Body("{}") && probe.consults == 0)
    }

    @Test("A transport's error wins over validators, which then are not called")
    func transportError() async {
        let stack = Stack(FakeTransport(results: [.failure(TransportError(.timedOut))]))
        let response = await stack.get().validate().serializingResponse().response
        #expect(response.error?.underlyingError as? TransportError == TransportError(.timedOut))
        #expect(response.error?.label == "transport.timedOut")
        #expect(stack.log.lines("validate").isEmpty)
    }
}

struct FailingConvertible: URLRequestConvertible {
    func asURLRequest() throws -> URLRequest { throw TestError() }
}

/// Writes the number of times it was asked into each request.
struct CountingConvertible: URLRequestConvertible {
    let tokens: Notes<Int>

    func asURLRequest() -> URLRequest {
        tokens.append(0)
        return URLRequest(
            url: URLRequest.test.url, headers: ["Token": "\(tokens.values.count - 1)"])
    }
}
