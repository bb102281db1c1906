public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signing in with name and password: `POST /oauth/token`.
public struct SignIn: Sendable {
    private let base: URL
    private let network: any Network

    /// A sign-in at the server's address.
    public init(base: URL, network: any Network) {
        self.base = base
        self.network = network
    }

    /// Trades name and password for tokens.
    public func tokens(
        name: String, password: String
    ) async throws -> (access: String, refresh: String) {
        var request = URLRequest(url: base.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode([
            "grant_type": "password", "username": name, "password": password,
        ])
        let (data, response) = try await network.answer(to: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw PostsError.status(status) }
        let pair = try JSONDecoder().decode(RefreshCall.Pair.self, from: data)
        return (pair.access, pair.refresh ?? "")
    }
}
