import SquallBackend
import SquallHTTP

// What token servers from PyPI did on 28 November 2026, asked by plain HTTP calls, each with its
// version. Lifetimes are those of their settings when nobody changes them.

extension TokenPreset {
    /// The servers whose exchanges were measured.
    static let measured =
        simpleJWTs + [ninja] + oauthToolkits + flaskJWTs + authlibs + others

    private static let day: Duration = .seconds(86_400)

    private static let simpleJWTs: [TokenPreset] = [
        TokenPreset(
            measured: "simplejwt", "djangorestframework-simplejwt 5.5.1",
            "refresh tokens are not replaced and end after a day; access tokens live on"
        ) { simpleJWT(&$0) },
        TokenPreset(
            measured: "simplejwt-rotating", "djangorestframework-simplejwt 5.5.1",
            "ROTATE_REFRESH_TOKENS: used refresh tokens live on to their own end"
        ) {
            simpleJWT(&$0)
            $0.tokens.refresh = .rotatingCoexist
        },
        TokenPreset(
            measured: "simplejwt-blacklist", "djangorestframework-simplejwt 5.5.1",
            "ROTATE_REFRESH_TOKENS and BLACKLIST_AFTER_ROTATION: each is good once, and of eight"
                + " refreshes together one to five succeed"
        ) {
            simpleJWT(&$0)
            $0.tokens.refresh = .oneShot
            ($0.tokens.parallelRefreshes, $0.tokens.parallelWindowNanoseconds) = (3, 20_000_000)
            $0.form.signedOut.body = #"{"detail":"Token is blacklisted","code":"token_not_valid"}"#
            $0.form.logOut.path = "/api/token/blacklist/"
            $0.logOut = .endsRefreshTokens
        },
    ]

