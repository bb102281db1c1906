import CallbackClient
import Foundation
import PostsClient
import SquallApps
import SquallTool

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The posts' client on completion handlers, queues and a group, unchanged; it keeps its tokens in
/// `UserDefaults.standard`, which each simulated user has separately.
struct CallbackPostsApp: SimulatedApp {
    static let name = "posts-callbacks"
    static let origin = PostsApp.origin
    static let journeys: [Journey<CallbackPostsApp>] = [
        Journey(
            "read", about: "Looks at the main screen, and once more.",
            steps: [
                Step("main") { try await $0.openMain() },
                Step("again") { try await $0.openMain() },
            ])
    ]

    private let device: SimulatedDevice
    private let posts: CallbackPosts

    init(device: SimulatedDevice) {
        self.device = device
        let access = UserDefaults.standard.string(forKey: "access") ?? ""
        let refresh = UserDefaults.standard.string(forKey: "refresh") ?? ""
        posts = CallbackPosts(
            base: PostsApp.base, session: URLSession(configuration: .default), access: access,
            refresh: refresh, keep: Self.keep)
    }

    static func restore(_ account: StoredAccount, on device: SimulatedDevice) {
        keep(account.accessToken, account.refreshToken)
    }

    @Sendable private static func keep(_ access: String, _ refresh: String) {
        UserDefaults.standard.set(access, forKey: "access")
        UserDefaults.standard.set(refresh, forKey: "refresh")
    }

    func signIn() async throws {
        let (name, password) = (device.credentials.email, device.credentials.password)
        let pair = try await SignIn(base: PostsApp.base, network: URLSession.shared)
            .tokens(name: name, password: password)
        Self.keep(pair.access, pair.refresh)
        posts.signedIn(access: pair.access, refresh: pair.refresh)
    }

    func outcome(of error: any Error) -> StepOutcome {
        error as? CallbackError == .status(400) ? .loggedOut : .toast("network")
    }

    private func openMain() async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            posts.main { error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
        }
    }
}
