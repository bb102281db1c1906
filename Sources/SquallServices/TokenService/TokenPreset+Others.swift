import SquallBackend
import SquallHTTP

// Token servers of Ruby, PHP and Matrix, and Django's of allauth.

extension TokenPreset {
    static let doorkeeper = TokenPreset(
        measured: "doorkeeper", "Doorkeeper 5.5.0",
        "previous_refresh_token: a used refresh token is good until the access token that it"
            + " brought is used, which ends the old access token, too"
    ) { service in
        oauth(&service, token: "/oauth/token", revoke: "/oauth/revoke")
        service.form.delivery.members = #"{"created_at":"{issuedAt}"}"#
        func challenged(_ error: String, _ reason: String) -> [String: String] {
            let words = #"error="\#(error)", error_description="\#(reason)""#
            return ["WWW-Authenticate": #"Bearer realm="Doorkeeper", "# + words]
        }
        func refusal(_ error: String, _ reason: String) -> TokenRefusal {
            TokenRefusal(
                400, #"{"error":"\#(error)","error_description":"\#(reason)"}"#,
                headers: noStore.merging(challenged(error, reason)) { $1 })
        }
        func token(_ reason: String) -> TokenRefusal {
            TokenRefusal(
                401, "", headers: challenged("invalid_token", "The access token \(reason)"))
        }
        (service.form.expired, service.form.unauthorized) = (token("expired"), token("is invalid"))
        service.form.signedOut = refusal(
            "invalid_grant",
            "The provided authorization grant is invalid, expired, revoked, does not match the"
                + " redirection URI used in the authorization request, or was issued to another"
                + " client.")
        service.form.others = [
            .ended: token("was revoked"),
            .missingAccount: refusal(
                "invalid_request", "Missing required parameter: grant_type."),
            .missingRefresh: refusal(
                "invalid_request", "Missing required parameter: refresh_token."),
        ]
        service.tokens.refresh = .rotatingUntilUsed(endsSiblings: false)
        // Its refresh tokens never end; profiles have lives of up to a year.
        service.live(access: .seconds(7_200), refresh: day * 365)
    }

    static let synapse = TokenPreset(
        measured: "synapse", "Synapse 1.163.2 (Matrix)",
        "refreshable_access_token_lifetime: a used refresh token is good until what it brought is"
            + " used, and each use ends what the one before it brought"
    ) { service in
        let token = TokenPlace.body("refresh_token")
        let root = "/_matrix/client/v3"
        var form = TokenForm.bearer
        form.logIn = TokenCall("logIn", .post, root + "/login", token: token)
        form.logIn.userField = "identifier.user"
        form.logIn.fields = [
            "type=m.login.password", "identifier.type=m.id.user", "refresh_token:=true",
        ].compactMap(TokenField.init(_:))
        form.refresh = TokenCall("refresh", .post, root + "/refresh", token: token)
        form.logOut = TokenCall("logOut", .post, root + "/logout", token: form.access)
        form.delivery = .json(
            access: "access_token", refresh: "refresh_token", lifetime: "expires_in_ms")
        (form.delivery.tellsMilliseconds, form.tellsType) = (true, false)
        form.signInDelivery = form.delivery
        form.signInDelivery?.members =
            #"{"user_id":"@user{user}:localhost","home_server":"localhost","#
            + #""device_id":"SQUALLDEVC"}"#
        func refusal(_ status: Int, _ code: String, _ more: String) -> TokenRefusal {
            TokenRefusal(status, #"{"errcode":"M_\#(code)","error":\#(more)}"#)
        }
        form.expired = refusal(
            401, "UNKNOWN_TOKEN", #""Access token has expired","soft_logout":true"#)
        form.unauthorized = refusal(
            401, "UNKNOWN_TOKEN", #""Invalid access token passed.","soft_logout":false"#)
        form.signedOut = refusal(403, "FORBIDDEN", #""refresh token isn't valid anymore""#)
        form.others = [
            .missing: refusal(401, "MISSING_TOKEN", #""Missing access token""#),
            .ended: form.unauthorized,
            .wrongPassword: refusal(403, "FORBIDDEN", #""Invalid username or password""#),
            .missingAccount: refusal(400, "UNKNOWN", #""Missing JSON keys.""#),
            .unknownRefresh: refusal(401, "UNKNOWN_TOKEN", #""invalid refresh token""#),
            .missingRefresh: refusal(
                400, "MISSING_PARAM", #""Missing params: ['refresh_token']""#),
        ]
        service.form = form
        service.logOut = .endsAllTokens
        service.tokens.refresh = .rotatingUntilUsed(endsSiblings: true)
        service.live(access: .seconds(300), refresh: day * 365)
    }

    static let allauth = TokenPreset(
        measured: "django-allauth", "django-allauth 65.22.1 (headless, JWT)",
        "each refresh token is good once; of eight refreshes together one to five succeed, and only"
            + " the refresh token that is stored last is good (in a simulation all are)"
    ) { service in
        let token = TokenPlace.body("refresh_token")
        var form = TokenForm.bearer
        form.logIn = TokenCall("logIn", .post, "/_allauth/app/v1/auth/login", token: token)
        form.logIn.userField = "username"
        form.refresh = TokenCall("refresh", .post, "/_allauth/app/v1/tokens/refresh", token: token)
        form.delivery = .json(
            access: "data.access_token", refresh: "data.refresh_token", lifetime: nil)
        form.delivery.members = #"{"status":200}"#
        form.signInDelivery = .json(
            access: "meta.access_token", refresh: "meta.refresh_token", lifetime: nil)
        form.signInDelivery?.members =
            #"{"status":200,"meta":{"is_authenticated":true,"#
            + #""session_token":"session-token-of-the-user-{user}"},"#
            + #""data":{"user":{"id":"{user}","display":"{email}","has_usable_password":true,"#
            + #""username":"{email}"},"methods":[{"method":"password","at":"{issuedAt}","#
            + #""username":"{email}"}]}}"#
        form.claims = TokenClaims()
        func refusal(_ detail: String) -> TokenRefusal {
            TokenRefusal(
                401, #"{"detail":"\#(detail)"}"#, headers: ["WWW-Authenticate": "Bearer"])
        }
        func errors(_ all: (param: String, code: String, message: String)...) -> TokenRefusal {
            let texts = all.map {
                #"{"message":"\#($0.message)","code":"\#($0.code)","param":"\#($0.param)"}"#
            }
            return TokenRefusal(400, #"{"status":400,"errors":[\#(texts.joined(separator: ","))]}"#)
        }
        let (required, words) = ("required", "This field is required.")
        (form.expired, form.unauthorized) = (refusal("Invalid token."), refusal("Invalid token."))
        form.signedOut = TokenRefusal(400, #"{"status":400}"#)
        form.others = [
            .missing: refusal("Authentication credentials were not provided."),
            .wrongPassword: errors(
                (
                    "password", "username_password_mismatch",
                    "The username and/or password you specified are not correct."
                )),
            .missingAccount: errors(("username", required, words), ("password", required, words)),
            .missingRefresh: errors(("refresh_token", required, words)),
        ]
        service.form = form
        service.tokens.refresh = .oneShot
        (service.tokens.parallelRefreshes, service.tokens.parallelWindowNanoseconds) = (
            3, 20_000_000
        )
        service.live(access: .seconds(300), refresh: day)
    }

    static let phpOAuth2s: [TokenPreset] = [
        TokenPreset(
            measured: "oauth2-server-php", "bshaffer/oauth2-server-php 1.14.2",
            "by default the refresh token is good once and nothing comes in its place"
        ) { phpOAuth2(&$0) },
        TokenPreset(
            measured: "oauth2-server-php-rotating", "bshaffer/oauth2-server-php 1.14.2",
            "always_issue_new_refresh_token: each refresh token is good once"
        ) {
            phpOAuth2(&$0)
            ($0.form.signInDelivery, $0.form.delivery) = (nil, $0.form.signInWay)
            $0.tokens.refresh = .oneShot
        },
    ]

    private static func phpOAuth2(_ service: inout TokenService) {
        oauth(&service, token: "/token", revoke: "/revoke")
        func refusal(_ status: Int, _ error: String, _ reason: String) -> TokenRefusal {
            TokenRefusal(
                status, #"{"error":"\#(error)","error_description":"\#(reason)"}"#,
                headers: noStore)
        }
        func token(_ reason: String) -> TokenRefusal {
            var own = refusal(401, "invalid_token", "The access token provided \(reason)")
            own.headers["WWW-Authenticate"] =
                #"Bearer realm="Service", error="invalid_token", "#
                + #"error_description="The access token provided \#(reason)""#
            return own
        }
        service.form.delivery.members = #"{"scope":null}"#
        service.form.signInDelivery = service.form.delivery
        service.form.delivery.refresh = nil
        service.form.logOut.answer = #"{"revoked":true}"#
        (service.form.expired, service.form.unauthorized) = (
            token("has expired"), token("is invalid")
        )
        service.form.signedOut = refusal(400, "invalid_grant", "Invalid refresh token")
        service.form.others = [
            .missing: TokenRefusal(
                401, "", headers: ["WWW-Authenticate": #"Bearer realm="Service""#]),
            .wrongPassword: refusal(
                401, "invalid_grant", "Invalid username and password combination"),
            .missingAccount: refusal(
                400, "invalid_request", "The grant type was not specified in the request"),
            .missingRefresh: refusal(
                400, "invalid_request", #"Missing parameter: \"refresh_token\" is required"#),
        ]
        service.logOut = .endsRefreshTokens
        service.tokens.refreshRevokesAccessTokens = false
        service.tokens.refresh = .once
        service.live(access: .seconds(3_600), refresh: day * 14)
    }

    static let glewlwyds: [TokenPreset] = [
        TokenPreset(
            measured: "glewlwyd", "Glewlwyd 2.7.5, its OpenID Connect plugin",
            "the refresh token stays the same; every refusal is a status without a body"
        ) { glewlwyd(&$0) },
        TokenPreset(
            measured: "glewlwyd-once", "Glewlwyd 2.7.5, its OpenID Connect plugin",
            "refresh-token-one-use always: reuse of a refresh token ends its successors, too"
        ) {
            glewlwyd(&$0)
            ($0.form.signInDelivery, $0.form.delivery) = (nil, $0.form.signInWay)
            $0.tokens.refresh = .rotatingStrict
        },
    ]

    private static func glewlwyd(_ service: inout TokenService) {
        oauth(&service, token: "/api/oidc/token", revoke: "/api/oidc/revoke")
        service.form.logIn.fields.append(TokenField("scope", "scope1"))
        service.form.logOut.answer = ""
        service.form.delivery.members =
            #"{"iat":"{issuedAt}","scope":"scope1","token_type":"bearer"}"#
        service.form.signInDelivery = service.form.delivery
        service.form.delivery.refresh = nil
        service.form.claims = TokenClaims()
        let noToken = TokenRefusal(401, "", headers: noStore)
        let noGrant = TokenRefusal(400, "", headers: noStore)
        (service.form.expired, service.form.unauthorized) = (noToken, noToken)
        service.form.signedOut = noGrant
        service.form.others = [
            .missing: noToken, .missingRefresh: noGrant, .missingAccount: noGrant,
            .wrongPassword: TokenRefusal(403, "", headers: noStore),
        ]
        service.logOut = .endsRefreshTokens
        service.tokens.refreshRevokesAccessTokens = false
        service.live(access: .seconds(3_600), refresh: day * 14)
    }
}
