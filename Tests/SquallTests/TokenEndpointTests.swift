import Foundation
import Squall
import Testing

@Suite("Token endpoints as their documents have them")
struct TokenEndpointTests {
    /// Signs in, refreshes, shows what is no good, logs out and refreshes again.
    struct Story {
        var signIn, refresh, refused, expired, leave, afterwards: ServiceResponse
    }

    /// How a client of an endpoint asks.
    struct Asking: Sendable {
        var signIn: (path: String, body: String)
        var refresh: @Sendable (_ token: String) -> (path: String, body: String)
        var logOut: (@Sendable (IssuedTokens) -> (path: String, body: String))?
        /// Members of the sign-in's answer.
        var access = "access_token"
        var renewal = "refresh_token"
    }

    static func story(_ service: TokenService, _ asking: Asking) throws -> Story {
        let told = Box<Story?>(nil)
        try simulate { world in
            var service = service
            service.routes = [.get("/posts", json: "[]")]
            let far = world.mount(service)
            let signIn = try await far.post(asking.signIn)
            let tokens = IssuedTokens(
                access: try #require(signIn.text(asking.access)),
                refresh: try #require(signIn.text(asking.renewal)))
            let refresh = try await far.post(asking.refresh(tokens.refresh))
            let newest = refresh.text(asking.renewal) ?? refresh.text("refresh_token")
            let refused = try await far.post(asking.refresh("no-such-token"))
            let expired = try await far.send(
                "GET", "/posts",
                headers: [("Authorization", "Bearer \(far.expiredTokens().access)")])
            var (leave, afterwards) = (expired, expired)
            if let logOut = asking.logOut {
                leave = try await far.post(logOut(tokens), bearer: tokens.access)
                afterwards = try await far.post(asking.refresh(newest ?? tokens.refresh))
            }
            told.value = Story(
                signIn: signIn, refresh: refresh, refused: refused, expired: expired,
                leave: leave, afterwards: afterwards)
        }
        return try #require(told.value)
    }

    @Test("OAuth 2.0: the form's members, no-store, invalid_grant, and a revocation that ends")
    func oauth2() throws {
        let story = try Self.story(
            .oauth2(),
            Asking(
                signIn: (
                    "/oauth/token",
                    "grant_type=password&username=user0@example.com&password=password-0"
                ),
                refresh: { ("/oauth/token", "grant_type=refresh_token&refresh_token=\($0)") },
                logOut: { ("/oauth/revoke", "token=\($0.refresh)") }))
        #expect(story.refresh.status == 200 && story.refresh.text("token_type") == "Bearer")
        #expect(story.refresh.number("expires_in") == 3_600)
        #expect(story.refresh.header("cache-control") == "no-store")
        #expect(story.refused.status == 400 && story.refused.text("error") == "invalid_grant")
        #expect(story.expired.status == 401 && story.expired.text("error") == "invalid_token")
        #expect(story.leave.status == 200)
        #expect(story.afterwards.status == 400)
        #expect(story.afterwards.text("error") == "invalid_grant")
    }

    @Test("A client that proves who it is signs in for itself, and gets no refresh token")
    func clients() throws {
        let told = Box<[ServiceResponse]>([])
        try simulate { world in
            let far = world.mount(TokenService.oauth2())
            let bearer = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
            for (body, basic) in [
                ("grant_type=client_credentials&client_id=a&client_secret=b", nil),
                ("grant_type=client_credentials", "Basic YTpi"), (bearer + "&assertion=a.b.c", nil),
                ("grant_type=client_credentials&client_id=a", nil), ("grant_type=x", "Basic YTpi"),
            ] as [(String, String?)] {
                let form = ("Content-Type", "application/x-www-form-urlencoded")
                told.value.append(
                    try await far.send(
                        "POST", "/oauth/token",
                        headers: [form] + (basic.map { [("Authorization", $0)] } ?? []),
                        body: Array(body.utf8)))
            }
        }
        #expect(told.value.map(\.status) == [200, 200, 200, 400, 400])
        #expect(told.value.prefix(3).allSatisfy { $0.text("access_token") != nil })
        #expect(told.value.allSatisfy { $0.text("refresh_token") == nil })
    }

    @Test("The OAuth 2.0 endpoint understands JSON")
    func json() throws {
        let story = try Self.story(
            .oauth2(),
            Asking(
                signIn: ("/oauth/token", Self.credentials),
                refresh: {
                    ("/oauth/token", #"{"grant_type":"refresh_token","refresh_token":"\#($0)"}"#)
                }))
        #expect(story.refresh.status == 200 && story.refused.status == 400)
    }

    @Test("Auth0: 403 invalid_grant, on the tenant's origin and the API's")
    func auth0() throws {
        let service = TokenService.auth0()
        let story = try Self.story(
            service,
            Asking(
                signIn: ("/oauth/token", Self.credentials),
                refresh: { ("/oauth/token", #"{"refresh_token":"\#($0)"}"#) },
                logOut: { ("/oauth/revoke", #"{"token":"\#($0.refresh)"}"#) }))
        #expect(story.refused.status == 403 && story.refused.text("error") == "invalid_grant")
        #expect(
            story.refused.text("error_description") == "Unknown or invalid refresh token.")
        #expect(story.afterwards.status == 403)
        #expect(service.origins == ["https://api.example.com", "https://tenant.auth0.com"])
    }

    @Test("Supabase: user and expires_at beside the tokens, a code in body and header, 204")
    func supabase() throws {
        let story = try Self.story(
            .supabase(),
            Asking(
                signIn: ("/auth/v1/token?grant_type=password", Self.credentials),
                refresh: {
                    (
                        "/auth/v1/token?grant_type=refresh_token",
                        #"{"refresh_token":"\#($0)"}"#
                    )
                },
                logOut: { _ in ("/auth/v1/logout?scope=global", "") }))
        let user = story.refresh.object["user"] as? [String: Any]
        #expect(user?["email"] as? String == "user0@example.com")
        #expect(user?["id"] as? String == "00000000-0000-4000-8000-000000000000")
        #expect(story.refresh.text("token_type") == "bearer")
        // The refresh is worked on 120 ms after the beginning of the world's calendar.
        #expect(story.refresh.number("expires_at") == 1_725_148_800 + 3_600)
        #expect(story.refused.status == 400)
        #expect(story.refused.text("code") == "refresh_token_not_found")
        #expect(story.refused.header("x-sb-error-code") == "refresh_token_not_found")
        #expect(story.expired.status == 401 && story.expired.text("message") == "JWT expired")
        #expect(story.leave.status == 204 && story.leave.body.isEmpty)
        #expect(story.afterwards.status == 400)
    }

    @Test("Firebase: an ID token twice, a lifetime as text, TOKEN_EXPIRED, camel case at sign-in")
    func firebase() throws {
        let story = try Self.story(
            .firebase(project: "club"),
            Asking(
                signIn: ("/v1/accounts:signInWithPassword?key=k", Self.credentials),
                refresh: { ("/v1/token?key=k", "grant_type=refresh_token&refresh_token=\($0)") },
                access: "idToken", renewal: "refreshToken"))
        #expect(story.signIn.text("localId") == "0" && story.signIn.text("expiresIn") == "3600")
        #expect(story.signIn.text("id_token") == nil)
        #expect(story.refresh.text("id_token") == story.refresh.text("access_token"))
        #expect(story.refresh.text("expires_in") == "3600")
        #expect(story.refresh.text("project_id") == "club")
        #expect(story.refresh.text("refresh_token") == story.signIn.text("refreshToken"))
        let error = story.refused.object["error"] as? [String: Any]
        #expect(story.refused.status == 400 && error?["message"] as? String == "TOKEN_EXPIRED")
    }

    @Test("A plain pair: camel case, 401 for both tokens, told apart by the body")
    func pair() throws {
        let story = try Self.story(
            .jsonPair(),
            Asking(
                signIn: ("/auth/login", Self.credentials),
                refresh: { ("/auth/refresh", #"{"refreshToken":"\#($0)"}"#) },
                logOut: { ("/auth/logout", #"{"refreshToken":"\#($0.refresh)"}"#) },
                access: "accessToken", renewal: "refreshToken"))
        #expect(story.refresh.status == 200 && story.refresh.text("accessToken") != nil)
        #expect(story.refused.status == 401 && story.expired.status == 401)
        #expect(story.refused.text("error") == "refresh token invalid")
        #expect(story.expired.text("error") == "access token expired")
        #expect(story.leave.status == 204 && story.afterwards.status == 401)
    }

    static let credentials = #"{"email":"user0@example.com","password":"password-0"}"#
}

extension MountedService {
    fileprivate func post(
        _ call: (path: String, body: String), bearer: String? = nil
    ) async throws -> ServiceResponse {
        try await send(
            "POST", call.path, headers: bearer.map { [("Authorization", "Bearer \($0)")] } ?? [],
            body: Array(call.body.utf8))
    }
}

extension ServiceResponse {
    /// The body as an object of JSON; empty for anything else.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    /// A member that is a text.
    func text(_ name: String) -> String? { object[name] as? String }

    /// A member that is a number.
    func number(_ name: String) -> Int? { object[name] as? Int }

    /// The value of a header field, whatever the case of its name.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
