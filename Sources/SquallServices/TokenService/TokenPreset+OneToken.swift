import SquallBackend
import SquallHTTP

// Token servers whose access token is the refresh token, too.

extension TokenPreset {
    static let oneTokens: [TokenPreset] = [
        TokenPreset(
            measured: "drf-jwt-refresh", "drf-jwt 1.19.2",
            "JWT_ALLOW_REFRESH: an access token is exchanged for a new one before it ends, and"
                + " stays good beside it; that this ends a week after the sign-in is left out"
        ) { service in
            var form = TokenForm.bearer
            let token = TokenPlace.body("token")
            form.logIn = TokenCall("logIn", .post, "/api/token-auth/", token: token)
            form.logIn.userField = "username"
            form.refresh = TokenCall("refresh", .post, "/api/token-refresh/", token: token)
            (form.logIn.status, form.refresh.status) = (201, 201)
            form.delivery = .json(access: "token", refresh: "token", lifetime: nil)
            form.delivery.members = #"{"pk":"{issuedAt}"}"#
            form.claims = TokenClaims(subject: "user_id")
            func refusal(_ reason: String) -> TokenRefusal {
                TokenRefusal(
                    401, #"{"detail":"\#(reason)"}"#,
                    headers: ["WWW-Authenticate": #"Bearer realm="api""#])
            }
            func problem(_ field: String, _ reason: String) -> TokenRefusal {
                TokenRefusal(400, #"{"\#(field)":["\#(reason)"]}"#)
            }
            let required = "This field is required."
            form.expired = refusal("Token has expired.")
            form.unauthorized = refusal("Error decoding token.")
            form.signedOut = problem("non_field_errors", "Token has expired.")
            form.others = [
                .missing: refusal("Authentication credentials were not provided."),
                .unknownRefresh: problem("non_field_errors", "Error decoding token."),
                .missingRefresh: problem("token", required),
                .wrongPassword: problem(
                    "non_field_errors", "Unable to log in with provided credentials."),
                .missingAccount: TokenRefusal(
                    400, #"{"password":["\#(required)"],"username":["\#(required)"]}"#),
            ]
            service.form = form
            service.tokens.refresh = .rotatingCoexist
            service.live(access: .seconds(300), refresh: .seconds(300))
        }
    ]
}
