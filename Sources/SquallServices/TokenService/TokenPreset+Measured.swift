import SquallBackend
import SquallHTTP
import SquallKernel

// What token servers from PyPI, npm, Debian and Packagist did on 28 and 29 November 2026, asked by
// plain HTTP calls, each with its version. Lifetimes are those of their default settings.

extension TokenPreset {
    /// The servers whose exchanges were measured.
    static let measured =
        simpleJWTs + [ninja] + oauthToolkits + flaskJWTs + authlibs + others

    static let day: Duration = .seconds(86_400)

    static let unsupportedGrant = TokenRefusal(
        400, #"{"error":"unsupported_grant_type"}"#, headers: noStore)

    static let noStore = ["Cache-Control": "no-store", "Pragma": "no-cache"]

    /// OAuth 2.0 with forms, opaque tokens and revocation; a refresh ends the old access token.
    static func oauth(_ service: inout TokenService, token: String, revoke: String) {
        var form = TokenForm.bearer
        form.logIn.userField = "username"
        (form.logIn.path, form.refresh.path, form.logOut.path) = (token, token, revoke)
        (form.logIn.isForm, form.refresh.isForm, form.logOut.isForm) = (true, true, true)
        form.logIn.fields = [TokenField("grant_type", "password")]
        form.refresh.fields = [TokenField("grant_type", "refresh_token")]
        form.signedOut = TokenRefusal(400, #"{"error":"invalid_grant"}"#, headers: noStore)
        service.form = form
        service.tokenHeaders = noStore
        service.logOut = .endsAllTokens
        service.tokens.refreshRevokesAccessTokens = true
    }

    private static let flaskJWTs: [TokenPreset] = [
        TokenPreset(
            measured: "flask-jwt-extended", "Flask-JWT-Extended 4.7.4",
            "the refresh token is shown as Authorization: Bearer; 422 for a token that is broken"
        ) { flaskJWT(&$0) },
        TokenPreset(
            measured: "flask-jwt-extended-cookies", "Flask-JWT-Extended 4.7.4",
            "JWT_TOKEN_LOCATION cookies: requests that write repeat a cookie as X-CSRF-TOKEN"
        ) { service in
            flaskJWT(&service)
            service.form.access = .cookie("access_token_cookie")
            let refresh = TokenPlace.cookie("refresh_token_cookie")
            service.form.refresh.token = refresh
            service.form.logOut.token = refresh
            service.form.delivery = .cookies(
                access: "access_token_cookie", refresh: "refresh_token_cookie")
            service.form.delivery.members = #"{"msg":"refresh successful"}"#
            service.form.signInDelivery = service.form.delivery
            service.form.signInDelivery?.members = #"{"msg":"login successful"}"#
            service.form.csrf = CSRFGuard(
                header: "X-CSRF-TOKEN", access: "csrf_access_token",
                refresh: "csrf_refresh_token",
                refused: TokenRefusal(401, #"{"msg":"Missing CSRF token"}"#))
            func missing(_ name: String) -> TokenRefusal {
                TokenRefusal(401, #"{"msg":"Missing cookie \"\#(name)\""}"#)
            }
            service.form.others[.missing] = missing("access_token_cookie")
            service.form.others[.missingRefresh] = missing("refresh_token_cookie")
        },
        TokenPreset(
            measured: "flask-appbuilder", "Flask-AppBuilder 5.3.0, on which Superset stands",
            "as flask-jwt-extended; a sign-in is sent a provider, and that it wants to refresh"
        ) { service in
            flaskJWT(&service)
            let root = "/api/v1/security"
            (service.form.logIn.path, service.form.refresh.path) = (
                root + "/login", root + "/refresh"
            )
            service.form.logIn.fields = ["provider=db", "refresh:=true"].compactMap(
                TokenField.init(_:))
            service.form.others[.wrongPassword] = TokenRefusal(
                401, #"{"message":"Not authorized"}"#)
            service.form.others[.missingAccount] = TokenRefusal(
                400, #"{"message":"Request payload is not JSON"}"#)
        },
        TokenPreset(
            measured: "authx", "AuthX 1.7.1 (FastAPI)",
            "422 for an access token that has expired or is broken, 401 for one that is missing"
        ) { service in
            flaskJWT(&service)
            service.form.delivery.members = #"{"token_type":"bearer"}"#
            func refusal(_ status: Int, _ error: String, _ reason: String) -> TokenRefusal {
                TokenRefusal(
                    status, #"{"message":"\#(reason)","error_type":"\#(error)Error"}"#)
            }
            let broken = refusal(422, "JWTDecode", "Invalid Token")
            let missing = refusal(401, "MissingToken", "Token Error")
            service.form.expired = refusal(422, "TokenExpired", "Token has expired")
            (service.form.unauthorized, service.form.signedOut) = (broken, service.form.expired)
            service.form.others = [
                .missing: missing, .missingRefresh: missing, .unknownRefresh: broken,
                .refreshAsAccess: refusal(401, "AccessTokenRequired", "Access token required"),
                .accessAsRefresh: refusal(401, "RefreshTokenRequired", "Refresh token required"),
                .wrongPassword: TokenRefusal(
                    401, #"{"detail":{"message":"Invalid credentials"}}"#),
                .missingAccount: TokenRefusal(
                    422,
                    #"{"detail":[{"type":"missing","loc":["body"],"msg":"Field required","#
                        + #""input":null}]}"#),
            ]
            service.live(access: .seconds(900), refresh: day * 20)
        },
    ]

    private static func flaskJWT(_ service: inout TokenService) {
        let token = TokenPlace.header("Authorization", scheme: "Bearer")
        var form = TokenForm.bearer
        form.logIn = TokenCall("logIn", .post, "/login", token: token)
        form.logIn.userField = "username"
        form.refresh = TokenCall("refresh", .post, "/refresh", token: token)
        form.logOut = TokenCall("logOut", .post, "/logout", token: token)
        form.logOut.answer = #"{"msg":"logout successful"}"#
        form.delivery = .json(access: "access_token", refresh: "refresh_token", lifetime: nil)
        form.claims = TokenClaims()
        form.expired = TokenRefusal(401, #"{"msg":"Token has expired"}"#)
        form.unauthorized = TokenRefusal(422, #"{"msg":"Not enough segments"}"#)
        form.signedOut = form.expired
        let missing = TokenRefusal(401, #"{"msg":"Missing Authorization Header"}"#)
        form.others = [
            .missing: missing, .missingRefresh: missing, .unknownRefresh: form.unauthorized,
            .refreshAsAccess: TokenRefusal(422, #"{"msg":"Only non-refresh tokens are allowed"}"#),
            .accessAsRefresh: TokenRefusal(422, #"{"msg":"Only refresh tokens are allowed"}"#),
            .wrongPassword: TokenRefusal(401, #"{"msg":"Bad username or password"}"#),
        ]
        service.form = form
        service.live(access: .seconds(900), refresh: day * 30)
    }

    private static let authlibs: [TokenPreset] = [
        TokenPreset(
            measured: "authlib", "Authlib 1.9.10",
            "a sign-in brings no refresh token, and the access token lives ten days"
        ) {
            authlib(&$0)
            $0.form.delivery.refresh = nil
        },
        TokenPreset(
            measured: "authlib-once", "Authlib 1.9.10",
            "OAUTH2_REFRESH_TOKEN_GENERATOR and revoke_old_credential: the refresh token is good"
                + " once and nothing comes in its place"
        ) {
            authlib(&$0)
            $0.form.signInDelivery = $0.form.delivery
            $0.form.delivery.refresh = nil
            $0.tokens.refresh = .once
        },
        TokenPreset(
            measured: "authlib-rotating", "Authlib 1.9.10",
            "INCLUDE_NEW_REFRESH_TOKEN: refresh tokens rotate, and a refresh ends the old access"
                + " token"
        ) {
            authlib(&$0)
            $0.tokens.refresh = .oneShot
            ($0.tokens.parallelRefreshes, $0.tokens.parallelWindowNanoseconds) = (2, 10_000_000)
        },
    ]

    private static func authlib(_ service: inout TokenService) {
        oauth(&service, token: "/oauth/token", revoke: "/oauth/revoke")
        let reason =
            "The access token provided is expired, revoked, malformed, or invalid for other"
            + " reasons."
        func refusal(
            _ status: Int, _ error: String, _ reason: String, challenge: String? = nil
        ) -> TokenRefusal {
            var headers = noStore
            let words = #"error="\#(error)", error_description="\#(reason)""#
            headers["WWW-Authenticate"] = challenge.map { "\($0) \(words)" }
            return TokenRefusal(
                status, #"{"error":"\#(error)","error_description":"\#(reason)"}"#,
                headers: headers)
        }
        service.form.expired = refusal(401, "invalid_token", reason, challenge: "Bearer")
        service.form.unauthorized = service.form.expired
        service.form.others = [
            .missing: refusal(
                401, "missing_authorization", "Missing 'Authorization' in headers.",
                challenge: "bearer"),
            .wrongPassword: refusal(
                400, "invalid_request", "Invalid 'username' or 'password' in request."),
            .missingRefresh: refusal(
                400, "invalid_request", "Missing 'refresh_token' in request."),
            .missingAccount: unsupportedGrant,
        ]
        service.live(access: .seconds(864_000), refresh: day * 365)
        service.tokens.refreshedLifetimeNanoseconds = 3_600_000_000_000
    }

    private static let others: [TokenPreset] =
        [
            djRestAuth, allauth, sanicJWT, fastAPIUsers, nodeOAuth2, doorkeeper, synapse,
        ] + drfTokens + phpOAuth2s + glewlwyds + oneTokens

    private static let nodeOAuth2 = TokenPreset(
        measured: "node-oauth2-server", "@node-oauth/oauth2-server 5.3.0",
        "each refresh token is good once, and a refresh leaves the old access token alone; it has"
            + " no revocation of its own"
    ) { service in
        oauth(&service, token: "/oauth/token", revoke: "/oauth/revoke")
        func refusal(_ status: Int, _ error: String, _ reason: String) -> TokenRefusal {
            let kind = error == "invalid_token" ? #",error="\#(error)""# : ""
            return TokenRefusal(
                status, #"{"error":"\#(error)","error_description":"\#(reason)"}"#,
                headers: status == 401
                    ? ["WWW-Authenticate": #"Bearer realm="Service""# + kind] : [:])
        }
        func token(_ reason: String) -> TokenRefusal {
            refusal(401, "invalid_token", "Invalid token: access token \(reason)")
        }
        func grant(_ reason: String) -> TokenRefusal {
            refusal(400, "invalid_grant", "Invalid grant: \(reason)")
        }
        (service.form.expired, service.form.unauthorized) = (
            token("has expired"), token("is invalid")
        )
        service.form.signedOut = grant("refresh token is invalid")
        service.form.others = [
            .missing: refusal(
                401, "unauthorized_request", "Unauthorized request: no authentication given"),
            .wrongPassword: grant("user credentials are invalid"),
            .refreshExpired: grant("refresh token has expired"),
            .missingRefresh: refusal(
                400, "invalid_request", "Missing parameter: `refresh_token`"),
            .missingAccount: refusal(
                400, "invalid_request",
                "Invalid request: content must be application/x-www-form-urlencoded"),
        ]
        service.tokens.refresh = .oneShot
        service.tokens.refreshRevokesAccessTokens = false
        service.live(access: .seconds(3_600), refresh: day * 14)
    }

    private static let sanicJWT = TokenPreset(
        measured: "sanic-jwt", "sanic-jwt 1.8.0",
        "access tokens are accepted for three minutes after their end; a refresh shows both tokens"
    ) { service in
        let token = TokenPlace.body("refresh_token")
        var form = TokenForm.bearer
        form.logIn = TokenCall("logIn", .post, "/auth", token: token)
        form.logIn.userField = "username"
        form.refresh = TokenCall(
            "refresh", .post, "/auth/refresh", token: token, showsAccess: true)
        form.delivery = .json(access: "access_token", refresh: "refresh_token", lifetime: nil)
        form.claims = TokenClaims(subject: "user_id", hasIssue: false, ofRefresh: false)
        func refusal(_ reason: String, _ name: String = "Unauthorized") -> TokenRefusal {
            TokenRefusal(401, #"{"reasons":["\#(reason)"],"exception":"\#(name)"}"#)
        }
        form.expired = refusal("Signature has expired.")
        form.unauthorized = refusal("Auth required.")
        form.signedOut = refusal("Authentication failed.", "AuthenticationFailed")
        form.others = [
            .missing: refusal("Authorization header not present."),
            .wrongPassword: refusal("Wrong name or password.", "AuthenticationFailed"),
            .unknownRefresh: form.signedOut,
        ]
        service.form = form
        service.live(access: .seconds(1_980), refresh: day * 365)
        service.tokens.statedLifetimeNanoseconds = 1_800_000_000_000
    }

    private static let fastAPIUsers = TokenPreset(
        measured: "fastapi-users", "fastapi-users 15.0.5",
        "no refresh; a sign-out is answered 204 and changes nothing; 400 for a wrong password"
    ) { service in
        let token = TokenPlace.header("Authorization", scheme: "Bearer")
        var form = TokenForm.bearer
        form.logIn = TokenCall("logIn", .post, "/auth/jwt/login", token: token)
        (form.logIn.userField, form.logIn.isForm) = ("username", true)
        form.logOut = TokenCall("logOut", .post, "/auth/jwt/logout", token: token)
        form.logOut.status = 204
        form.delivery = .json(access: "access_token", refresh: nil, lifetime: nil)
        form.delivery.members = #"{"token_type":"bearer"}"#
        form.claims = TokenClaims(hasIssue: false)
        form.expired = TokenRefusal(401, #"{"detail":"Unauthorized"}"#)
        form.unauthorized = form.expired
        form.others[.wrongPassword] = TokenRefusal(400, #"{"detail":"LOGIN_BAD_CREDENTIALS"}"#)
        form.others[.missingAccount] = TokenRefusal(
            422,
            #"{"detail":[{"type":"missing","loc":["body","username"],"msg":"Field required","#
                + #""input":null},{"type":"missing","loc":["body","password"],"#
                + #""msg":"Field required","input":null}]}"#)
        service.form = form
        service.live(access: .seconds(3_600), refresh: day)
    }
}

extension TokenService {
    /// Sets how long tokens live.
    mutating func live(access: Duration, refresh: Duration) {
        tokens.accessLifetimeNanoseconds = access.nanosecondsClamped
        tokens.refreshLifetimeNanoseconds = refresh.nanosecondsClamped
    }
}
