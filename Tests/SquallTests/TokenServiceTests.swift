import Foundation
import Squall
import Testing

@Suite("A token service by configuration")
struct TokenServiceTests {
    private static let posts = TokenRoute.get("/posts", json: "[]")

    /// What a client is answered: with a fresh token, an expired one, none, and a forged one.
    private func statuses(
        _ form: TokenForm, _ field: @escaping @Sendable (String) -> [(String, String)]
    ) throws -> [Int] {
        let statuses = Box<[Int]>([])
        try simulate { world in
            let far = world.mount(TokenService(form, routes: [Self.posts]))
            let tokens = [far.tokens().access, far.expiredTokens().access, "", "forged"]
            for token in tokens {
                let answer = try await far.send(
                    "GET", "/posts", headers: token.isEmpty ? [] : field(token))
                statuses.value.append(answer.status)
            }
        }
        return statuses.value
    }

    @Test("Bearer: 401 for an expired token, none and a forged one")
    func bearer() throws {
        #expect(
            try statuses(.bearer) { [("Authorization", "Bearer \($0)")] } == [200, 401, 401, 401])
    }

    @Test("The project's own form: 419 for an expired token, 401 for none")
    func status419() throws {
        #expect(
            try statuses(.status419) { [("Authorization", $0)] } == [200, 419, 401, 401])
    }

    @Test("Cookies: 401 for an expired session")
    func cookies() throws {
        #expect(
            try statuses(.sessionCookie) { [("Cookie", "a=b; session=\($0)")] }
                == [200, 401, 401, 401])
    }

    @Test("A refresh token may stand where access tokens do")
    func sharedPlace() throws {
        var form = TokenForm.bearer
        form.refresh.token = .header("authorization", scheme: "Bearer")
        form.refresh.path = "/refresh"
        let run = try simulate { [form] world in
            let far = world.mount(TokenService(form, refresh: .rotatingStrict))
            let old = far.expiredTokens()
            let field = [("Authorization", "Bearer \(old.refresh)")]
            let answer = try await far.send("POST", "/refresh", headers: field)
            #expect(answer.status == 200)
        }
        let entry = try #require(run.log.first)
        #expect(entry.isRefresh && entry.accessToken == nil && entry.refreshToken != nil)
    }

    @Test(
        "Showing a refresh token again is redundant while it is exchanged and after",
        arguments: [RefreshSemantics.coexist, .rotatingStrict], [true, false])
    func shownAgain(semantics: RefreshSemantics, isAtOnce: Bool) throws {
        let run = try simulate { world in
            let far = world.mount(TokenService(.bearer, refresh: semantics))
            let body = "grant_type=refresh_token&refresh_token=\(far.tokens().refresh)"
            async let first = far.form(body)
            if !isAtOnce { _ = try await first }
            async let second = far.form(body)
            _ = try await (first, second)
        }
        #expect(run.refreshes == 2)
        // One refresh after the other is right where the token stays good.
        #expect(run.redundantRefreshes == (isAtOnce || semantics.isRotating ? 1 : 0))
    }

    @Test("OAuth 2.0: password, refresh, invalid_grant, at one address")
    func oauth() throws {
        let run = try simulate { world in
            let far = world.mount(TokenService(.bearer, refresh: .oneShot))
            let (email, password) = far.credentials()
            let signedIn = try await far.form(
                "grant_type=password&username=\(email)&password=\(password)")
            #expect(signedIn.status == 200)
            #expect(signedIn.json["token_type"] == "Bearer")
            let old = try #require(signedIn.json["refresh_token"])
            let refreshed = try await far.form("grant_type=refresh_token&refresh_token=\(old)")
            #expect(refreshed.json["refresh_token"] != old)
            let reused = try await far.form("grant_type=refresh_token&refresh_token=\(old)")
            #expect(reused.status == 400)
            #expect(reused.json["error"] == "invalid_grant")
        }
        #expect(run.log.map(\.isRefresh) == [false, true, true])
        #expect(run.signedOut == 1)
    }

    @Test(
        "A refresh token shown twice is treated as its semantics say",
        arguments: [
            (RefreshSemantics.coexist, [200, 200, 200]), (.oneShot, [200, 400, 200]),
            (.rotatingStrict, [200, 400, 400]),
            (
                .rotatingWithLeeway(windowNanoseconds: 10_000_000_000, generations: 1),
                [200, 200, 200]
            ),
            (
                .rotatingWithReplay(windowNanoseconds: 10_000_000_000, parentOfActive: false),
                [200, 200, 200]
            ),
        ])
    func semantics(_ semantics: RefreshSemantics, _ expected: [Int]) throws {
        let statuses = Box<[Int]>([])
        try simulate { world in
            let far = world.mount(TokenService(.bearer, refresh: semantics))
            let old = far.tokens().refresh
            let first = try await far.form("refresh_token=\(old)")
            let second = try await far.form("refresh_token=\(old)")
            let newest = second.json["refresh_token"] ?? first.json["refresh_token"] ?? old
            let third = try await far.form("refresh_token=\(newest)")
            statuses.value = [first, second, third].map(\.status)
        }
        #expect(statuses.value == expected)
    }

    @Test("A good access token is refused a refresh by the server of 2023")
    func early() throws {
        try simulate { world in
            let far = world.mount(TokenService(.status419, refresh: .early409))
            for (tokens, status) in [(far.tokens(), 409), (far.expiredTokens(), 200)] {
                let answer = try await far.send(
                    "GET", "/v1/auth/refresh",
                    headers: [("Authorization", tokens.access), ("Refresh", tokens.refresh)])
                #expect(answer.status == status)
            }
        }
    }

    @Test("An access token lives as long as it says")
    func lifetime() throws {
        try simulate { world in
            let far = world.mount(
                TokenService(.bearer, accessLifetime: .seconds(60), routes: [Self.posts]))
            let header = [("Authorization", "Bearer \(far.tokens().access)")]
            for (wait, status) in [(50, 200), (9, 200), (2, 401)] {
                try await Task.sleep(for: .seconds(wait))
                #expect(try await far.send("GET", "/posts", headers: header).status == status)
            }
        }
    }

    @Test("Routes see variables, query and body; cost time; and fail as often as they say")
    func routes() throws {
        let run = try simulate(seed: 3) { world in
            let route = TokenRoute(.put, "/posts/{id}/likes/{user}") { call in
                ServiceReply(
                    json: "\(call.variables) \(call.query("q") ?? "") \(call.body.count)")
            }
            let flaky = TokenRoute.get("/flaky", json: "{}").withoutToken().failing(0.5)
            let far = world.mount(
                TokenService(
                    .bearer,
                    routes: [route.withoutToken().costing(.seconds(1)), flaky]))
            let answer = try await far.send("PUT", "/posts/7/likes/9?q=a%20b", body: [1, 2])
            #expect(String(decoding: answer.body, as: UTF8.self) == #"["7", "9"] a b 2"#)
            #expect(world.now == .milliseconds(1080))
            for _ in 0..<100 { _ = try await far.send("GET", "/flaky") }
        }
        #expect((35...65).contains(run.log.count { $0.status == 500 }))
    }
}

/// A value that a world's body writes and its test reads.
final class Box<Value>: @unchecked Sendable {
    // Safe because the body has ended when the test reads.

    var value: Value

    init(_ value: Value) { self.value = value }
}

extension MountedService {
    fileprivate func form(_ body: String) async throws -> ServiceResponse {
        try await send(
            "POST", "/oauth/token",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(body.utf8))
    }
}

extension ServiceResponse {
    fileprivate var json: [String: String] {
        let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return (object ?? [:]).compactMapValues { $0 as? String }
    }
}
