import SquallHTTP
import SquallKernel
import Testing

@testable import SquallClient

@Suite("Completions of interceptors")
struct CompletionTests {
    /// An adapter and retrier whose completions meet a fate.
    struct Fateful: RequestInterceptor {
        enum Fate: CaseIterable, Sendable { case dropped, twice, late }
        let place: LostCompletion.Place
        let fate: Fate
        var later: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }

        func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            guard place == .adapt else { return completion(.success(urlRequest)) }
            meet { completion(.success(urlRequest)) }
        }

        func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            guard place == .retry else { return completion(.doNotRetry) }
            meet { completion(request.retryCount == 0 ? .retry : .doNotRetry) }
        }

        private func meet(_ complete: @escaping @Sendable () -> Void) {
            switch fate {
            case .dropped: break
            case .late: later(complete)
            case .twice:
                complete()
                complete()
            }
        }
    }

    static let places: [LostCompletion.Place] = [.adapt, .retry]

    @Test(
        "A dropped completion is reported at once, and the request never ends",
        arguments: places)
    func dropped(place: LostCompletion.Place) throws {
        let world = Simulated { _, _ in .status(500) }
        let session = world.session(Fateful(place: place, fate: .dropped), user: 7)
        let ended = Notes<String>()
        try world.run {
            let request = session.request(URLRequest.test).validate()
            ended.append(await request.serializingData().response.error?.label ?? "none")
        }
        #expect(ended.values.isEmpty)
        #expect(world.log.lines.last == "lost \(place) Fateful of 0")
        let parked = try #require(world.stack.parkedRequests.first)
        #expect(parked.user == 7 && parked.request == 0 && parked.lost.place == place)
        #expect(parked.url == "http://test/get")
        try world.release()
        let prefix = place == .adapt ? "requestAdaptationFailed" : "requestRetryFailed"
        #expect(ended.values == ["\(prefix).lost.\(place)"])
    }

    @Test("The report of a dropped completion comes at the instant it is freed", arguments: places)
    func instant(place: LostCompletion.Place) throws {
        let world = Simulated(latency: 1) { _, _ in .status(500) }
        let simulation = world.simulation
        let interceptor = Fateful(place: place, fate: .late) { complete in
            // Kept for five seconds, then let go of.
            Task {
                try? await simulation.sleep(nanoseconds: 5_000_000_000)
                withExtendedLifetime(complete) {}
            }
        }
        let session = world.session(interceptor)
        let start: Double = place == .adapt ? 0 : 1
        simulation.spawn {
            _ = await session.request(URLRequest.test).validate().serializingData().response
        }
        _ = try simulation.run(until: Instant(nanoseconds: Int64((start + 4.9) * 1e9)))
        #expect(world.log.lines("lost").isEmpty)
        _ = try simulation.run(until: Instant(nanoseconds: Int64((start + 5) * 1e9)))
        #expect(world.log.lines("lost") == ["lost \(place) Fateful of 0"])
        try world.release()
    }

    @Test("A strict session fails a request whose completion was dropped", arguments: places)
    func strict(place: LostCompletion.Place) throws {
        let world = Simulated(failsLostRequests: true) { _, _ in .status(500) }
        let session = world.session(Fateful(place: place, fate: .dropped))
        let ended = Notes<String>()
        try world.run {
            let response = await session.request(URLRequest.test).validate().serializingData()
                .response
            ended.append(response.error?.label ?? "none")
        }
        let expected = [
            "adapt": "requestAdaptationFailed.lost.adapt", "retry": "requestRetryFailed.lost.retry",
        ]
        #expect(ended.values == [expected[place.rawValue]])
        #expect(world.log.lines("lost").count == 1)
        #expect(world.stack.parkedRequests.isEmpty)
    }

    @Test("A second call is counted, named and changes nothing", arguments: places)
    func twice(place: LostCompletion.Place) throws {
        let world = Simulated { _, cause in cause.attempt == 0 ? .status(500) : .ok }
        let session = world.session(Fateful(place: place, fate: .twice))
        let statuses = Notes<Int?>()
        try world.run {
            let response = await session.request(URLRequest.test).validate().serializingResponse()
                .response
            statuses.append(response.response?.statusCode)
        }
        #expect(statuses.values == [place == .retry ? 200 : 500])
        #expect(world.log.lines("again") == ["again \(place) Fateful of 0"])
        #expect(world.transport.requests.count == (place == .retry ? 2 : 1))
    }

    @Test(
        "A completion that is called late and from another task is waited for",
        arguments: places)
    func late(place: LostCompletion.Place) throws {
        let world = Simulated(latency: 1) { _, cause in cause.attempt == 0 ? .status(500) : .ok }
        let simulation = world.simulation
        let interceptor = Fateful(place: place, fate: .late) { complete in
            Task {
                try? await simulation.sleep(nanoseconds: 5_000_000_000)
                complete()
            }
        }
        let session = world.session(interceptor)
        let ended = Notes<Double>()
        try world.run {
            _ = await session.request(URLRequest.test).validate().serializingResponse().response
            ended.append(seconds(simulation))
        }
        #expect(ended.values == [place == .retry ? 7 : 6])
        #expect(world.log.lines("lost", "again").isEmpty)
    }

    @Test("Requests of several users that are parked are listed in order and all released")
    func several() throws {
        let world = Simulated()
        let ended = Notes<UInt64>()
        try world.run {
            for user in [3, 1, 2] as [UInt64] {
                let session = world.session(Fateful(place: .adapt, fate: .dropped), user: user)
                for _ in 0..<2 {
                    Task {
                        _ = await session.request(URLRequest.test).serializingData().response
                        ended.append(user)
                    }
                }
            }
        }
        #expect(world.stack.parkedRequests.map(\.user) == [1, 1, 2, 2, 3, 3])
        #expect(world.stack.parkedRequests.map(\.request) == [0, 1, 0, 1, 0, 1])
        try world.release()
        #expect(ended.values.count == 6 && world.stack.parkedRequests.isEmpty)
    }

    @Test("A parked request that is cancelled in its adapter ends and is parked no longer")
    func cancelledWhileParked() throws {
        let world = Simulated()
        let request = world.session(Fateful(place: .adapt, fate: .dropped)).request(URLRequest.test)
        let ended = Notes<String?>()
        try world.run {
            request.response { ended.append($0.error?.label) }
            try? await world.simulation.sleep(nanoseconds: 1_000_000_000)
            request.cancel()
        }
        #expect(ended.values == ["explicitlyCancelled"] && world.stack.parkedRequests.isEmpty)
    }
}