    private static let bearerRealm = ["WWW-Authenticate": #"Bearer realm="api""#]

    /// The refusal of an access token, with its reason.
    private static func notValid(_ reason: String) -> String {
        #"{"detail":"Given token not valid for any token type","code":"token_not_valid","#
            + #""messages":[{"token_class":"AccessToken","token_type":"access","#
            + #""message":"\#(reason)"}]}"#
    }

    private static let fieldsRequired = TokenRefusal(
        400,
        #"{"username":["This field is required."],"password":["This field is required."]}"#)

    private static func simpleJWT(_ service: inout TokenService) {
        let token = TokenPlace.body("refresh")
        var form = TokenForm.bearer
        form.logIn = TokenCall("logIn", .post, "/api/token/", token: token)
        form.logIn.userField = "username"
        form.refresh = TokenCall("refresh", .post, "/api/token/refresh/", token: token)
        form.logOut = TokenCall("logOut", .post, "/api/token/verify/", token: token)
        form.delivery = .json(access: "access", refresh: "refresh", lifetime: nil)
        form.claims = TokenClaims(subject: "user_id")
        func refusal(_ body: String) -> TokenRefusal {
            TokenRefusal(401, body, headers: bearerRealm)
        }
        form.expired = refusal(notValid("Token is expired"))
        form.unauthorized = refusal(notValid("Token is invalid"))
        form.signedOut = refusal(#"{"detail":"Token is expired","code":"token_not_valid"}"#)
        form.others = [
            .missing: refusal(#"{"detail":"Authentication credentials were not provided."}"#),
            .wrongPassword: refusal(
                #"{"detail":"No active account found with the given credentials"}"#),
            .refreshExpired: form.signedOut,
            .unknownRefresh: refusal(#"{"detail":"Token is invalid","code":"token_not_valid"}"#),
            .missingRefresh: TokenRefusal(400, #"{"refresh":["This field is required."]}"#),
            .missingAccount: fieldsRequired,
        ]
        service.form = form
        service.live(access: .seconds(300), refresh: day)
    }

    private static let ninja = TokenPreset(
        measured: "django-ninja-jwt", "django-ninja-jwt 5.4.5",
        "as simplejwt, with the refresh token sent again and without WWW-Authenticate"
    ) { service in
        simpleJWT(&service)
        service.repeatsRefreshToken = true
        (service.form.logIn.path, service.form.refresh.path) = (
            "/api/token/pair", "/api/token/refresh"
        )
        service.form.logOut.path = "/api/token/verify"
        service.form.signInDelivery = service.form.delivery
        service.form.signInDelivery?.members = #"{"username":"{email}"}"#
        let invalid = "Token is invalid or expired"
        service.form.expired = TokenRefusal(401, notValid(invalid))
        service.form.unauthorized = service.form.expired
        service.form.signedOut = TokenRefusal(
            401, #"{"detail":"\#(invalid)","code":"token_not_valid"}"#)
        service.form.others = [
            .missing: TokenRefusal(401, #"{"detail":"Unauthorized"}"#),
            .wrongPassword: TokenRefusal(
                401,
                #"{"detail":"No active account found with the given credentials","#
                    + #""code":"authentication_failed"}"#),
            .missingAccount: TokenRefusal(
                400,
                #"{"detail":"Invalid input.","code":"invalid","username":"username is required","#
                    + #""password":"password is required"}"#),
            .missingRefresh: TokenRefusal(
                400,
                #"{"detail":"Invalid input.","code":"invalid","refresh":"token is required"}"#),
        ]
    }

    private static let oauthToolkits: [TokenPreset] = [
        TokenPreset(
            measured: "django-oauth-toolkit", "django-oauth-toolkit 3.4.1",
            "each refresh token is good once and never ends; a refresh ends the old access token;"
                + " refreshes together get the same pair"
        ) { oauthToolkit(&$0) },
        TokenPreset(
            measured: "django-oauth-toolkit-grace", "django-oauth-toolkit 3.4.1",
            "REFRESH_TOKEN_GRACE_PERIOD_SECONDS: for 120 s a used refresh token brings the same"
                + " pair again"
        ) {
            oauthToolkit(&$0)
            $0.tokens.refresh = .rotatingWithReplay(
                windowNanoseconds: 120_000_000_000, parentOfActive: false)
            $0.tokens.reuseRevokesFamily = false
        },
        TokenPreset(
            measured: "django-oauth-toolkit-protected", "django-oauth-toolkit 3.4.1",
            "REFRESH_TOKEN_REUSE_PROTECTION: a second use ends the session and its access token"
        ) {
            oauthToolkit(&$0)
            $0.tokens.refresh = .rotatingStrict
        },
    ]

    private static let unsupportedGrant = TokenRefusal(
        400, #"{"error":"unsupported_grant_type"}"#, headers: noStore)

    private static let noStore = ["Cache-Control": "no-store", "Pragma": "no-cache"]

    private static func oauthToolkit(_ service: inout TokenService) {
        oauth(&service, token: "/o/token/", revoke: "/o/revoke_token/")
        service.form.delivery.members = #"{"token_type":"Bearer","scope":"read write"}"#
        service.form.logOut.answer = ""
        func bearer(_ reason: String) -> TokenRefusal {
            let error = #",error="invalid_token",error_description="The access token \#(reason).""#
            return TokenRefusal(
                401, #"{"detail":"Authentication credentials were not provided."}"#,
                headers: ["WWW-Authenticate": #"Bearer realm="api""# + error])
        }
        service.form.expired = bearer("has expired")
        service.form.unauthorized = bearer("is invalid")
        service.form.others = [
            .missing: TokenRefusal(401, service.form.expired.body, headers: bearerRealm),
            .ended: service.form.unauthorized, .missingAccount: unsupportedGrant,
            .wrongPassword: TokenRefusal(
                400, #"{"error":"invalid_grant","error_description":"Invalid credentials given."}"#,
                headers: noStore),
            .missingRefresh: TokenRefusal(
                400,
                #"{"error":"invalid_request","error_description":"#
                    + #""Missing refresh token parameter."}"#, headers: noStore),
        ]
        service.tokens.refresh = .oneShot
        service.tokens.replaysAccessToken = true
        (service.tokens.parallelRefreshes, service.tokens.parallelWindowNanoseconds) = (
            3, 20_000_000
        )
        // It never ends; profiles have lives of up to a year.
        service.live(access: .seconds(36_000), refresh: day * 365)
    }

    /// OAuth 2.0 with forms, opaque tokens and revocation, where a refresh ends the old access token.
    private static func oauth(_ service: inout TokenService, token: String, revoke: String) {
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

    private static let others: [TokenPreset] = [djRestAuth, sanicJWT, fastAPIUsers, drfToken]

    private static let djRestAuth = TokenPreset(
        measured: "dj-rest-auth", "dj-rest-auth 7.2.0",
        "JWT_AUTH_HTTPONLY: the refresh token comes in a cookie alone, and the member is empty"
    ) { service in
        simpleJWT(&service)
        let token = TokenPlace.cookie("my-refresh")
        service.form.logIn.path = "/dj-rest-auth/login/"
        service.form.refresh = TokenCall(
            "refresh", .post, "/dj-rest-auth/token/refresh/", token: token)
        service.form.logOut = TokenCall("logOut", .post, "/dj-rest-auth/logout/", token: token)
        service.form.logOut.answer = #"{"detail":"Successfully logged out."}"#
        service.form.delivery = .json(access: "access", refresh: nil, lifetime: nil)
        service.form.signInDelivery = TokenDelivery(
            access: .member("access"), refresh: .cookie("my-refresh"),
            members: #"{"refresh":"","user":{"pk":"{user}","username":"{email}","#
                + #""email":"{email}","first_name":"","last_name":""}}"#)
        service.form.others[.wrongPassword] = unableToLogIn
        service.form.others[.missingAccount] = TokenRefusal(
            400, #"{"password":["This field is required."]}"#)
        service.form.others[.missingRefresh] = TokenRefusal(
            401, #"{"detail":"No valid refresh token found.","code":"token_not_valid"}"#,
            headers: bearerRealm)
    }

    private static let unableToLogIn = TokenRefusal(
        400, #"{"non_field_errors":["Unable to log in with provided credentials."]}"#)

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

    private static let drfToken = TokenPreset(
        measured: "drf-token", "djangorestframework 3.18.3",
        "one token without an end, shown as Authorization: Token"
    ) { service in
        var form = TokenForm.bearer
        form.access = .header("Authorization", scheme: "Token")
        form.logIn = TokenCall(
            "logIn", .post, "/api-token-auth/", token: .header("Authorization", scheme: "Token"))
        form.logIn.userField = "username"
        form.delivery = .json(access: "token", refresh: nil, lifetime: nil)
        func refusal(_ reason: String) -> TokenRefusal {
            TokenRefusal(
                401, #"{"detail":"\#(reason)"}"#, headers: ["WWW-Authenticate": "Token"])
        }
        form.expired = refusal("Invalid token.")
        form.unauthorized = form.expired
        form.others = [
            .missing: refusal("Authentication credentials were not provided."),
            .wrongPassword: unableToLogIn, .missingAccount: fieldsRequired,
        ]
        service.form = form
        service.live(access: day * 365, refresh: day * 365)
    }
}

extension TokenService {
    /// Sets how long tokens live.
    fileprivate mutating func live(access: Duration, refresh: Duration) {
        tokens.accessLifetimeNanoseconds = Int64(access / .nanoseconds(1))
        tokens.refreshLifetimeNanoseconds = Int64(refresh / .nanoseconds(1))
    }
}
