import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client of the first article: each call that is told of an expiry refreshes for itself.
actor MyAPI {
    private let base: URL
    private let session: URLSession
    private var access: String
    private let refresh: String

    init(base: URL, session: URLSession, access: String, refresh: String) {
        self.base = base
        self.session = session
        self.access = access
        self.refresh = refresh
    }

    func posts() async throws -> Data { try await get("posts") }

    func profile() async throws -> Data { try await get("profile") }

    private func get(_ path: String) async throws -> Data {
        var (data, status) = try await send(path)
        if status == 401 {
            try await renew()
            (data, status) = try await send(path)
        }
        guard status == 200 else { throw URLError(.userAuthenticationRequired) }
        return data
    }

    private func send(_ path: String) async throws -> (Data, Int) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.setValue("Bearer \(access)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await session.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    private func renew() async throws {
        struct Answer: Decodable { let access_token: String }
        var request = URLRequest(url: base.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.httpBody = Data("grant_type=refresh_token&refresh_token=\(refresh)".utf8)
        let (data, _) = try await session.data(for: request)
        access = try JSONDecoder().decode(Answer.self, from: data).access_token
    }
}
