public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps the tokens of the current session.
public protocol TokenKeeping: Sendable {
    /// The current access token, valid or not.
    var access: String { get async }
    /// Returns a valid token for a request with an expired one.
    func refreshed(after expired: String) async throws -> String
}

/// Keeps the tokens, and refreshes them once for all requests that ask at the same time.
public actor TokenStore: TokenKeeping {
    /// The current access token.
    public private(set) var access: String
    private var refresh: String
    private let call: RefreshCall
    private let keep: @Sendable (_ access: String, _ refresh: String) -> Void
    private var running: Task<String, any Error>?

    /// Takes the tokens of a sign-in; `keep` saves new ones for the next start.
    public init(
        access: String, refresh: String, base: URL, network: any Network,
        keep: @escaping @Sendable (_ access: String, _ refresh: String) -> Void = { _, _ in }
    ) {
        self.access = access
        self.refresh = refresh
        self.keep = keep
        call = RefreshCall(base: base, network: network)
    }

    /// Gets a new access token; requests during a refresh wait for its token.
    public func refreshed(after expired: String) async throws -> String {
        if let running { return try await running.value }
        let task = Task { try await renew() }
        running = task
        defer { running = nil }
        return try await task.value
    }

    private func renew() async throws -> String {
        let pair = try await call.send(refresh)
        access = pair.access
        refresh = pair.refresh ?? refresh
        keep(access, refresh)
        return access
    }
}

/// Keeps the tokens, and checks before each refresh whether another request has already refreshed.
public actor CarefulTokenStore: TokenKeeping {
    /// The current access token.
    public private(set) var access: String
    private var refresh: String
    private let call: RefreshCall
    private let keep: @Sendable (_ access: String, _ refresh: String) -> Void
    private var running: Task<String, any Error>?

    /// Takes the tokens of a sign-in; `keep` saves new ones for the next start.
    public init(
        access: String, refresh: String, base: URL, network: any Network,
        keep: @escaping @Sendable (_ access: String, _ refresh: String) -> Void = { _, _ in }
    ) {
        self.access = access
        self.refresh = refresh
        self.keep = keep
        call = RefreshCall(base: base, network: network)
    }

    /// Gets a new access token, unless the expired one has been replaced meanwhile.
    public func refreshed(after expired: String) async throws -> String {
        if let running { return try await running.value }
        guard access == expired else { return access }
        let task = Task { try await renew() }
        running = task
        defer { running = nil }
        return try await task.value
    }

    private func renew() async throws -> String {
        let pair = try await call.send(refresh)
        access = pair.access
        refresh = pair.refresh ?? refresh
        keep(access, refresh)
        return access
    }
}

/// `POST /oauth/token`.
struct RefreshCall: Sendable {
    let base: URL
    let network: any Network

    struct Pair: Decodable, Sendable {
        let access: String
        let refresh: String?

        enum CodingKeys: String, CodingKey {
            case access = "access_token"
            case refresh = "refresh_token"
        }
    }

    func send(_ token: String) async throws -> Pair {
        var request = URLRequest(url: base.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("grant_type=refresh_token&refresh_token=\(token)".utf8)
        let (data, response) = try await network.answer(to: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw PostsError.status(status) }
        return try JSONDecoder().decode(Pair.self, from: data)
    }
}
