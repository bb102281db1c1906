import Foundation
import GalleryClient
import Squall
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A client of queues and completion handlers")
struct GalleryTests {
    private static let picture = TokenRoute.get("/pictures/{name}", json: "{}")

    /// Opens a world with the client in it, and a token that has expired or not.
    private func world(
        seed: UInt64 = 1, routes: [TokenRoute] = [picture], isExpired: Bool = true,
        _ body: @escaping @Sendable (GalleryAPI, TestWorld) async -> Void
    ) throws -> WorldRun {
        try simulate(seed: seed) { world in
            let server = world.mount(TokenService(.status419, routes: routes))
            let tokens = isExpired ? server.expiredTokens() : server.tokens()
            let session = URLSession(configuration: server.urlSessionConfiguration)
            let api = GalleryAPI(
                base: server.url, session: session, access: tokens.access, refresh: tokens.refresh)
            await body(api, world)
        }
    }

    @Test("Each expired request refreshes for itself, in three round trips", arguments: [1, 4, 23])
    func naive(count: Int) throws {
        let run = try world { api, _ in
            await withTaskGroup { group in
                for number in 0..<count {
                    group.addTask { await api.picture("\(number)") }
                }
            }
        }
        #expect(run.calls == 3 * count)
        #expect(run.refreshes == count)
        #expect(run.expired == count)
        #expect(run.redundantRefreshes == count - 1)
        #expect(run.elapsed == .milliseconds(240))
    }

    @Test("A server that fails is asked again a second later, to the nanosecond")
    func retries() throws {
        let broken = TokenRoute.get("/pictures/{name}", json: "{}").failing(1)
        let run = try world(routes: [broken], isExpired: false) { api, _ in
            await api.picture("a")
        }
        #expect(run.log.map(\.status) == [500, 500, 500, 500])
        #expect(run.elapsed == .milliseconds(3320))
    }

    @Test("Two downloads at a time take three round trips for six")
    func two() throws {
        let run = try world(isExpired: false) { api, _ in
            let count = await withCheckedContinuation { continuation in
                api.pictures(["a", "b", "c", "d", "e", "f"]) { continuation.resume(returning: $0) }
            }
            #expect(count == 6)
        }
        #expect(run.elapsed == .milliseconds(240))
    }

    @Test("The journal's queue keeps the order of its notes")
    func journal() throws {
        _ = try world(isExpired: true) { api, _ in
            await api.picture("a")
            await api.picture("b")
            #expect(
                api.journal == [
                    "get pictures/a", "refresh", "get pictures/a", "get pictures/b",
                ])
        }
    }

    @Test("The same seed gives the same run, again and again", arguments: UInt64(1)...3)
    func same(seed: UInt64) throws {
        func log() throws -> [String] {
            let run = try simulate(seed: seed, schedule: RandomSchedule(seed: seed)) { world in
                let server = world.mount(TokenService(.status419, routes: [Self.picture]))
                let tokens = server.expiredTokens()
                let session = URLSession(configuration: server.urlSessionConfiguration)
                let api = GalleryAPI(
                    base: server.url, session: session, access: tokens.access,
                    refresh: tokens.refresh)
                await withCheckedContinuation { continuation in
                    api.pictures(["a", "b", "c"]) { _ in continuation.resume() }
                }
            }
            return run.log.map(\.description)
        }
        #expect(try log() == log())
    }
}

extension GalleryAPI {
    fileprivate func picture(_ name: String) async {
        await withCheckedContinuation { continuation in
            get("pictures/\(name)") { _ in continuation.resume() }
        }
    }
}
