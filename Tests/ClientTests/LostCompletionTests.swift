import HTTP
import Kernel
import Synchronization
import Testing

@testable import Client

@Suite("Completions")
struct LostCompletionTests {
    @Test("One that is dropped in retry is reported at once, and its request stays parked")
    func droppedInRetry() throws {
        let stage = Stage(statuses: [419])
        let simulation = Simulation()
        let label = Mutex<String?>(nil)
        simulation.spawn {
            let request = stage.session(Dropping()).request(anywhere).validate()
            let error = await request.serializingData().response.error
            label.withLock { $0 = error?.label }
        }
        _ = try simulation.run(until: .start)
        #expect(stage.log.lines.contains("lost Dropping.retry of user 3 request 0"))
        #expect(stage.environment.parkedRequests.map(\.url) == ["http://host/item"])
        #expect(label.withLock { $0 } == nil)
        try release(stage, in: simulation)
        #expect(label.withLock { $0 } == "requestRetryFailed")
    }

    @Test("One that is dropped in adapt is reported at once: the request was never sent")
    func droppedInAdapt() throws {
        let stage = Stage(statuses: [200])
        let simulation = Simulation()
        let label = Mutex<String?>(nil)
        simulation.spawn {
            let request = stage.session().request(anywhere, interceptor: SilentAdapter())
            let error = await request.serializingData().response.error
            label.withLock { $0 = error?.label }
        }
        _ = try simulation.run(until: .start)
        #expect(stage.log.lines == ["lost SilentAdapter.adapt of user 3 request 0"])
        try release(stage, in: simulation)
        #expect(label.withLock { $0 } == "requestAdaptationFailed")
    }

    /// Lets parked requests go, from inside the simulation they are parked in.
    private func release(_ stage: Stage, in simulation: Simulation) throws {
        simulation.spawn { stage.environment.releaseParkedRequests() }
        _ = try simulation.run(until: .start)
        #expect(stage.environment.parkedRequests.isEmpty)
    }

    @Test("A second call is reported and changes nothing")
    func calledTwice() async {
        let stage = Stage(statuses: [503])
        let error = await stage.session(Insisting()).request(anywhere).validate()
            .serializingResponse().response.error
        #expect(error?.responseCode == 503)
        #expect(stage.log.count("again Insisting.retry") == 1)
        #expect(stage.log.count("send") == 1)
    }
}

private struct Dropping: RequestInterceptor {
    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {}
}

private struct SilentAdapter: RequestInterceptor {
    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {}
}

private struct Insisting: RequestInterceptor {
    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
        completion(.retry)
    }
}
