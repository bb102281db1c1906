public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The posts and the profile of the signed-in user: an ordinary client, which knows no simulation.
public struct PostsAPI: Sendable {
    private let base: URL
    private let network: any Network
    private let tokens: any TokenKeeping

    /// A client of the server at an address.
    public init(base: URL, network: any Network, tokens: any TokenKeeping) {
        self.base = base
        self.network = network
        self.tokens = tokens
    }

    /// The newest posts.
    public func posts() async throws -> [Post] { try await get("posts") }

    /// The profile of the signed-in user.
    public func profile() async throws -> UserProfile { try await get("profile") }

    private func get<Value: Decodable>(_ path: String) async throws -> Value {
        let token = await tokens.access
        var (data, status) = try await send(path, token)
        if status == 401 {
            let fresh = try await tokens.refreshed(after: token)
            (data, status) = try await send(path, fresh)
        }
        guard status == 200 else { throw PostsError.status(status) }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    private func send(_ path: String, _ token: String) async throws -> (Data, Int) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await network.answer(to: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}

/// A post.
public struct Post: Codable, Sendable, Hashable {
    /// Its identifier.
    public let id: Int
    /// Its heading.
    public let title: String
}

/// A user's profile.
public struct UserProfile: Codable, Sendable, Hashable {
    /// The user's public name.
    public let nick: String
}

/// A failure after which there is nothing to show.
public enum PostsError: Error, Hashable {
    /// The server answered with this status.
    case status(Int)
}
