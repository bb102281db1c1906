import Foundation
import Squall
import SquallProof
import SquallServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cost of `URLSession` in a world: benchmarks for an own tool, beside the tool's own.
extension Benchmark {
    static let sessions: [Benchmark] = [
        Benchmark(
            "urlsession/call, session kept",
            about: "One call of a URLSession that is kept, answered 80 ms of virtual time later."
        ) { try sample(4_000) { try calls(4_000) } },
        Benchmark(
            "urlsession/call by task, session kept",
            about: "The same with a completion handler, from a queue, one after the other."
        ) { try sample(4_000) { try tasks(4_000) } },
        Benchmark(
            "urlsession/world with a session of its own",
            about: "A world, a session, four calls at once on an expired token, a refresh each."
        ) { try sample(200) { try storms(200) } },
    ]

    private static func calls(_ count: Int) throws {
        try simulate { world in
            let server = world.mount(TokenService(.bearer, routes: [.get("/posts", json: "[]")]))
            let session = URLSession(configuration: server.urlSessionConfiguration)
            let request = signed(server, server.tokens().access)
            for _ in 0..<count { _ = try await session.data(for: request) }
        }
    }

    private static func tasks(_ count: Int) throws {
        try simulate { world in
            let server = world.mount(TokenService(.bearer, routes: [.get("/posts", json: "[]")]))
            let session = URLSession(configuration: server.urlSessionConfiguration)
            let request = signed(server, server.tokens().access)
            for _ in 0..<count {
                await withCheckedContinuation { done in
                    session.dataTask(with: request) { _, _, _ in done.resume() }.resume()
                }
            }
        }
    }

    private static func storms(_ count: Int) throws {
        for seed in 1...count {
            try simulate(seed: UInt64(seed)) { world in
                let server = world.mount(
                    TokenService(.bearer, routes: [.get("/posts", json: "[]")]))
                let session = URLSession(configuration: server.urlSessionConfiguration)
                let tokens = server.expiredTokens()
                let request = signed(server, tokens.access)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            _ = try await session.data(for: request)
                            _ = try await session.data(for: renewal(server.url, tokens.refresh))
                            _ = try await session.data(for: request)
                        }
                    }
                    try await group.waitForAll()
                }
                session.invalidateAndCancel()
            }
        }
    }

    private static func signed(_ server: MountedService, _ token: String) -> URLRequest {
        var request = URLRequest(url: server.url.appendingPathComponent("posts"))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return request
    }

    private static func renewal(_ base: URL, _ token: String) -> URLRequest {
        var request = URLRequest(url: base.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.httpBody = Data("grant_type=refresh_token&refresh_token=\(token)".utf8)
        return request
    }
}
