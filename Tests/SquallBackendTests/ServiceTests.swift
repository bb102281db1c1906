import SquallHTTP
import SquallKernel
import TestSupport
import Testing

@testable import SquallBackend

@Suite("Services")
struct ServiceTests {
    @Test("A service of three members answers on its origin, and the first one on any other")
    func greeting() throws {
        let scene = try Reception([Greeter("a"), Greeter("b")])
        #expect(try scene.answer("https://b.test/greetings/you") == "Hello, you, says b!")
        #expect(try scene.answer("https://a.test/greetings/you") == "Hello, you, says a!")
        #expect(try scene.answer("https://elsewhere.test/greetings/me") == "Hello, me, says a!")
    }

    @Test("A response is four words, which are handed on without a look at types")
    func size() {
        #expect(MemoryLayout<Answer>.size <= 32)
        #expect(Answer(status: 599).status == 599 && Answer(status: .max).status == Int(Int32.max))
    }

    @Test("Equal names of two services are one endpoint; a role goes with the name")
    func names() throws {
        let scene = try Reception([Greeter("a"), Greeter("b")])
        let first = try scene.endpoint("https://a.test/greetings/x")
        let second = try scene.endpoint("https://b.test/greetings/y")
        #expect(first == second && first.name == "greeting" && first.role == .ordinary)
        let renewal = try scene.endpoint("https://b.test/renewals/y")
        #expect(renewal != first && renewal.role == .refresh)
    }

    @Test(
        "A request that no service knows is named after method and path, identifiers apart",
        arguments: [
            ("/v1/users/x", "GET /v1/users/x"), ("/", "GET /"),
            ("//a//b/", "GET /a/b"), ("/posts/17", "GET /posts/*"),
            ("/posts/66d3c1f0505651701700002a/likes", "GET /posts/*/likes"),
            ("/files/cover_1724434004933.jpg", "GET /files/*"), ("/v2/r2d2", "GET /v2/r2d2"),
            ("/reset/QmFzZVNlY3JldE9mTWFueUxldHRlcnNPbmx5", "GET /reset/*"),
            (
                "/subscription-notification_preferences",
                "GET /subscription-notification_preferences"
            ),
        ])
    func unmatched(path: String, name: String) throws {
        let scene = try Reception([Greeter("a")])
        #expect(try scene.endpoint("https://a.test" + path).name == name)
    }

    @Test("However many strange requests there are, the names of results are bounded")
    func bound() {
        var table = EndpointTable()
        let names = (0..<1_000).map { number in
            let path = "/" + String(repeating: "x", count: number + 1)
            return table.unmatchedEndpoint(URLRequest(url: WebURL(origin: "o", path: path))).name
        }
        #expect(Set(names).count == EndpointTable.unmatchedMax + 1)
        #expect(names[0] == "GET /x" && names[999] == Endpoint.unmatchedName)
        let known = table.unmatchedEndpoint(URLRequest(url: WebURL(origin: "o", path: "/x")))
        #expect(known.name == "GET /x")
    }
}

/// The example of ``Service``'s documentation, with a name.
private final class Greeter: Service {
    let name: String
    let origins: [String]
    let endpoints = [
        EndpointDescription("greeting", .get, "/greetings/{person}"),
        EndpointDescription("renewal", .get, "/renewals/{person}", role: .refresh),
    ]

    init(_ name: String) {
        self.name = name
        origins = ["https://\(name).test"]
    }

    func answer(_ request: URLRequest, to route: Route?, in scene: ServiceScene) -> Answer {
        guard let route else { return Answer(status: 404) }
        return Answer(status: 200, body: Body("Hello, \(route.first), says \(name)!"))
    }

    func answer(to error: ServiceError) -> Answer { Answer(status: error.usualStatus) }
}

/// A backend of some services, asked by one user.
private final class Reception {
    private let simulation = Simulation()
    private let backend: Backend
    private let observer = SilentObserver()

    init(_ services: [any Service]) throws {
        var plan = BackendPlan()
        plan.userCount = 1
        backend = Backend(
            simulation: simulation, plan: plan, services: services,
            randomness: RandomStream(seed: 1), observer: observer)
    }

    func endpoint(_ address: String) throws -> Endpoint {
        backend.endpoint(of: URLRequest(url: try #require(WebURL(address))))
    }

    func answer(_ address: String) throws -> String {
        let request = URLRequest(url: try #require(WebURL(address)))
        let log = AnswerLog()
        simulation.spawn { [transport = backend.transport] in
            log.answer = try? await transport.send(request, cause: RequestCause())
        }
        _ = try simulation.run(until: Instant(nanoseconds: .max))
        return String(decoding: try #require(log.answer).body.bytes, as: UTF8.self)
    }
}

/// Keeps an answer.
private final class AnswerLog: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    var answer: TransportResponse?
}
