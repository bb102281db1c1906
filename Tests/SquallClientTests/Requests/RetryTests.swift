import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Retrying")
struct RetryTests {
    /// Ways to wait for an answer, and how often a failed validation asks with each of them.
    enum Waiting: CaseIterable, Sendable {
        case data, string, decodable, empty, raw

        var consults: Int { self == .raw ? 1 : 2 }

        func error(of request: DataRequest) async -> AFError? {
            switch self {
            case .data: await request.serializingData().response.error
            case .string: await request.serializingString().response.error
            case .decodable: await request.serializingDecodable(Int.self).response.error
            case .empty: await request.serializingDecodable(Empty.self).response.error
            case .raw: await request.serializingResponse().response.error
            }
        }
    }

    @Test(
        "A failed validation asks at the attempt's end and at each serializer but the raw one",
        arguments: Waiting.allCases)
    func consults(waiting: Waiting) async {
        let probe = Probe()
        let stack = Stack(FakeTransport(.status(500)), interceptor: probe)
        let error = await waiting.error(of: stack.get().validate())
        #expect(error?.responseCode == 500 && probe.consults == waiting.consults)
    }

    @Test("A request without failure asks nobody", arguments: Waiting.allCases)
    func noConsult(waiting: Waiting) async {
        let probe = Probe()
        let stack = Stack(FakeTransport(.status(200, "1")), interceptor: probe)
        _ = await waiting.error(of: stack.get().validate())
        #expect(probe.consults == 0)
    }

    @Test(
        "A serializer's failure alone asks once and can lead to a retry", arguments: [0, 1, 3])
    func serializerRetry(retries: Int) async {
        let probe = Probe(retries: retries)
        let stack = Stack(FakeTransport(.status(200, "no number")), interceptor: probe)
        let response = await stack.get().validate().serializingDecodable(Int.self).response
        #expect(response.error?.label == "serialization.decoding")
        #expect(probe.consults == retries + 1 && stack.transport.requests.count == retries + 1)
    }

    @Test(
        "The retry count is that of the retries already performed",
        arguments: [(0, 1), (1, 2), (2, 3), (5, 6)])
    func retryCount(retries: Int, sends: Int) async {
        let seen = Notes<UInt>()
        let probe = Probe(retry: { request, _ in
            seen.append(request.retryCount)
            return request.retryCount < retries ? .retry : .doNotRetry
        })
        let stack = Stack(FakeTransport(.status(500)), interceptor: probe)
        let request = stack.get().validate()
        _ = await request.serializingResponse().response
        #expect(seen.values == (0..<UInt(sends)).map { $0 })
        #expect(request.retryCount == UInt(retries))
    }

    @Test("A delay is waited for before the count rises", arguments: [0, 0.25, 1, 3.5])
    func delay(seconds: Double) async {
        let stack = Stack(
            FakeTransport(.status(500), .ok), interceptor: Probe(retries: 1, delay: seconds))
        _ = await stack.get().validate().serializingData().response
        #expect(stack.time.sleeps == (seconds > 0 ? [seconds] : []))
    }

    @Test(
        "A retrier's own error is reported beside the original; asked twice, it is wrapped twice",
        arguments: [(Waiting.raw, 1), (.data, 2), (.decodable, 2)])
    func ownError(waiting: Waiting, depth: Int) async {
        let probe = Probe(retry: { _, _ in .doNotRetryWithError(TestError()) })
        let stack = Stack(FakeTransport(.status(419)), interceptor: probe)
        var error = await waiting.error(of: stack.get().validate())
        for _ in 0..<depth {
            guard case .requestRetryFailed(let own, let original) = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(own as? TestError == TestError())
            error = original.asAFError
        }
        #expect(error?.responseCode == 419)
    }

    @Test("A retry forgets the response and the data of the earlier attempt")
    func reset() async {
        let probe = Probe(retries: 1)
        let stack = Stack(
            FakeTransport(results: [.success(.status(500)), .failure(TransportError(.timedOut))]),
            interceptor: probe)
        let response = await stack.get().validate().serializingResponse().response
        #expect(response.response == nil && response.data == nil)
        #expect(response.error?.label == "transport.timedOut")
    }

    @Test(
        "Failures of every stage ask the retriers",
        arguments: ["create", "adapt", "upload", "transport", "validate", "serialize"])
    func stages(stage: String) async {
        let asked = Notes<String>()
        let probe = Probe(
            adapt: { request, _ in if stage == "adapt" { throw TestError() } else { request } },
            retry: { _, error in
                asked.append(error.asAFError?.label ?? "")
                return .doNotRetry
            })
        let transport = FakeTransport { _, _ throws(TransportError) in
            if stage == "transport" { throw TransportError(.networkConnectionLost) }
            return .status(stage == "validate" ? 500 : 200, "no number")
        }
        let stack = Stack(transport, interceptor: probe)
        let convertible: any URLRequestConvertible =
            stage == "create" ? FailingConvertible() : URLRequest.test(.post)
        let upload = stack.session.upload(
            { if stage == "upload" { throw TestError() } else { Body("x") } }, with: convertible)
        _ = await upload.validate().serializingDecodable(Int.self).response
        let expected = [
            "create": "createURLRequestFailed", "adapt": "requestAdaptationFailed",
            "upload": "createUploadableFailed", "transport": "transport.networkConnectionLost",
            "validate": "validation.status", "serialize": "serialization.decoding",
        ]
        #expect(asked.values.first == expected[stage])
        #expect(asked.values.count == (stage == "serialize" ? 1 : 2))
    }

    @Test("An error of adapting during a retry is the request's error")
    func adaptingDuringRetry() async {
        let probe = Probe.failingToAdaptRetry()
        let stack = Stack(FakeTransport(.status(500)), interceptor: probe)
        let response = await stack.get().validate().serializingData().response
        #expect(response.error?.isRequestAdaptationError == true)
        #expect(stack.transport.requests.count == 1 && probe.consults == 3)
    }

    @Test("Requests made by a retrier count as made because of the request it was asked about")
    func refreshFor() async {
        let probe = Probe(retry: { request, _ in
            let session = Session(beside: request.session)
            _ = await session.request(URLRequest.test).serializingResponse().response
            return .doNotRetry
        })
        let stack = Stack(FakeTransport(.status(500)))
        _ = await stack.get().serializingResponse().response
        _ = await stack.get(probe).validate().serializingResponse().response
        _ = await stack.get().serializingResponse().response
        #expect(stack.transport.causes.map(\.refreshFor) == [nil, nil, 1, nil])
    }

    @Test("Requests that a retrier starts with a completion count as made because of it, too")
    func refreshForWithCompletion() async {
        let retrier = Retrier { request, session, _, completion in
            guard request.retryCount == 0 else { return completion(.doNotRetry) }
            Session(beside: session).request(URLRequest.test).response { _ in completion(.retry) }
        }
        let stack = Stack(FakeTransport(.status(500)))
        _ = await stack.get(retrier).validate().serializingResponse().response
        #expect(stack.transport.causes.map(\.refreshFor) == [nil, 0, nil])
        #expect(stack.transport.causes.map(\.attempt) == [0, 0, 1])
    }
}
