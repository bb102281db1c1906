import SquallHTTP
import Testing

@testable import SquallClient

@Suite("RetryPolicy")
struct RetryPolicyTests {
    static let methods: [HTTPMethod] = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .trace,
    ]

    /// What a policy makes of a request that failed in a certain way.
    static func sends(
        _ policy: RetryPolicy, method: HTTPMethod = .get,
        result: Result<FakeTransport.Reply, TransportError>
    ) async -> Int {
        let stack = Stack(FakeTransport(results: [result]), interceptor: policy)
        let request = stack.session.request(URLRequest.test(method)).validate()
        _ = await request.serializingResponse().response
        return stack.transport.requests.count
    }

    @Test("Only idempotent verbs are sent again", arguments: methods)
    func verbs(method: HTTPMethod) async {
        let isIdempotent = ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"]
            .contains(method.rawValue)
        let sends = await Self.sends(
            RetryPolicy(), method: method, result: .success(.status(503)))
        #expect(sends == (isIdempotent ? 3 : 1))
    }

    @Test(
        "Only statuses that may be different next time are sent again",
        arguments: [200, 201, 304, 400, 401, 403, 404, 408, 409, 418, 419, 429, 444, 500, 501, 502]
            + [503, 504, 505, 511])
    func statuses(status: Int) async {
        let sends = await Self.sends(RetryPolicy(), result: .success(.status(status)))
        #expect(sends == ([408, 500, 502, 503, 504].contains(status) ? 3 : 1))
    }

    @Test(
        "Only transport errors that may be different next time are sent again",
        arguments: TransportError.Code.allCases)
    func errors(code: TransportError.Code) async {
        let final: [TransportError.Code] = [
            .cancelled, .cannotParseResponse, .httpTooManyRedirects,
        ]
        let sends = await Self.sends(RetryPolicy(), result: .failure(TransportError(code)))
        #expect(sends == (final.contains(code) ? 1 : 3))
    }

    @Test("An error inside another kind of AFError counts, too", arguments: [true, false])
    func nestedErrors(isRetryable: Bool) async {
        let policy = RetryPolicy()
        let probe = Probe(adapt: { _, _ in
            throw TransportError(isRetryable ? .timedOut : .cannotParseResponse)
        })
        let stack = Stack(interceptor: Interceptor(adapters: [probe], retriers: [policy]))
        _ = await stack.get().serializingResponse().response
        // Adapting failed, so the verb looked at is that of the request as it was built.
        #expect(probe.adapts == (isRetryable ? 3 : 1))
        let request = stack.get()
        request.withState { $0.initialRequest = .test }
        let error = AFError.requestAdaptationFailed(
            error: TransportError(isRetryable ? .timedOut : .cannotParseResponse))
        #expect(policy.shouldRetry(request: request, dueTo: error) == isRetryable)
    }

    @Test("An error that is not of the transport is not sent again")
    func otherErrors() {
        let request = Stack().get()
        request.withState { $0.initialRequest = .test }
        #expect(!RetryPolicy().shouldRetry(request: request, dueTo: TestError()))
    }

    @Test("The limit is the number of retries", arguments: [0, 1, 2, 3, 7] as [UInt])
    func limit(retries: UInt) async {
        let sends = await Self.sends(
            RetryPolicy(retryLimit: retries), result: .success(.status(500)))
        #expect(sends == Int(retries) + 1)
    }

    @Test(
        "Delays grow exponentially, without bound or jitter",
        arguments: [
            (2, 0.5, [0.5, 1, 2, 4, 8]), (2, 0.1, [0.1, 0.2, 0.4, 0.8, 1.6]),
            (3, 1, [1, 3, 9, 27, 81]), (10, 0.25, [0.25, 2.5, 25, 250, 2500]),
        ] as [(UInt, Double, [Double])])
    func delays(base: UInt, scale: Double, delays: [Double]) async {
        let policy = RetryPolicy(
            retryLimit: 5, exponentialBackoffBase: base, exponentialBackoffScale: scale)
        let stack = Stack(FakeTransport(.status(500)), interceptor: policy)
        _ = await stack.get().validate().serializingResponse().response
        #expect(stack.time.sleeps == delays)
    }

    @Test("A delay that has doubled beyond a century is cut to one")
    func longest() async {
        let policy = RetryPolicy(retryLimit: 34)
        let stack = Stack(FakeTransport(.status(500)), interceptor: policy)
        _ = await stack.get().validate().serializingResponse().response
        #expect(stack.time.sleeps.suffix(2) == [2_147_483_648, 3e9])
    }

    @Test("RetryPolicy has Alamofire's defaults")
    func defaults() {
        let policy = RetryPolicy()
        #expect(policy.retryLimit == 2 && policy.exponentialBackoffBase == 2)
        #expect(policy.exponentialBackoffScale == 0.5)
        #expect(policy.retryableHTTPMethods.count == 6)
        #expect(policy.retryableHTTPStatusCodes == [408, 500, 502, 503, 504])
        #expect(policy.retryableURLErrorCodes.count == 18)
    }

    @Test("Without a validator a 503 is a success and nothing is sent again")
    func unvalidated() async {
        let stack = Stack(FakeTransport(.status(503)), interceptor: RetryPolicy())
        let response = await stack.get().serializingData().response
        #expect(response.error == nil && stack.transport.requests.count == 1)
    }

    @Test("A cancelled request is not sent again")
    func cancelled() async {
        let stack = Stack(FakeTransport(.status(500)), interceptor: RetryPolicy())
        let request = stack.get().validate { _, _, _ in .failure(TestError()) }
        request.cancel()
        _ = await request.serializingData().response
        #expect(stack.transport.requests.isEmpty)
    }

    @Test("A subclass that decides by itself shares nothing but the limit")
    func subclass() async {
        final class Always: RetryPolicy, @unchecked Sendable {
            // Safe because it adds nothing.
            override func retry(
                _ request: Request, for session: Session, dueTo error: any Error,
                completion: @escaping @Sendable (RetryResult) -> Void
            ) {
                completion(request.retryCount < retryLimit ? .retryWithDelay(1) : .doNotRetry)
            }
        }
        let stack = Stack(FakeTransport(.status(419)), interceptor: Always())
        let request = stack.session.request(URLRequest.test(.post)).validate()
        _ = await request.serializingResponse().response
        #expect(stack.time.sleeps == [1, 1])
    }
}
