import Foundation
import PostsClient
import SquallApps
import SquallClient
import SquallTool

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The token code of a worked case for the posts' service, written on a plain `URLSession`: each
/// refused call refreshes on its own and is sent again without limit, a failed refresh is asked for
/// twice, and no user is signed out.
///
/// It makes the calls of that app, and of a profile that declares it, so all three count alike.
struct AskingTwiceApp: SimulatedApp {
    static let name = "posts-asking-twice"
    static let origin = PostsApp.origin
    static let journeys: [Journey<AskingTwiceApp>] = [
        Journey(
            "look", about: "Looks at the posts.",
            steps: [Step("posts") { try await $0.loadPosts() }])
    ]

    private let device: SimulatedDevice

    init(device: SimulatedDevice) { self.device = device }

    static func restore(_ account: StoredAccount, on device: SimulatedDevice) {
        device.keep(account.accessToken, account.refreshToken)
    }

    static func storedTokens(on device: SimulatedDevice) -> TokenPair {
        let (access, refresh) = device.storedPair
        return TokenPair(access: access, refresh: refresh)
    }

    func signIn() async throws {
        let (name, password) = (device.credentials.email, device.credentials.password)
        let pair = try await SignIn(base: PostsApp.base, network: device.session)
            .tokens(name: name, password: password)
        device.keep(pair.access, pair.refresh)
    }

    private func loadPosts() async throws {
        while true {
            var request = URLRequest(url: PostsApp.base.appendingPathComponent("posts"))
            request.setValue(
                "Bearer \(device.storedPair.access)", forHTTPHeaderField: "Authorization")
            let status = try await answer(to: request).status
            guard status == 401 else {
                guard status == 200 else { throw PostsError.status(status) }
                return
            }
            var isRefreshed = try await refresh()
            if !isRefreshed { isRefreshed = try await refresh() }
            guard isRefreshed else { throw PostsError.status(status) }
        }
    }

    /// Asks once for new tokens; false if none came.
    private func refresh() async throws -> Bool {
        var request = URLRequest(url: PostsApp.base.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let old = device.storedPair.refresh
        request.httpBody = Data("grant_type=refresh_token&refresh_token=\(old)".utf8)
        let (data, status) = try await answer(to: request)
        let members = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        guard status == 200, let access = members?["access_token"] as? String else { return false }
        device.keep(access, members?["refresh_token"] as? String ?? old)
        return true
    }

    private func answer(to request: URLRequest) async throws -> (data: Data, status: Int) {
        let (data, response) = try await device.session.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
