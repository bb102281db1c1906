public import SquallBackend
import SquallHTTP

/// Common token endpoints, as their public documents describe them.
///
/// Each is a value like any other: change it afterwards where your service differs.
extension TokenService {
    /// OAuth 2.0 and OpenID Connect: one token endpoint, asked by a form or in JSON.
    ///
    /// Responses as RFC 6749 §5.1 has them, with `Cache-Control: no-store`; a refresh (§6) of a
    /// token that is no good is 400 `invalid_grant` (§5.2); the resource says 401 `invalid_token`
    /// (RFC 6750 §3.1); a revocation is always 200 and ends the refresh token (RFC 7009 §2.2).
    public static func oauth2(
        at path: String = "/oauth/token", revoke: String = "/oauth/revoke",
        refresh: RefreshSemantics = .rotatingStrict, routes: [TokenRoute] = []
    ) -> TokenService {
        var form = TokenForm.bearer
        (form.logIn.path, form.refresh.path, form.logOut.path) = (path, path, revoke)
        var service = TokenService(
            form, accessLifetime: .seconds(3_600), refresh: refresh, routes: routes)
        service.tokenHeaders = ["Cache-Control": "no-store"]
        service.logOut = .endsRefreshTokens
        return service
    }

    /// Auth0: `/oauth/token` and `/oauth/revoke` of a tenant, and an API on an address of its own.
    ///
    /// A refresh token that is no good is 403 `invalid_grant`, "Unknown or invalid refresh token."
    /// (Auth0's Authentication API, Refresh Token; the status is Auth0's own, RFC 6749 has 400). A
    /// tenant with rotation ends the family where a token is shown again outside its overlap. The
    /// API has the service's first address.
    public static func auth0(
        tenant: String = "https://tenant.auth0.com", api: String = "https://api.example.com",
        refresh: RefreshSemantics = .rotatingStrict, routes: [TokenRoute] = []
    ) -> TokenService {
        var service = oauth2(refresh: refresh, routes: routes)
        (service.origin, service.otherOrigins) = (api, [tenant])
        service.form.signedOut = TokenRefusal(
            403,
            #"{"error":"invalid_grant","error_description":"Unknown or invalid refresh token."}"#)
        return service
    }

    /// Supabase: GoTrue under `/auth/v1`, and an API that says `JWT expired`.
    ///
    /// Sign-in and refresh are `POST /auth/v1/token?grant_type=…` in JSON; beside the tokens come
    /// `expires_at` and `user`. A refusal is 400 with a code in the body and in `x-sb-error-code`
    /// (Supabase Auth, Error codes, API version 2024-01-01). The API answers an expired token 401
    /// `PGRST303` (PostgREST, Errors). `POST /auth/v1/logout` shows the access token, is answered
    /// 204, and ends the session's refresh tokens; access tokens live on (Supabase, Signing out). A
    /// refresh token is good once; a client that shows the parent of the newest one, or any within
    /// ten seconds, is given the newest again (Supabase, User sessions). Every response has a
    /// refresh token, also where one is not rotated.
    public static func supabase(
        origin: String = "https://project.supabase.co",
        refresh: RefreshSemantics = .rotatingWithReplay(
            windowNanoseconds: 10_000_000_000, parentOfActive: true),
        routes: [TokenRoute] = []
    ) -> TokenService {
        var form = TokenForm.bearer
        (form.logIn.path, form.refresh.path) = ("/auth/v1/token", "/auth/v1/token")
        form.logOut = TokenCall("logOut", .post, "/auth/v1/logout", token: .body("refresh_token"))
        form.logOut.status = 204
        form.expired = TokenRefusal(
            401, #"{"code":"PGRST303","details":null,"hint":null,"message":"JWT expired"}"#)
        form.unauthorized = TokenRefusal(
            401, #"{"code":"PGRST301","details":null,"hint":null,"message":"JWT is invalid"}"#)
        let code = "refresh_token_not_found"
        form.signedOut = TokenRefusal(
            400,
            #"{"code":"\#(code)","message":"Invalid Refresh Token: Refresh Token Not Found"}"#,
            headers: ["x-sb-error-code": code, "X-Supabase-Api-Version": "2024-01-01"])
        var service = TokenService(
            form, accessLifetime: .seconds(3_600), refresh: refresh, routes: routes)
        service.origin = origin
        service.logOut = .endsRefreshTokens
        service.repeatsRefreshToken = true
        service.members = { grant in
            let id = TokenService.uuid(grant.user)
            return #"""
                {"token_type": "bearer", "expires_at": \#(grant.expiresAt), "user": {"id": "\#(id)",
                "aud": "authenticated", "role": "authenticated", "email": "\#(grant.email)",
                "app_metadata": {}, "user_metadata": {}, "identities": [],
                "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-01T00:00:00Z"}}
                """#
        }
        return service
    }

    /// Firebase: tokens at `securetoken.googleapis.com`, sign-in at `identitytoolkit`, and an API.
    ///
    /// A refresh is a form at `/v1/token?key=…`; its response has `id_token`, the same token again
    /// as `access_token`, `expires_in` as a text, `user_id` and `project_id`, and a refusal is 400
    /// `TOKEN_EXPIRED` (Firebase Auth REST API, "Exchange a refresh token for an ID token"). A
    /// sign-in's response is in camel case ("Sign in with email / password"). Refresh tokens are
    /// not rotated, and there is no call that ends a session: only the client forgets its tokens.
    /// The API has the service's first address.
    public static func firebase(
        project: String = "my-project", api: String = "https://api.example.com",
        routes: [TokenRoute] = []
    ) -> TokenService {
        var form = TokenForm.bearer
        form.logIn.path = "/v1/accounts:signInWithPassword"
        form.refresh.path = "/v1/token"
        form.delivery = .json(
            access: "id_token", refresh: "refresh_token", lifetime: "expires_in")
        form.signedOut = TokenService.googleRefusal(400, "TOKEN_EXPIRED", "INVALID_ARGUMENT")
        form.expired = TokenService.googleRefusal(
            401, "Request had invalid authentication credentials.", "UNAUTHENTICATED")
        form.unauthorized = TokenService.googleRefusal(
            401, "Request is missing required authentication credential.", "UNAUTHENTICATED")
        var service = TokenService(
            form, accessLifetime: .seconds(3_600), refresh: .coexist, routes: routes)
        service.origin = api
        service.otherOrigins = [
            "https://securetoken.googleapis.com", "https://identitytoolkit.googleapis.com",
        ]
        service.form.signInDelivery = .json(
            access: "idToken", refresh: "refreshToken", lifetime: nil)
        service.members = { grant in
            guard !grant.isSignIn else {
                return #"""
                    {"kind": "identitytoolkit#VerifyPasswordResponse", "localId": "\#(grant.user)",
                    "email": "\#(grant.email)", "expiresIn": "\#(grant.lifetime)",
                    "registered": true}
                    """#
            }
            return #"""
                {"access_token": "\#(grant.access)", "expires_in": "\#(grant.lifetime)",
                "user_id": "\#(grant.user)", "project_id": "\#(project)"}
                """#
        }
        service.repeatsRefreshToken = true
        return service
    }

    /// A pair of tokens in JSON, as servers without a standard have it: `POST /auth/refresh` with
    /// `refreshToken`, which brings both tokens, and 401 with a reason otherwise.
    public static func jsonPair(
        refresh: RefreshSemantics = .rotatingStrict, routes: [TokenRoute] = []
    ) -> TokenService {
        var form = TokenForm.bearer
        let token = TokenPlace.body("refreshToken")
        form.logIn = TokenCall("logIn", .post, "/auth/login", token: token)
        form.refresh = TokenCall("refresh", .post, "/auth/refresh", token: token)
        form.logOut = TokenCall("logOut", .post, "/auth/logout", token: token)
        form.logOut.status = 204
        form.delivery = .json(access: "accessToken", refresh: "refreshToken", lifetime: nil)
        form.expired = TokenRefusal(401, #"{"error":"access token expired"}"#)
        form.unauthorized = TokenRefusal(401, #"{"error":"access token invalid"}"#)
        form.signedOut = TokenRefusal(401, #"{"error":"refresh token invalid"}"#)
        var service = TokenService(form, refresh: refresh, routes: routes)
        service.logOut = .endsRefreshTokens
        service.repeatsRefreshToken = true
        return service
    }

    private static func googleRefusal(
        _ status: Int, _ message: String, _ name: String
    ) -> TokenRefusal {
        TokenRefusal(
            status,
            #"{"error":{"code":\#(status),"message":"\#(message)","status":"\#(name)"}}"#)
    }

    /// An identifier of a user as Supabase writes them.
    private static func uuid(_ user: Int) -> String {
        let digits = String(user, radix: 16)
        return "00000000-0000-4000-8000-"
            + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}
