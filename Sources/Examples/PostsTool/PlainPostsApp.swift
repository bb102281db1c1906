import Foundation
import PostsClient
import SquallApps
import SquallTool
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The posts' client on a plain `URLSession`, unchanged.
final class PlainPostsApp: SimulatedApp {
    static let name = "posts-plain"
    static let designs = ["asBuilt", "careful"]
    static let origin = PostsApp.origin
    static let journeys: [Journey<PlainPostsApp>] = [
        Journey(
            "read", about: "Looks at the main screen, and once more.",
            steps: [
                Step("main") { try await $0.openMain() },
                Step("again") { try await $0.openMain() },
            ])
    ]

    private let device: SimulatedDevice
    private let session: URLSession
    private let base = PostsApp.base
    private let tokens = Mutex<(any TokenKeeping)?>(nil)

    init(device: SimulatedDevice) {
        self.device = device
        session = device.session
        let (access, refresh) = device.storedPair
        keep(access: access, refresh: refresh)
    }

    static func restore(_ account: StoredAccount, on device: SimulatedDevice) {
        device.keep(account.accessToken, account.refreshToken)
    }

    func signIn() async throws {
        let (name, password) = (device.credentials.email, device.credentials.password)
        let pair = try await SignIn(base: base, network: session)
            .tokens(name: name, password: password)
        device.keep(pair.access, pair.refresh)
        keep(access: pair.access, refresh: pair.refresh)
    }

    func outcome(of error: any Error) -> StepOutcome {
        error as? PostsError == .status(400) ? .loggedOut : .toast("network")
    }

    private func openMain() async throws {
        guard let tokens = tokens.withLock({ $0 }) else { throw PostsError.status(400) }
        let api = PostsAPI(base: base, network: session, tokens: tokens)
        async let posts = api.posts()
        async let profile = api.profile()
        _ = try await (posts, profile)
    }

    private func keep(access: String, refresh: String) {
        let keep: @Sendable (String, String) -> Void = { [device] in device.keep($0, $1) }
        let store: any TokenKeeping =
            device.design == "careful"
            ? CarefulTokenStore(
                access: access, refresh: refresh, base: base, network: session, keep: keep)
            : TokenStore(
                access: access, refresh: refresh, base: base, network: session, keep: keep)
        tokens.withLock { $0 = store }
    }
}

extension SimulatedDevice {
    /// Saves the tokens for the client's next start.
    func keep(_ access: String, _ refresh: String) {
        storage.set(access, forKey: "access")
        storage.set(refresh, forKey: "refresh")
    }

    /// The saved tokens.
    var storedPair: (access: String, refresh: String) {
        (storage.string(forKey: "access") ?? "", storage.string(forKey: "refresh") ?? "")
    }
}
