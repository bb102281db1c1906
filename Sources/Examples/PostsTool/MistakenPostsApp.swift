import Foundation
import PostsClient
import SquallApps
import SquallTool

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The posts' client with what no app under load may do, to show what is said of it: one store of
/// tokens or one session for all users, or an event of the system's.
struct MistakenPostsApp: SimulatedApp {
    static let name = "posts-mistaken"
    static let designs = ["oneStore", "oneSession", "systemEvent"]
    static let origin = PostsApp.origin
    static let journeys: [Journey<MistakenPostsApp>] = [
        Journey(
            "read", about: "Looks at the main screen.",
            steps: [Step("main") { _ = try await $0.posts() }])
    ]

    private static let shared = OneStore()
    private static let session = URLSession(configuration: .default)
    private let device: SimulatedDevice

    init(device: SimulatedDevice) { self.device = device }

    static func restore(_ account: StoredAccount, on device: SimulatedDevice) {
        device.keep(account.accessToken, account.refreshToken)
    }

    func signIn() async throws {}

    private func posts() async throws -> [Post] {
        if device.design == "systemEvent" {
            DispatchSource.makeSignalSource(signal: SIGUSR1).activate()
        }
        let (access, refresh) = device.storedPair
        if device.design == "oneSession" {
            let own = TokenStore(
                access: access, refresh: refresh, base: PostsApp.base, network: Self.session)
            return try await PostsAPI(base: PostsApp.base, network: Self.session, tokens: own)
                .posts()
        }
        let store = await Self.shared.store(access, refresh)
        return try await PostsAPI(base: PostsApp.base, network: URLSession.shared, tokens: store)
            .posts()
    }
}

/// A singleton that keeps the tokens of the first user.
private actor OneStore {
    private var kept: TokenStore?

    func store(_ access: String, _ refresh: String) -> TokenStore {
        if let kept { return kept }
        let new = TokenStore(
            access: access, refresh: refresh, base: PostsApp.base, network: URLSession.shared)
        kept = new
        return new
    }
}
