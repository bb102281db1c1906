import Foundation
import PostsClient
import Squall
import Testing

private let service = TokenService(
    .bearer, accessLifetime: .seconds(300),
    routes: [
        .get("/posts", json: #"[{"id": 1, "title": "First"}]"#),
        .get("/profile", json: #"{"nick": "Kim"}"#),
    ])

/// The posts' client with a user.
private actor PostsApp {
    private let base: URL
    private let network: any Network
    private let keeper: @Sendable (String, String) -> any TokenKeeping
    private var api: PostsAPI?

    init(
        _ device: DrillDevice,
        keeper: @escaping @Sendable (DrillDevice, String, String) -> any TokenKeeping
    ) {
        base = device.url
        network = device.session
        self.keeper = { keeper(device, $0, $1) }
    }

    func signIn(_ name: String, _ password: String) async throws {
        let pair = try await SignIn(base: base, network: network)
            .tokens(name: name, password: password)
        api = PostsAPI(base: base, network: network, tokens: keeper(pair.access, pair.refresh))
    }

    func signOut() { api = nil }

    func posts() async throws -> [Post] { try await signedIn().posts() }

    func profile() async throws -> UserProfile { try await signedIn().profile() }

    private func signedIn() throws -> PostsAPI {
        guard let api else { throw PostsError.status(401) }
        return api
    }
}

@Sendable private func ordinaryStore(
    _ device: DrillDevice, _ access: String, _ refresh: String
) -> any TokenKeeping {
    TokenStore(access: access, refresh: refresh, base: device.url, network: device.session)
}

@Sendable private func carefulStore(
    _ device: DrillDevice, _ access: String, _ refresh: String
) -> any TokenKeeping {
    CarefulTokenStore(access: access, refresh: refresh, base: device.url, network: device.session)
}

@Suite("The posts' client in every drill")
struct DrilledTests {
    private func report(
        of keeper: @escaping @Sendable (DrillDevice, String, String) -> any TokenKeeping,
        threads: Int
    ) throws -> DrillReport {
        try drill(over: service, schedules: 2, threads: threads) { device in
            let app = PostsApp(device, keeper: keeper)
            return DrillClient(
                signIn: { try await app.signIn($0.email, $0.password) },
                call: { try await app.posts() },
                otherCalls: [{ _ = try await app.profile() }], signOut: { await app.signOut() })
        }
    }

    @Test("A refusal that comes late is what the ordinary store does not know")
    func ordinary() throws {
        let report = try report(of: ordinaryStore, threads: 1)
        #expect(report.broken.map(\.id).contains("lateRefusal"), "\(report)")
        #expect(!report.passes)
        #expect("\(try self.report(of: ordinaryStore, threads: 2))" == "\(report)")
    }

    @Test("A store that looks again knows it")
    func careful() throws {
        let report = try report(of: carefulStore, threads: 2)
        #expect(!report.broken.map(\.id).contains("lateRefusal"), "\(report)")
    }
}
