import Alamofire
import Foundation
import PostsClient
import SquallApps
import SquallTool

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The posts' client over three networks, which the design names.
///
/// What is measured of it must not depend on them. In the fourth design Alamofire's own interceptor
/// refreshes in the client's place.
final class ThreeWays: SimulatedApp {
    static let name = "posts"
    static let designs = ["network", "session", "alamofire", "interceptor"]
    static let origin = "https://api.example.com"
    static let journeys: [Journey<ThreeWays>] = [
        Journey(
            "read", about: "Looks at the main screen, and once more.",
            steps: [Step("main") { try await $0.main() }, Step("again") { try await $0.main() }])
    ]

    private let main: @Sendable () async throws -> Void

    init(device: SimulatedDevice) {
        let storage = device.storage
        let access = storage.string(forKey: "access") ?? ""
        let refresh = storage.string(forKey: "refresh") ?? ""
        let keep: @Sendable (String, String) -> Void = {
            storage.set($0, forKey: "access")
            storage.set($1, forKey: "refresh")
        }
        guard let base = URL(string: Self.origin) else { preconditionFailure(Self.origin) }
        if device.design == "interceptor" {
            let client = InterceptedPosts(
                base: base, configuration: device.configuration,
                tokens: Pair(access: access, refresh: refresh), keep: keep)
            main = { try await client.main() }
            return
        }
        let network: any Network =
            switch device.design {
            case "network": PhoneNetwork(device: device.network)
            case "session": device.session
            default: Alamofire.Session(configuration: device.configuration)
            }
        let tokens = TokenStore(
            access: access, refresh: refresh, base: base, network: network, keep: keep)
        let api = PostsAPI(base: base, network: network, tokens: tokens)
        main = {
            async let posts = api.posts()
            async let profile = api.profile()
            _ = try await (posts, profile)
        }
    }

    static func restore(_ account: StoredAccount, on device: SimulatedDevice) {
        device.storage.set(account.accessToken, forKey: "access")
        device.storage.set(account.refreshToken, forKey: "refresh")
    }

    func signIn() async throws { throw PostsError.status(400) }

    func outcome(of error: any Error) -> StepOutcome {
        error as? PostsError == .status(400) ? .loggedOut : .toast("network")
    }
}

/// The phone's network, as the client wants it.
private struct PhoneNetwork: Network {
    let device: DeviceNetwork

    func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        try await device.data(for: request)
    }
}

extension Alamofire.Session: Network {
    /// Sends a request and waits for its answer.
    public func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        let answer = await self.request(request).serializingData().response
        guard let head = answer.response, let data = answer.data else {
            throw answer.error ?? URLError(.badServerResponse)
        }
        return (data, head)
    }
}
