import SquallHTTP
import SquallKernel
import Testing

@testable import SquallClient

@Suite("Several handlers of one request")
struct HandlerTests {
    @Test("A request with several handlers is sent once and serialized for each, in order")
    func order() async {
        let stack = Stack(FakeTransport(.status(200, "7")))
        let seen = Notes<String>()
        let request = stack.get()
        await withCheckedContinuation { continuation in
            request.responseDecodable(of: Int.self) { seen.append("int \($0.value ?? -1)") }
                .responseString { seen.append("text \($0.value ?? "")") }
                .responseData { seen.append("data \($0.value?.count ?? -1)") }
                .response { _ in
                    seen.append("raw")
                    continuation.resume()
                }
        }
        #expect(seen.values == ["int 7", "text 7", "data 1", "raw"])
        #expect(stack.transport.requests.count == 1)
    }

    @Test("However many handlers are added, a request is driven and ends once")
    func ending() throws {
        // In a world one task goes on until it has to wait, and here none has to.
        let simulation = Simulation()
        let stack = Stack(FakeTransport(.status(200, "7")))
        simulation.spawn {
            let request = stack.get().responseString { _ in }.responseData { _ in }
            request.resume()
            request.response { _ in }
        }
        _ = try simulation.run(until: Instant(nanoseconds: 1))
        #expect(stack.log.lines("resume", "send", "end") == ["resume", "send 0", "end"])
        #expect(stack.log.lines("parse").count == 3)
    }

    @Test("One failed attempt with two serializers and a raw handler asks three times")
    func consults() async {
        let probe = Probe()
        let stack = Stack(FakeTransport(.status(500)), interceptor: probe)
        await withCheckedContinuation { continuation in
            stack.get().validate()
                .responseData { _ in }
                .responseString { _ in }
                .response { _ in continuation.resume() }
        }
        #expect(probe.consults == 3)
    }

    @Test("A retry that a later serializer leads to begins all of them again")
    func laterSerializer() async {
        let stack = Stack(
            FakeTransport(.status(200, "no number"), .status(200, "8")),
            interceptor: Probe(retries: 1))
        let seen = Notes<String>()
        await withCheckedContinuation { continuation in
            stack.get().responseString { seen.append($0.value ?? "") }
                .responseDecodable(of: Int.self) { response in
                    seen.append("\(response.value ?? -1)")
                    continuation.resume()
                }
        }
        #expect(seen.values == ["8", "8"])
    }

    @Test("Somebody who awaits a request that runs already joins in")
    func joining() async throws {
        let stack = Stack(FakeTransport(.status(200, "7")))
        let request = stack.get().resume()
        async let first = request.serializingDecodable(Int.self).value
        async let second = request.serializingString().value
        let values = try await (first, second)
        #expect(values.0 == 7 && values.1 == "7")
        #expect(stack.transport.requests.count == 1)
    }

    @Test("Awaiting a finished request gives its answer once more, without sending it")
    func twice() async throws {
        let probe = Probe(retry: { _, _ in .doNotRetryWithError(TestError()) })
        let stack = Stack(FakeTransport(.status(500)), interceptor: probe)
        let task = stack.get().validate().serializingData()
        let first = await task.response
        let second = await task.response
        #expect(first.error?.label == "requestRetryFailed")
        #expect(second.error?.label == "requestRetryFailed")
        #expect(stack.transport.requests.count == 1 && probe.consults == 2)
    }

    @Test("A handler of a finished request gets its answer, and may lead to a retry")
    func lateHandler() async throws {
        let stack = Stack(
            FakeTransport(.status(200, "no number"), .status(200, "8")),
            interceptor: Probe(retries: 1))
        let request = stack.get()
        _ = try await request.serializingString().value
        let value = await withCheckedContinuation { continuation in
            request.responseDecodable(of: Int.self) { continuation.resume(returning: $0.value) }
        }
        #expect(value == 8 && stack.transport.requests.count == 2)
    }

    @Test("A handler's completion can start another request and add another handler")
    func nesting() async {
        let stack = Stack()
        let request = stack.get()
        let statuses: [Int?] = await withCheckedContinuation { continuation in
            request.responseData { first in
                request.response { second in
                    continuation.resume(
                        returning: [first.response?.statusCode, second.response?.statusCode])
                }
            }
        }
        #expect(statuses == [200, 200] && stack.transport.requests.count == 1)
    }

    @Test("A hundred tasks that await one request get one answer")
    func crowd() async throws {
        let stack = Stack(FakeTransport(.status(200, "7")))
        let request = stack.get()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask { try await request.serializingDecodable(Int.self).value }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 700 && stack.transport.requests.count == 1)
    }
}
