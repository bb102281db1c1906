import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The requests of small clients, and how tokens look in them.
struct TokenWire: Sendable {
    let base: URL
    let session: URLSession

    /// The tokens of an answer.
    struct Grant: Codable, Sendable {
        var access: String
        var refresh: String?
        var lifetime: Double?

        enum CodingKeys: String, CodingKey {
            case access = "access_token"
            case refresh = "refresh_token"
            case lifetime = "expires_in"
        }
    }

    enum Failure: Error { case status(Int), signedOut }

    /// Signs in with a name and a password.
    func signIn(_ name: String, _ password: String) async throws -> Grant {
        try await grant("grant_type=password&username=\(name)&password=\(password)")
    }

    /// Trades a refresh token; a refusal is ``Failure/signedOut``.
    func refresh(_ token: String) async throws -> Grant {
        try await grant("grant_type=refresh_token&refresh_token=\(token)")
    }

    private func grant(_ fields: String) async throws -> Grant {
        var request = URLRequest(url: base.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(fields.utf8)
        let (data, status) = try await send(request)
        guard status == 200 else { throw status == 400 ? Failure.signedOut : .status(status) }
        return try JSONDecoder().decode(Grant.self, from: data)
    }

    /// The status of a call with a token.
    func get(_ path: String, _ token: String?) async throws -> Int {
        var request = URLRequest(url: base.appendingPathComponent(path))
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return try await send(request).status
    }

    /// A call of any kind with a token.
    func send(
        _ method: String, _ path: String, _ token: String, _ body: String?
    ) async throws -> (status: Int, text: String) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (data, status) = try await send(request)
        return (status, String(decoding: data, as: UTF8.self))
    }

    private func send(_ request: URLRequest) async throws -> (data: Data, status: Int) {
        let (data, response) = try await session.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
