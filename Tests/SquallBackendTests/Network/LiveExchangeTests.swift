import SquallHTTP
import SquallKernel
import TestSupport
import Testing

@testable import SquallBackend

@Suite("Requests from outside the simulation")
struct LiveExchangeTests {
    private final class Told {
        var statuses: [Int?] = []
    }

    private func send(
        _ served: BackendWorld, _ request: URLRequest, user: UInt64 = 0, _ told: Told
    ) -> Backend.LiveExchange {
        served.backend.exchange(request, cause: { _ in RequestCause(user: user) }) {
            told.statuses.append(try? $0.get().head.statusCode)
        }
    }

    @Test("A request from outside gets its outcome once, and is named by its tokens")
    func told() throws {
        let served = BackendWorld()
        let told = Told()
        var sight: Backend.RequestPreview?
        served.backend.exchange(
            served.request(),
            cause: {
                sight = $0
                return RequestCause(user: 0, request: 7)
            }, told: { told.statuses.append(try? $0.get().head.statusCode) })
        try served.run()
        #expect(told.statuses == [200] && served.ends == ["7 ok at 45 ms"])
        let shows = try #require(sight?.shows)
        #expect(sight?.endpoint.name == "likedPosts2" || sight?.endpoint.role == .ordinary)
        #expect(served.backend.session(of: shows)?.account == 0)
        #expect(served.backend.session(of: TokenTexts(access: "x")) == nil)
    }

    @Test("A request whose sender has gone gets no outcome, and every conservation law holds")
    func abandoned() throws {
        let served = BackendWorld()
        let told = Told()
        let live = send(served, served.request(), told)
        _ = try served.simulation.run(until: Instant(nanoseconds: 21_000_000))
        served.backend.abandon(live)
        try served.run()
        #expect(told.statuses == [] && served.ends == ["0 cancelled at 21 ms"])
        try served.backend.checkConservation()
    }

    @Test("Users may come at any time, with any number", arguments: [1, 2, 1_000] as [UInt64])
    func users(user: UInt64) throws {
        let served = BackendWorld()
        let told = Told()
        for _ in 0..<8 { _ = send(served, served.request(), user: user, told) }
        try served.run()
        #expect(told.statuses == Array(repeating: 200, count: 8))
    }

    @Test("A request from outside fails at once after the end of its world")
    func closed() throws {
        let served = BackendWorld()
        let told = Told()
        served.backend.close()
        _ = send(served, served.request(), told)
        #expect(told.statuses == [nil])
    }
}

@Suite("Services outside the simulation")
struct OutsideServiceTests {
    /// A service whose answers are given later.
    private final class Distant: Service {
        let name = "distant"
        let origins = ["http://h"]
        let endpoints = [EndpointDescription("refresh", .get, "/refresh", role: .refresh)]
        var asked: [(number: UInt64, path: String)] = []
        var workplace: Workplace {
            .outside { [unowned self] number, request, _, _ in
                asked.append((number, request.url.path))
            }
        }

        func answer(_ request: URLRequest, to route: Route?, in scene: ServiceScene) -> Answer {
            Answer(status: 500)
        }

        func answer(to error: ServiceError) -> Answer { Answer(status: error.usualStatus) }
    }

    /// Hears of tokens.
    private final class Ear: BackendObserver {
        var issued: [String] = []
        var received: [TokenTexts] = []
        var followsTokens: Bool { true }
        func tokenIssued(_ token: IssuedToken) { issued.append(token.text) }
        func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
            received.append(tokens)
        }
    }

    @Test("An answer from outside goes back with the tokens that it brings; a second is ignored")
    func answers() throws {
        let (simulation, service, ear) = (Simulation(), Distant(), Ear())
        let backend = Backend(
            simulation: simulation, plan: BackendPlan(), services: [service],
            randomness: RandomStream(seed: 1), observer: ear)
        var statuses: [Int?] = []
        let url = WebURL(origin: "http://h", path: "/refresh")
        backend.exchange(URLRequest(url: url), cause: { _ in RequestCause(user: 3) }) {
            statuses.append(try? $0.get().head.statusCode)
        }
        _ = try simulation.run(until: Instant(nanoseconds: 3_000_000_000))
        let asked = try #require(service.asked.first)
        #expect(asked.path == "/refresh" && statuses == [])
        let token = IssuedToken(text: "t", kind: .access, user: 3, account: 3, generation: 1)
        backend.answer(asked.number, with: Answer(status: 200), brings: [token])
        backend.answer(asked.number, with: Answer(status: 500))
        _ = try simulation.run(until: Instant(nanoseconds: .max))
        #expect(statuses == [200] && ear.issued == ["t"])
        #expect(ear.received == [TokenTexts(access: "t")])
        try backend.checkConservation()
    }
}
