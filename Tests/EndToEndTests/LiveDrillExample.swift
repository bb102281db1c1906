import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A test of an app as its own project has it: the base URL leads to `squall serve`, and the test
/// begins a drill, uses the app until it has ended, and looks at its outcome.
///
/// The app shares this process's threads, and the drill judges it in real time: beside two thousand
/// tests it would be as slow as no phone is, so `.ci/run-release` plays it alone.
@Suite("An app's own test, against a served backend")
struct LiveDrillExample {
    private static let isAlone = ProcessInfo.processInfo.environment["SQUALL_ALONE"] != nil

    @Test(
        "Ten calls with an expired token are refreshed once, by an actor and by nothing",
        .enabled(if: isAlone, "it needs this process for itself: SQUALL_ALONE=1"),
        arguments: [(sharesRefresh: true, outcome: "passes"), (false, "broken")])
    func expiredToken(sharesRefresh: Bool, outcome: String) async throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        try await tool.serving(["quick", "--speed", "4"]) { base in
            let squall = LiveControl(base: base)
            let app = ExampleApp(base: base, sharesRefresh: sharesRefresh)
            try await app.signIn("reader0@squall.test", "password0")

            try await squall.begin("expiredToken")
            while try await !squall.drills().isOver {
                await withTaskGroup { group in
                    for _ in 0..<10 { group.addTask { try? await app.posts() } }
                }
                try await squall.quiet()
            }
            let drill = try #require(await squall.drills().drills.first)
            #expect(drill.outcome == outcome, "\(drill.findings ?? [])")
        }
    }
}

/// What a test asks of the control API.
private struct LiveControl {
    let base: URL

    struct Drills: Decodable {
        let isOver: Bool
        let drills: [Drill]
    }

    struct Drill: Decodable {
        let outcome: String
        let findings: [String]?
    }

    func begin(_ drill: String) async throws {
        var request = URLRequest(url: base.appending(path: "_squall/drills"))
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(["drill": drill])
        _ = try await URLSession.shared.data(for: request)
    }

    /// Waits until the app has been quiet for a moment, as it is while a person reads.
    func quiet() async throws {
        let path = "/_squall/quiet?for=600ms&timeout=10s"
        guard let url = URL(string: path, relativeTo: base) else { return }
        _ = try await URLSession.shared.data(from: url)
    }

    func drills() async throws -> Drills {
        let (data, _) = try await URLSession.shared.data(
            from: base.appending(path: "_squall/drills"))
        return try JSONDecoder().decode(Drills.self, from: data)
    }
}

/// The networking layer of an app; refreshes once for all calls, or once for each.
private actor ExampleApp {
    private let base: URL
    private let sharesRefresh: Bool
    private var tokens: Tokens?
    private var refresh: Task<Void, any Error>?

    private struct Tokens: Codable {
        var accessToken: String
        var refreshToken: String?
    }

    init(base: URL, sharesRefresh: Bool) { (self.base, self.sharesRefresh) = (base, sharesRefresh) }

    func signIn(_ email: String, _ password: String) async throws {
        var request = request("v1/users/login")
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(["email": email, "password": password])
        let (data, _) = try await URLSession.shared.data(for: request)
        tokens = try JSONDecoder().decode(Tokens.self, from: data)
    }

    func posts() async throws {
        let used = tokens?.accessToken
        guard try await status("v1/posts", used) == 419 else { return }
        try await renew(used)
        _ = try await status("v1/posts", tokens?.accessToken)
    }

    private func renew(_ used: String?) async throws {
        guard sharesRefresh else { return try await fetch() }
        guard tokens?.accessToken == used else { return }
        let task = refresh ?? Task { try await fetch() }
        refresh = task
        defer { refresh = nil }
        try await task.value
    }

    private func fetch() async throws {
        var request = request("v1/auth/refresh")
        request.setValue(tokens?.accessToken, forHTTPHeaderField: "Authorization")
        request.setValue(tokens?.refreshToken, forHTTPHeaderField: "Refresh")
        let (data, _) = try await URLSession.shared.data(for: request)
        let new = try JSONDecoder().decode(Tokens.self, from: data)
        tokens?.accessToken = new.accessToken
    }

    private func status(_ path: String, _ token: String?) async throws -> Int? {
        var request = request(path)
        request.setValue(token, forHTTPHeaderField: "Authorization")
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode
    }

    private func request(_ path: String) -> URLRequest {
        var request = URLRequest(url: base.appending(path: path))
        request.setValue("scrolly-key", forHTTPHeaderField: "SesacKey")
        return request
    }
}
