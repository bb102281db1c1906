import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Between two attempts")
struct BetweenAttemptsTests {
    @Test(
        "After an attempt that dies before it is sent, the answer is still the last one's",
        arguments: ["adapter", "router"])
    func lastAnswer(place: String) async {
        let seen = Notes<Int?>()
        let probe = Probe(
            adapt: { urlRequest, request in
                guard place == "router" || request.retryCount == 0 else { throw TestError() }
                return urlRequest
            },
            retry: { request, _ in
                seen.append(request.response?.statusCode)
                return request.retryCount == 0 ? .retry : .doNotRetry
            })
        let stack = Stack(
            FakeTransport(.status(419)), interceptor: probe)
        let request = stack.session.request(Router(buildsMax: place == "router" ? 1 : 9))
        let response = await request.validate().serializingData().response
        #expect(seen.values == [419, 419, 419] && stack.transport.requests.count == 1)
        #expect(response.response?.statusCode == 419 && response.data == nil)
        #expect(response.error?.responseCode == nil && request.data == nil)
    }

    @Test("An interceptor that looks for 419 after a sign-out refreshes to its breaker")
    func signedOut() async {
        let refreshes = Notes<Int>()
        let probe = Probe(
            adapt: { urlRequest, _ in
                guard refreshes.values.isEmpty else { throw TestError(name: "signed out") }
                return urlRequest
            },
            retry: { request, _ in
                guard request.response?.statusCode == 419, refreshes.values.count < 20 else {
                    return .doNotRetry
                }
                refreshes.append(1)
                return .retry
            })
        let stack = Stack(
            FakeTransport(.status(419)), interceptor: probe)
        let response = await stack.get().validate().serializingData().response
        #expect(refreshes.values.count == 20 && probe.adapts == 21)
        #expect(response.error?.isRequestAdaptationError == true)
    }

    @Test("RetryPolicy goes on by the last answer's status while adapting fails")
    func policy() async {
        let probe = Probe(adapt: { urlRequest, request in
            guard request.retryCount == 0 else { throw TestError() }
            return urlRequest
        })
        let stack = Stack(
            FakeTransport(.status(503)),
            interceptor: Interceptor(adapters: [probe], retriers: [RetryPolicy(retryLimit: 4)]))
        _ = await stack.get().validate().serializingData().response
        #expect(probe.adapts == 5 && stack.time.sleeps == [0.5, 1, 2, 4])
    }

    @Test("A credential taken away before the resend is missed three times")
    func missing() throws {
        let world = AuthenticationWorld { _ in 401 }
        let later = Probe(retries: 1, delay: 1)
        let chain = Interceptor(
            adapters: [world.interceptor], retriers: [later, world.interceptor])
        let shapes = Notes<String>()
        try world.run {
            Task {
                let request = world.world.session(chain).request(URLRequest.test).validate()
                shapes.append(await request.serializingData().response.error?.shape ?? "none")
            }
            await world.sleep(0.5)
            world.interceptor.credential = nil
        }
        #expect(shapes.values == ["retry(missing of retry(missing of adapt(missing)))"])
    }

    @Test("A send without a response clears the response of the attempt before")
    func sentAgain() async {
        let seen = Notes<Int?>()
        let probe = Probe(retry: { request, _ in
            seen.append(request.response?.statusCode)
            return request.retryCount == 0 ? .retry : .doNotRetry
        })
        let stack = Stack(
            FakeTransport(results: [.success(.status(500)), .failure(TransportError(.timedOut))]),
            interceptor: probe)
        _ = await stack.get().validate().serializingData().response
        #expect(seen.values == [500, nil, nil])
    }
}

/// A router that can be built so many times.
private struct Router: URLRequestConvertible {
    let buildsMax: Int
    let builds = Notes<Int>()

    func asURLRequest() throws -> URLRequest {
        builds.append(1)
        guard builds.values.count <= buildsMax else { throw TestError(name: "router") }
        return .test
    }
}

extension AFError {
    /// Who wrapped what: `retry(missing of adapt(missing))`.
    fileprivate var shape: String {
        switch self {
        case .requestRetryFailed(let own, let original):
            "retry(\(own.word) of \(original.asAFError?.shape ?? "\(original)"))"
        case .requestAdaptationFailed(let error): "adapt(\(error.word))"
        default: label
        }
    }
}

extension Error {
    fileprivate var word: String {
        self as? AuthenticationError == .missingCredential ? "missing" : "\(self)"
    }
}
