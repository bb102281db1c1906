import SquallHTTP
import SquallKernel
import Testing

@testable import SquallClient

@Suite("Cancellation")
struct CancellationTests {
    @Test("Cancelling the awaiting task ends the request at once")
    func awaitingTask() throws {
        let world = Simulated(latency: 10)
        let session = world.session()
        let ended = Notes<Double>()
        try world.run {
            let task = Task {
                let response = await session.request(URLRequest.test).validate().serializingData()
                    .response
                if response.error?.isExplicitlyCancelledError == true {
                    ended.append(seconds(world.simulation))
                }
            }
            try? await world.simulation.sleep(nanoseconds: 2_000_000_000)
            task.cancel()
        }
        #expect(ended.values == [2])
        #expect(world.log.lines.last == "end explicitlyCancelled")
    }

    @Test("Cancelling a resumed request ends it at once")
    func resumed() throws {
        let world = Simulated(latency: 10)
        let request = world.session().request(URLRequest.test)
        let ended = Notes<Double>()
        try world.run {
            request.response { _ in ended.append(seconds(world.simulation)) }
            try? await world.simulation.sleep(nanoseconds: 2_000_000_000)
            request.cancel()
            request.cancel()
        }
        #expect(ended.values == [2] && request.isCancelled && request.isFinished)
        #expect(world.log.lines("cancel").count == 1)
    }

    @Test("Cancelling a joined wait cancels the request for everybody")
    func joined() throws {
        let world = Simulated(latency: 10)
        let request = world.session().request(URLRequest.test)
        let errors = Notes<String?>()
        try world.run {
            request.responseData { errors.append($0.error?.label) }
            let task = Task { errors.append(await request.serializingData().response.error?.label) }
            try? await world.simulation.sleep(nanoseconds: 1_000_000_000)
            task.cancel()
        }
        #expect(errors.values == ["explicitlyCancelled", "explicitlyCancelled"])
        #expect(world.transport.requests.count == 1)
    }

    @Test("A request that somebody awaits inline and another cancels ends when its answer comes")
    func inline() throws {
        let world = Simulated(latency: 10)
        let request = world.session(Probe(retries: 3)).request(URLRequest.test)
        let ended = Notes<Double>()
        try world.run {
            Task {
                let error = await request.serializingData().response.error
                if error?.isExplicitlyCancelledError == true {
                    ended.append(seconds(world.simulation))
                }
            }
            try? await world.simulation.sleep(nanoseconds: 1_000_000_000)
            request.cancel()
        }
        #expect(ended.values == [10] && world.transport.requests.count == 1)
    }

    @Test(
        "Cancelled while an adapter holds its completion, a request ends at once")
    func adapting() throws {
        let world = Simulated()
        let kept = Notes<@Sendable (Result<URLRequest, any Error>) -> Void>()
        let request = world.session(Adapter { _, _, completion in kept.append(completion) })
            .request(URLRequest.test)
        let ended = Notes<Double>()
        try world.run {
            request.response { _ in ended.append(seconds(world.simulation)) }
            try? await world.simulation.sleep(nanoseconds: 2_000_000_000)
            request.cancel()
            kept.values.first?(.success(.test))
        }
        #expect(ended.values == [2] && world.transport.requests.isEmpty)
        #expect(world.log.lines("lost", "again", "adaptFailed").isEmpty)
    }

    @Test(
        "Cancelled during a retry's delay, a request never ends")
    func duringDelay() throws {
        let world = Simulated { _, _ in .status(500) }
        let request = world.session(Probe(retries: 9, delay: 10)).request(URLRequest.test)
            .validate()
        let ended = Notes<String>()
        try world.run {
            request.responseData { ended.append($0.error?.label ?? "none") }
            try? await world.simulation.sleep(nanoseconds: 3_000_000_000)
            request.cancel()
        }
        #expect(ended.values == [])
        #expect(world.stack.parkedRequests.map(\.lost.place) == [.cancelledRetry])
        try world.release()
        #expect(ended.values == ["validation.status"] && world.stack.parkedRequests.isEmpty)
    }

    @Test(
        "Cancelling the awaiting task during a retry's delay follows the same rule")
    func taskDuringDelay() throws {
        let world = Simulated { _, _ in .status(500) }
        let session = world.session(Probe(retries: 9, delay: 10))
        let ended = Notes<String>()
        try world.run {
            let task = Task {
                let response = await session.request(URLRequest.test).validate().serializingData()
                    .response
                ended.append(response.error?.label ?? "none")
            }
            try? await world.simulation.sleep(nanoseconds: 3_000_000_000)
            task.cancel()
        }
        #expect(ended.values.isEmpty)
        try world.release()
        #expect(ended.values == ["validation.status"])
    }

    @Test(
        "Cancelled while a retrier holds its completion, which then says retry or not",
        arguments: [true, false])
    func whileDeciding(saysRetry: Bool) throws {
        let world = Simulated { _, _ in .status(500) }
        let kept = Notes<@Sendable (RetryResult) -> Void>()
        let request = world.session(Retrier { _, _, _, completion in kept.append(completion) })
            .request(URLRequest.test).validate()
        let ended = Notes<Double>()
        try world.run {
            request.response { _ in ended.append(seconds(world.simulation)) }
            try? await world.simulation.sleep(nanoseconds: 2_000_000_000)
            request.cancel()
            try? await world.simulation.sleep(nanoseconds: 3_000_000_000)
            kept.values.first?(saysRetry ? .retry : .doNotRetry)
        }
        #expect(ended.values == (saysRetry ? [] : [5]))
        #expect(world.transport.requests.count == 1)
        try world.release()
        #expect(ended.values.count == 1 && request.error?.responseCode == 500)
    }

    @Test("Cancelling from a completion calls no handler again")
    func fromCompletion() async {
        let stack = Stack()
        let count = Notes<Int>()
        let request = stack.get()
        await withCheckedContinuation { continuation in
            request.responseData { _ in
                count.append(1)
                request.cancel()
                continuation.resume()
            }
        }
        #expect(count.values == [1] && !request.isCancelled)
    }

    @Test("Awaiting in a cancelled task ends without sending anything")
    func cancelledTask() async {
        let stack = Stack()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await stack.get().serializingData().response.error
        }
        #expect(await task.value?.isExplicitlyCancelledError == true)
        #expect(stack.transport.requests.isEmpty)
    }

    @Test("A session cancels all its requests that have begun, and forgets those that end")
    func allOfASession() throws {
        let world = Simulated(latency: 10)
        let session = world.session()
        let ended = Notes<String>()
        try world.run {
            for _ in 0..<3 {
                session.request(URLRequest.test).responseData {
                    ended.append($0.error?.label ?? "none")
                }
            }
            _ = session.request(URLRequest.test)
            try? await world.simulation.sleep(nanoseconds: 1_000_000_000)
            ended.append("\(session.activeRequests.map(\.number))")
            session.activeRequests.first?.cancel()
            try? await world.simulation.sleep(nanoseconds: 1_000_000_000)
            ended.append("\(session.activeRequests.map(\.number))")
            session.cancelAllRequests()
        }
        let cancelled = "explicitlyCancelled"
        #expect(ended.values == ["[0, 1, 2]", cancelled, "[1, 2]", cancelled, cancelled])
        #expect(session.activeRequests.isEmpty && world.transport.requests.count == 3)
    }
}
