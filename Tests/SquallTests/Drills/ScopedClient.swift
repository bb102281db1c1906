import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client with an access token for each scope, all bought by one refresh token.
actor ScopedClient {
    private let base: URL
    private let network: URLSession
    /// Whether a scope waits for the exchange of another one; a mutant's does not.
    private let isCareful: Bool
    private var refresh: String?
    private var access: [String: String] = [:]
    private var running: [String: Task<Void, any Error>] = [:]
    private var sessionNumber = 0

    init(base: URL, network: URLSession, isCareful: Bool) {
        self.base = base
        self.network = network
        self.isCareful = isCareful
    }

    var isSignedIn: Bool { refresh != nil }

    func signIn(_ name: String, _ password: String) async throws {
        let grant = try await post("grant_type=password&username=\(name)&password=\(password)")
        begin(grant.refresh)
    }

    func signOut() { begin(nil) }

    private func begin(_ token: String?) {
        sessionNumber += 1
        (refresh, access, running) = (token, [:], [:])
    }

    /// Asks for a path with the token of a scope.
    func get(_ path: String, scope: String) async throws {
        var refused: String?
        for _ in 0..<2 {
            let session = sessionNumber
            let token = try await token(of: scope, insteadOf: refused)
            guard session == sessionNumber else { break }
            var request = URLRequest(url: base.appendingPathComponent(path))
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            let (_, response) = try await network.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            if status == 200 { return }
            guard status == 401, session == sessionNumber else {
                throw CarefulClient.Failure.status(status)
            }
            refused = token
        }
        throw CarefulClient.Failure.signedOut
    }

    private func token(of scope: String, insteadOf refused: String?) async throws -> String {
        let session = sessionNumber
        while true {
            guard session == sessionNumber else { throw CarefulClient.Failure.anotherSession }
            if let token = access[scope], token != refused { return token }
            let other = isCareful ? running.values.first : running[scope]
            guard let other else { break }
            // Whatever came of another scope's exchange, this one is still to be made.
            if running[scope] == other { try await other.value } else { _ = await other.result }
        }
        let task = Task { try await exchange(for: scope, session) }
        running[scope] = task
        try await task.value
        guard session == sessionNumber, let token = access[scope] else {
            throw CarefulClient.Failure.signedOut
        }
        return token
    }

    private func exchange(for scope: String, _ session: Int) async throws {
        defer { if session == sessionNumber { running[scope] = nil } }
        guard let shown = refresh else { throw CarefulClient.Failure.signedOut }
        do {
            let grant = try await post(
                "grant_type=refresh_token&refresh_token=\(shown)&scope=\(scope)")
            guard session == sessionNumber else { return }
            access[scope] = grant.access
            refresh = grant.refresh ?? refresh
        } catch CarefulClient.Failure.signedOut where session == sessionNumber {
            begin(nil)
            throw CarefulClient.Failure.signedOut
        }
    }

    private func post(_ fields: String) async throws -> TokenWire.Grant {
        var request = URLRequest(url: base.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(fields.utf8)
        let (data, response) = try await network.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if [400, 401, 403].contains(status) { throw CarefulClient.Failure.signedOut }
        guard status == 200 else { throw CarefulClient.Failure.status(status) }
        return try JSONDecoder().decode(TokenWire.Grant.self, from: data)
    }
}
