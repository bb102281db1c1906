import SquallBackend
import SquallHTTP

// The token servers of Django.

extension TokenPreset {
    static let simpleJWTs: [TokenPreset] = [
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
            .refreshAsAccess: refusal(notValid("Token has wrong type")),
            .accessAsRefresh: refusal(
                #"{"detail":"Token has wrong type","code":"token_not_valid"}"#),
            .missingRefresh: TokenRefusal(400, #"{"refresh":["This field is required."]}"#),
            .missingAccount: fieldsRequired,
        ]
        service.form = form
        service.live(access: .seconds(300), refresh: day)
    }

    static let ninja = TokenPreset(
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
        service.form.others = service.form.others.filter {
            [.refreshAsAccess, .accessAsRefresh].contains($0.key)
        }.mapValues { TokenRefusal(401, $0.body) }
        let invalid = "Token is invalid or expired"
        service.form.expired = TokenRefusal(401, notValid(invalid))
        service.form.unauthorized = service.form.expired
        service.form.signedOut = TokenRefusal(
            401, #"{"detail":"\#(invalid)","code":"token_not_valid"}"#)
        service.form.others.merge([
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
        ]) { $1 }
    }

    static let oauthToolkits: [TokenPreset] = [
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

    private static func oauthToolkit(_ service: inout TokenService) {
        oauth(&service, token: "/o/token/", revoke: "/o/revoke_token/")
        service.form.delivery.members = #"{"scope":"read write","token_type":"Bearer"}"#
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

    static let djRestAuth = TokenPreset(
        measured: "dj-rest-auth", "dj-rest-auth 7.2.0",
        "JWT_AUTH_HTTPONLY: the refresh token comes in a cookie alone, and the member is empty"
    ) { service in
        simpleJWT(&service)
        let token = TokenPlace.cookie("my-refresh")
        service.form.logIn.path = "/dj-rest-auth/login/"
        service.form.refresh = TokenCall(
            "refresh", .post, "/dj-rest-auth/token/refresh/", token: token)
        service.form.logOut = TokenCall("logOut", .post, "/dj-rest-auth/logout/", token: token)
        // Without JWT_AUTH_COOKIE and a blacklist nothing ends on the server.
        service.form.logOut.answer =
            #"{"detail":"Neither cookies or blacklist are enabled, so the token has not been"#
            + #" deleted server side. Please make sure the token is deleted client side."}"#
        service.form.delivery = .json(access: "access", refresh: nil, lifetime: nil)
        service.form.delivery.members = #"{"access_expiration":"{expiryDate}"}"#
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

    /// Opaque or signed tokens without a refresh, with Django REST framework's refusals.
    static let drfTokens: [TokenPreset] = [
        TokenPreset(
            measured: "drf-token", "djangorestframework 3.18.3",
            "one token without an end, shown as Authorization: Token"
        ) {
            drfToken(&$0, at: "/api-token-auth/", challenge: "Token")
            $0.live(access: day * 365, refresh: day * 365)
        },
        TokenPreset(
            measured: "django-rest-knox", "django-rest-knox 5.1.0",
            "one token of ten hours, shown as Authorization: Token; a sign-out ends it"
        ) {
            drfToken(&$0, at: "/login/", challenge: "Token")
            $0.form.delivery.members = #"{"expiry":"{expiryDate}"}"#
            $0.form.logOut = TokenCall("logOut", .post, "/logout/", token: $0.form.access)
            $0.form.logOut.status = 204
            $0.logOut = .endsAllTokens
            $0.live(access: .seconds(36_000), refresh: day)
        },
        TokenPreset(
            measured: "drf-jwt", "drf-jwt 1.19.2",
            "a sign-in is answered 201, and its token lives five minutes"
        ) {
            drfToken(&$0, at: "/api-token-auth/", challenge: #"Bearer realm="api""#)
            $0.form.access = .header("Authorization", scheme: "Bearer")
            $0.form.logIn.status = 201
            $0.form.delivery.members = #"{"pk":"{issuedAt}"}"#
            $0.form.claims = TokenClaims(subject: "user_id")
            $0.form.expired.body = #"{"detail":"Token has expired."}"#
            $0.form.unauthorized.body = #"{"detail":"Error decoding token."}"#
            $0.live(access: .seconds(300), refresh: day)
        },
    ]

    private static func drfToken(
        _ service: inout TokenService, at path: String, challenge: String
    ) {
        var form = TokenForm.bearer
        form.access = .header("Authorization", scheme: "Token")
        form.logIn = TokenCall("logIn", .post, path, token: form.access)
        form.logIn.userField = "username"
        form.delivery = .json(access: "token", refresh: nil, lifetime: nil)
        func refusal(_ reason: String) -> TokenRefusal {
            TokenRefusal(
                401, #"{"detail":"\#(reason)"}"#, headers: ["WWW-Authenticate": challenge])
        }
        (form.expired, form.unauthorized) = (refusal("Invalid token."), refusal("Invalid token."))
        form.others = [
            .missing: refusal("Authentication credentials were not provided."),
            .wrongPassword: unableToLogIn, .missingAccount: fieldsRequired,
        ]
        service.form = form
    }
}
