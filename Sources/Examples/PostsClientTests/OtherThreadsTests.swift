import Foundation
import PostsClient
import Squall
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Worlds beside each other")
struct OtherThreadsTests {
    private static func run(_ schedule: UInt64) throws -> String {
        let run = try simulate(
            schedule: RandomSchedule(seed: schedule), window: .milliseconds(100)
        ) { world in
            let far = world.mount(
                TokenService(
                    .bearer, refresh: .rotatingStrict,
                    routes: [.get("/posts", json: "[]"), .get("/profile", json: #"{"nick": "K"}"#)])
            )
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let tokens = far.expiredTokens()
            let store = TokenStore(
                access: tokens.access, refresh: tokens.refresh, base: far.url, network: session)
            let api = PostsAPI(base: far.url, network: session, tokens: store)
            async let posts = api.posts()
            async let profile = api.profile()
            _ = try await (posts, profile)
        }
        return "\(run)"
    }

    @Test("Do not show in each other: locks that libraries share cost no turn of a world")
    func same() throws {
        let alone = try (0..<20).map { try Self.run($0) }
        let different = Mutex<[String]>([])
        let isDone = DispatchSemaphore(value: 0)
        for _ in 0..<3 {
            Thread.detachNewThread {
                for schedule in 0..<20 {
                    let text = (try? Self.run(UInt64(schedule))) ?? "nothing"
                    if text != alone[schedule] { different.withLock { $0.append(text) } }
                }
                isDone.signal()
            }
        }
        for _ in 0..<3 { isDone.wait() }
        #expect(different.withLock { $0 }.isEmpty)
    }
}
