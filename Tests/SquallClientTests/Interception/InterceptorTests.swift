import SquallHTTP
import SquallKernel
import Testing

@testable import SquallClient

@Suite("Interceptors")
struct InterceptorTests {
    /// An adapter that adds its name to a header field.
    static func tagging(_ name: String) -> Adapter {
        Adapter { request, _, completion in
            var request = request
            request.headers["Tags"] = (request.headers["Tags"] ?? "") + name
            completion(.success(request))
        }
    }

    /// A retrier that writes its name down and says the same every time.
    static func saying(_ result: RetryResult, _ name: String, _ asked: Notes<String>) -> Retrier {
        Retrier { _, _, _, completion in
            asked.append(name)
            completion(result)
        }
    }

    @Test("Adapters run in order, each on what the one before made", arguments: 0...4)
    func adapters(count: Int) async {
        let names = "abcd".prefix(count).map(String.init)
        let stack = Stack(interceptor: Interceptor(adapters: names.map(Self.tagging)))
        _ = await stack.get().serializingResponse().response
        let expected = count == 0 ? nil : names.joined()
        #expect(stack.transport.requests.first?.headers["Tags"] == expected)
    }

    @Test("The first adapter that fails ends the chain")
    func failingAdapter() async {
        let last = Probe()
        let failing = Adapter { _, _, completion in completion(.failure(TestError())) }
        let stack = Stack(interceptor: Interceptor(adapters: [Self.tagging("a"), failing, last]))
        let response = await stack.get().serializingResponse().response
        #expect(response.error?.underlyingError as? TestError == TestError())
        #expect(last.adapts == 0 && stack.transport.requests.isEmpty)
        #expect(stack.log.lines("adaptFailed").count == 1)
    }

    @Test(
        "The first retrier that says anything but 'do not retry' decides",
        arguments: [
            ("retry", "ab"), ("delay", "ab"), ("error", "ab"), ("none", "abc"),
        ])
    func retriers(second: String, asked: String) async {
        let names = Notes<String>()
        let results: [String: RetryResult] = [
            "retry": .retry, "delay": .retryWithDelay(1), "none": .doNotRetry,
            "error": .doNotRetryWithError(TestError()),
        ]
        let stack = Stack(FakeTransport(.status(500), .ok))
        let interceptor = Interceptor(retriers: [
            Self.saying(.doNotRetry, "a", names),
            Self.saying(results[second] ?? .retry, "b", names),
            Self.saying(.doNotRetry, "c", names),
        ])
        _ = await stack.get(interceptor).validate().serializingResponse().response
        #expect(names.values.joined() == asked)
        #expect(stack.transport.requests.count == (["retry", "delay"].contains(second) ? 2 : 1))
    }

    @Test("An interceptor without retriers never retries, whatever the error")
    func noRetriers() async {
        let stack = Stack(FakeTransport(.status(500)), interceptor: Interceptor())
        _ = await stack.get().validate().serializingResponse().response
        #expect(stack.transport.requests.count == 1)
    }

    @Test("Given adapters and retriers come before those of given interceptors")
    func composition() async {
        let names = Notes<String>()
        let inner = Interceptor(
            adapters: [Self.tagging("b")], retriers: [Self.saying(.doNotRetry, "b", names)])
        let outer = Interceptor(
            adapters: [Self.tagging("a")], retriers: [Self.saying(.doNotRetry, "a", names)],
            interceptors: [inner])
        let stack = Stack(FakeTransport(.status(500)))
        _ = await stack.get(outer).validate().serializingResponse().response
        #expect(stack.transport.requests.first?.headers["Tags"] == "ab")
        #expect(names.values == ["a", "b"])
    }

    @Test("The session's interceptor comes first, then the request's and those that were added")
    func order() async {
        let names = Notes<String>()
        func both(_ name: String) -> Interceptor {
            Interceptor(
                adapters: [Self.tagging(name)],
                retriers: [Self.saying(.doNotRetry, name, names)])
        }
        let stack = Stack(
            FakeTransport(.status(500)), interceptor: both("s"))
        let request = stack.get(both("r")).interceptor(both("x")).validate()
        _ = await request.serializingResponse().response
        #expect(stack.transport.requests.first?.headers["Tags"] == "srx")
        #expect(names.values.joined() == "srx")
    }

    @Test("Adapters and retriers that are added to a request run in the order of adding")
    func added() async {
        let names = Notes<String>()
        let stack = Stack(FakeTransport(.status(500)), interceptor: Self.tagging("s"))
        let request = stack.get().adapt(using: Self.tagging("a")).adapt(using: Self.tagging("b"))
            .retry(using: Self.saying(.doNotRetry, "a", names))
            .retry(using: Self.saying(.doNotRetry, "b", names)).validate()
        _ = await request.serializingResponse().response
        #expect(stack.transport.requests.first?.headers["Tags"] == "sab")
        #expect(names.values == ["a", "b"])
    }

    @Test("Adapting is done again for a retry, on the newly built request")
    func again() async {
        let stack = Stack(
            FakeTransport(.status(500), .ok),
            interceptor: Interceptor(
                adapters: [Self.tagging("a")], interceptors: [Probe(retries: 1)]))
        _ = await stack.get().validate().serializingData().response
        #expect(stack.transport.requests.map { $0.headers["Tags"] } == ["a", "a"])
    }

    @Test("An adapter can wait before it answers")
    func asynchronous() throws {
        let world = Simulated(latency: 1)
        let session = world.session(
            Probe(adapt: { request, _ in
                try await world.simulation.sleep(nanoseconds: 2_000_000_000)
                return request
            }))
        try world.run { _ = await session.request(URLRequest.test).serializingData().response }
        #expect(world.transport.requests.count == 1 && world.seconds == 3)
    }

    @Test(
        "A decision tells when and why",
        arguments: [
            (RetryResult.retry, nil, false), (.retryWithDelay(1.5), 1.5, false),
            (.doNotRetry, nil, false), (.doNotRetryWithError(TestError()), nil, true),
        ])
    func results(result: RetryResult, delay: Double?, hasError: Bool) {
        #expect(result.delay == delay)
        #expect((result.error != nil) == hasError)
    }

    @Test("Closures become interceptors")
    func closures() async {
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let interceptors: [any RequestInterceptor] = [
            Interceptor(adapters: [Adapter { $2(.success($0)) }], retriers: [retrier]),
            Interceptor(interceptors: [retrier]),
        ]
        for interceptor in interceptors {
            let stack = Stack(FakeTransport(.status(500)))
            _ = await stack.get(interceptor).validate().serializingResponse().response
            #expect(stack.transport.requests.count == 2)
        }
    }

    @Test("The defaults of a bare interceptor pass requests on and errors through")
    func defaults() async {
        struct Bare: RequestInterceptor {}
        struct AsyncBare: AsyncRequestInterceptor {}
        for interceptor in [Bare(), AsyncBare()] as [any RequestInterceptor] {
            let stack = Stack(FakeTransport(.status(500)), interceptor: interceptor)
            let response = await stack.get().validate().serializingResponse().response
            #expect(response.error?.responseCode == 500 && stack.transport.requests == [.test])
        }
    }
}
