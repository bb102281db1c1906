import Foundation
import PostsClient
import SquallApps
import SquallTool
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The posts' client as an app that can be put under load: one user's copy of it.
///
/// A client needs no more than this, and only this type knows both client and simulation.
final class PostsApp: MobileApp {
    static let name = "posts"
    static let about = "The example client: a main screen of posts and a profile."
    static let designs = ["asBuilt", "careful"]
    static let callKinds: [CallKind] = [.model]
    static let origin = "https://api.example.com"

    static let journeys: [Journey<PostsApp>] = [
        Journey(
            "read", about: "Looks at the main screen, and once more.",
            steps: [
                Step("main") { await $0.openMain() }, Step("again") { await $0.openMain() },
            ])
    ]

    private let device: Device
    private let network: PhoneNetwork
    private let base: URL
    private let isCareful: Bool
    private let tokens = Mutex<(any TokenKeeping)?>(nil)

    static var base: URL {
        guard let base = URL(string: origin) else { preconditionFailure(origin) }
        return base
    }

    init(device: Device, design: String) {
        self.device = device
        base = Self.base
        network = PhoneNetwork(device: DeviceNetwork(device))
        isCareful = design == "careful"
    }

    func beginStep(_ ordinal: UInt32) { network.device.beginStep(ordinal) }

    func stepEnded() { network.device.endStep() }

    func restore(_ account: StoredAccount) {
        keep(access: account.accessToken, refresh: account.refreshToken)
    }

    var needsSignIn: Bool { tokens.withLock { $0 == nil } }

    func call(_ kind: CallKind) async -> StepOutcome { await openMain() }

    func signIn() async -> StepOutcome {
        let (name, password) = (device.credentials.email, device.credentials.password)
        do {
            let pair = try await SignIn(base: base, network: network)
                .tokens(name: name, password: password)
            keep(access: pair.access, refresh: pair.refresh)
            return .rendered
        } catch {
            return .toast("signIn")
        }
    }

    private func openMain() async -> StepOutcome {
        guard let tokens = tokens.withLock({ $0 }) else { return .loggedOut }
        let api = PostsAPI(base: base, network: network, tokens: tokens)
        do {
            async let posts = api.posts()
            async let profile = api.profile()
            _ = try await (posts, profile)
            return .rendered
        } catch PostsError.status(400) {
            self.tokens.withLock { $0 = nil }
            return .loggedOut
        } catch {
            return .toast("network")
        }
    }

    private func keep(access: String, refresh: String) {
        let new: any TokenKeeping =
            isCareful
            ? CarefulTokenStore(access: access, refresh: refresh, base: base, network: network)
            : TokenStore(access: access, refresh: refresh, base: base, network: network)
        tokens.withLock { $0 = new }
    }
}

/// The phone's network, as the client wants it.
private struct PhoneNetwork: Network {
    let device: DeviceNetwork

    func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        try await device.data(for: request)
    }
}
