import CallbackClient
import Foundation
import PostsClient
import SquallApps
import SquallTool

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The posts' client on completion handlers, queues and a group, as it is.
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
        let (access, refresh) = device.storedPair
        posts = CallbackPosts(
            base: PostsApp.base, session: URLSession(configuration: .default), access: access,
            refresh: refresh, keep: { device.keep($0, $1) })
    }

    static func restore(_ account: StoredAccount, on device: SimulatedDevice) {
        device.keep(account.accessToken, account.refreshToken)
    }

    func signIn() async throws {
        let (name, password) = (device.credentials.email, device.credentials.password)
        let pair = try await SignIn(base: PostsApp.base, network: URLSession.shared)
            .tokens(name: name, password: password)
        device.keep(pair.access, pair.refresh)
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
