import SquallClient
import SquallHTTP
import SquallKernel
import Testing

@testable import SquallLab

@Suite("Virtual time that stands still")
struct StandstillTests {
    @Test("The user of requests that end in a standstill is named, with interceptor and error")
    func requests() throws {
        let world = try world()
        let environment = world.environments[0]
        world.simulation.spawn {
            let session = Session(environment: environment, user: 3, interceptor: Refusing())
            let target = URLRequest(url: WebURL(origin: "http://test", path: "/feed"))
            while !Task.isCancelled {
                _ = await session.request(target).serializingResponse().response
                await Task.yield()
            }
        }
        let text = try standstill(in: world)
        #expect(text.contains("virtual time stood still"))
        #expect(text.contains("user 3 made ") && text.contains("GET /feed"))
        #expect(text.contains("requestAdaptationFailed") && text.contains("Refusing"))
    }

    @Test("A loop without requests is said to be the app's own")
    func ownLoop() throws {
        let world = try world()
        world.simulation.spawn { while true { try? await Task.sleep(for: .zero) } }
        #expect(try standstill(in: world).contains("in an app's own code"))
    }

    @Test("A run that is told to stop does so while time stands still, and is torn down")
    func stopped() throws {
        let world = try world()
        world.simulation.spawn { while true { try? await Task.sleep(for: .zero) } }
        let simulation = world.simulation
        simulation.checkpoint = { simulation.stop() }
        #expect(try simulation.run(until: .start) == .stopped)
        simulation.checkpoint = nil
        world.tearDown()
    }

    private func world() throws -> World {
        let text = """
            { "schemaVersion": 1, "seed": 1, "duration": "1m",
              "populations": [{ "app": "scrolly", "users": 5, "journeys": {"browse": 1},
                "arriveOver": "5s" }] }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        return World(WorldPlan(profile))
    }

    private func standstill(in world: World) throws -> String {
        defer { world.tearDown() }
        let end = Instant(nanoseconds: 1_000_000_000)
        let error = #expect(throws: StandstillError.self) {
            try world.naming { try world.simulation.run(until: end) }
        }
        return try #require(error).description
    }
}

private struct Refusing: AsyncRequestInterceptor {
    struct Refused: Error {}

    func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        throw Refused()
    }
}
