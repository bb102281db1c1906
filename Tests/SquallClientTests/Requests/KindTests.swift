import SquallHTTP
import Testing

@testable import SquallClient

/// The kinds of request that a session makes.
enum Kind: CaseIterable, Sendable {
    case data, upload, form

    func request(
        of session: Session, _ convertible: any URLRequestConvertible = URLRequest.test(.put),
        _ interceptor: (any RequestInterceptor)? = nil
    ) -> Request {
        switch self {
        case .data: session.request(convertible, interceptor: interceptor)
        case .upload: session.upload(Body("x"), with: convertible, interceptor: interceptor)
        case .form:
            session.upload(
                multipartFormData: { $0.append(Body("x"), withName: "a") }, with: convertible,
                interceptor: interceptor)
        }
    }
}

@Suite("Every kind of request")
struct KindTests {
    static let places: [LostCompletion.Place] = [.adapt, .retry]

    @Test(
        "The adapters of every kind of request run once, and what they add is sent",
        arguments: Kind.allCases)
    func adapted(kind: Kind) async {
        let stack = Stack(interceptor: InterceptorTests.tagging("s"))
        let request = kind.request(
            of: stack.session, URLRequest.test(.put), InterceptorTests.tagging("r"))
        _ = await request.serializingResponse().response
        #expect(stack.transport.requests.map { $0.headers["Tags"] } == ["sr"])
    }

    @Test(
        "An adapter's failure is that of every kind of request, after the retriers were asked",
        arguments: Kind.allCases)
    func adaptingFails(kind: Kind) async {
        let probe = Probe(adapt: { _, _ in throw TestError() })
        let stack = Stack(interceptor: probe)
        let error = await kind.request(of: stack.session).serializingResponse().response.error
        #expect(error?.isRequestAdaptationError == true && probe.consults == 1)
        #expect(error?.underlyingError as? TestError == TestError())
        #expect(stack.transport.requests.isEmpty)
    }

    @Test(
        "Every kind of request is built and adapted anew for every retry", arguments: Kind.allCases)
    func rebuilt(kind: Kind) async {
        let probe = Probe(retries: 2)
        let stack = Stack(FakeTransport(.status(500), .status(500), .ok), interceptor: probe)
        let request = kind.request(of: stack.session, CountingConvertible(tokens: Notes()))
        _ = await request.validate().serializingData().response
        #expect(stack.transport.requests.map { $0.headers["Token"] } == ["0", "1", "2"])
        #expect(probe.adapts == 3 && request.retryCount == 2)
    }

    @Test(
        "The handler of every kind of request is called when adapting fails during a retry",
        arguments: Kind.allCases)
    func adaptingFailsLater(kind: Kind) async {
        let probe = Probe.failingToAdaptRetry()
        let stack = Stack(FakeTransport(.status(500)), interceptor: probe)
        let request = kind.request(of: stack.session).validate()
        let label = await withCheckedContinuation { continuation in
            request.responseData { continuation.resume(returning: $0.error?.label) }
        }
        #expect(label == "requestAdaptationFailed" && stack.transport.requests.count == 1)
    }

    @Test(
        "A serializer that fails asks the retriers, and succeeds on the next attempt",
        arguments: Kind.allCases)
    func serializing(kind: Kind) async {
        let probe = Probe(retries: 1)
        let stack = Stack(
            FakeTransport(.status(200, "no number"), .status(200, "8")), interceptor: probe)
        let request = kind.request(of: stack.session).validate()
        let response = await request.serializingDecodable(Int.self).response
        #expect(response.value == 8 && probe.consults == 1)
    }

    @Test(
        "A convertible that fails is the error of every kind of request", arguments: Kind.allCases)
    func creatingFails(kind: Kind) async {
        let request = kind.request(of: Stack().session, FailingConvertible())
        let error = await request.serializingResponse().response.error
        #expect(error?.label.hasPrefix("createURLRequestFailed") == true)
    }

    @Test(
        "A request of any kind that is cancelled before it began is never sent, nor asked about",
        arguments: Kind.allCases)
    func cancelled(kind: Kind) async {
        let probe = Probe(retries: 3)
        let stack = Stack(interceptor: probe)
        let request = kind.request(of: stack.session).cancel()
        let error = await request.serializingResponse().response.error
        #expect(error?.isExplicitlyCancelledError == true && stack.transport.requests.isEmpty)
        #expect(probe.adapts + probe.consults == 0)
    }

    @Test("A retrier's own error is reported beside the original", arguments: Kind.allCases)
    func retrierFails(kind: Kind) async {
        let probe = Probe(retry: { _, _ in .doNotRetryWithError(TestError()) })
        let stack = Stack(FakeTransport(.status(500)), interceptor: probe)
        let request = kind.request(of: stack.session).validate()
        let error = await request.serializingResponse().response.error
        guard case .requestRetryFailed(let own, let original) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(own as? TestError == TestError() && original.asAFError?.responseCode == 500)
    }

    @Test(
        "A dropped completion is reported with interceptor, request and user",
        arguments: Kind.allCases, places)
    func dropped(kind: Kind, place: LostCompletion.Place) throws {
        let world = Simulated { _, _ in .status(500) }
        let interceptor = CompletionTests.Fateful(place: place, fate: .dropped)
        let session = world.session(interceptor, user: 7)
        try world.run {
            let request = kind.request(of: session).validate()
            _ = await request.serializingData().response
        }
        let parked = try #require(world.stack.parkedRequests.first)
        #expect(parked.user == 7 && parked.request == 0)
        #expect(parked.lost == LostCompletion(place: place, interceptor: "Fateful"))
        try world.release()
    }
}
