import Foundation
import Squall
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The same seed in another process")
struct SameBytesTests {
    @Test("Two processes of one seed have the same times, identifiers and order of sets")
    func sameBytes() async throws {
        let first = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { try Storm.write(seed: 7) }
        let second = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { try Storm.write(seed: 7) }
        let here = try Storm.report(seed: 7)
        #expect(here.split(separator: "\n").count > 30)
        #expect(try Storm.report(seed: 8) != here)
        for child in [first, second] {
            let output = String(decoding: try #require(child).standardOutputContent, as: UTF8.self)
            #expect(output.contains(here))
        }
    }
}

/// Some requests of a client that leaves much to chance, in a world with a random schedule.
private enum Storm {
    static func write(seed: UInt64) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(report(seed: seed).utf8))
    }

    static func report(seed: UInt64) throws -> String {
        let run = try simulate(seed: seed, schedule: RandomSchedule(seed: seed)) { world in
            let far = world.mount(
                TokenService(.bearer, routes: [.get("/posts/{id}", json: "[]")]))
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let token = far.expiredTokens().access
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in Set((0..<30).map { "\($0)-\(UUID().uuidString)" }) {
                    let url = far.url.appendingPathComponent("posts/\(id)")
                    var request = URLRequest(url: url)
                    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
                    let sent = request
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(Int.random(in: 0..<5)))
                        _ = try await session.data(for: sent)
                    }
                }
                try await group.waitForAll()
            }
        }
        return run.description
    }
}
