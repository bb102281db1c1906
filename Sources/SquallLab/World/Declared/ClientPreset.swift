import SquallApps
import SquallFormat

/// The token design of a public client library, as it was measured.
///
/// Every app that a profile declares can be given one by its name, as `"design": "google-auth"`. A
/// preset is one row of ``all``, in the words of a profile.
public struct ClientPreset: Sendable {
    /// The name by which populations ask for it.
    public let name: String
    /// The library, its language, and the version that was measured.
    public let client: String
    /// The place in the library's own code.
    public let source: String
    /// Its token design as a profile writes it.
    public let tokens: String

    private init(_ name: String, _ client: String, _ source: String, _ tokens: String) {
        (self.name, self.client, self.source, self.tokens) = (name, client, source, tokens)
    }

    /// Every preset, in the order in which tables show them.
    public static let all = python + others

    private static let python: [ClientPreset] = [
        ClientPreset(
            "requests-oauthlib", "requests-oauthlib 2.0.0, Python",
            "oauth2_session.py, request: TokenExpiredError refreshes, without a lock",
            #"""
            { "notices": ["clock"], "ahead": "0s", "singleFlight": false, "resends": 0,
              "failedRefresh": "keep", "missingLifetime": "fails" }
            """#),
        ClientPreset(
            "authlib", "Authlib 1.9.10, OAuth2Session, Python",
            "oauth2/client.py, ensure_active_token: leeway of 60 s, without a lock",
            #"""
            { "notices": ["clock"], "ahead": "60s", "singleFlight": false, "resends": 0,
              "failedRefresh": "keep" }
            """#),
        ClientPreset(
            "authlib-async", "Authlib 1.9.10, AsyncOAuth2Client, Python",
            "httpx_client/oauth2_client.py: looks at the token once it holds the lock",
            #"""
            { "notices": ["clock"], "ahead": "60s", "resends": 0, "failedRefresh": "keep",
              "heedsRetryAfter": false, "waitersAfterFailure": "lookAgain" }
            """#),
        ClientPreset(
            "google-auth", "google-auth 2.63.0, AuthorizedSession, Python",
            "transport/requests.py: two refreshes on a 401; oauth2/_client.py: three tries",
            #"""
            { "notices": ["clock", "status"], "ahead": "225s", "singleFlight": false,
              "refreshesLate": true, "resends": 2, "failedRefresh": "keep",
              "refreshRetries": [
                { "on": ["500", "503", "504", "408", "429"], "attempts": 3,
                  "waits": ["1s", "2s"] }] }
            """#),
        ClientPreset(
            "httpx-auth", "httpx-auth 0.23.1, resource owner password, Python",
            "_oauth2/tokens.py, get_token: the first takes the token away, the others sign in",
            #"""
            { "notices": ["clock"], "ahead": "30s", "resends": 0, "failedRefresh": "keep",
              "heedsRetryAfter": false, "renewal": "refreshTokenThenSignIn",
              "waitersAfterSuccess": "signIn", "waitersAfterFailure": "signIn",
              "missingLifetime": "fails" }
            """#),
        ClientPreset(
            "msal", "msal 1.39.0, acquire_token_silent, Python",
            "application.py: expired 5 min before its end, without a lock;"
                + " throttled_http_client.py: a failed request is not sent again for a while",
            #"""
            { "notices": ["clock"], "ahead": "300s", "singleFlight": false, "resends": 0,
              "failedRefresh": "keep",
              "refreshRetries": [
                { "on": ["429", "5xx"], "attempts": 1, "hold": "5s" },
                { "on": ["400"], "attempts": 1, "hold": "60s" }] }
            """#),
        ClientPreset(
            "azure", "azure-core 1.41.0, BearerTokenCredentialPolicy, Python",
            "policies/_authentication.py: 300 s less up to 60 s at random, without a lock",
            #"""
            { "notices": ["clock"], "ahead": "300s", "aheadJitter": "60s",
              "singleFlight": false, "resends": 0, "failedRefresh": "keep" }
            """#),
        ClientPreset(
            "botocore", "botocore 1.44.8, RefreshableCredentials, Python",
            "credentials.py: one refreshes from 900 s on, all wait from 600 s on",
            #"""
            { "notices": ["clock"], "ahead": "600s", "advisory": "900s", "resends": 0,
              "failedRefresh": "keep", "heedsRetryAfter": false,
              "waitersAfterFailure": "lookAgain", "missingLifetime": "fails" }
            """#),
        ClientPreset(
            "prawcore", "prawcore 4.0.0, Python",
            "auth.py adds 10 s to expires_in; sessions.py: a 401 clears the token, two more tries"
                + " after up to 2 s each",
            #"""
            { "notices": ["clock", "status"], "ahead": "0s", "late": "10s", "dropsRefused": true,
              "singleFlight": false, "refreshesLate": true, "resends": 2, "resendDelay": "0s",
              "resendJitter": "2s", "failedRefresh": "keep", "missingLifetime": "fails" }
            """#),
        ClientPreset(
            "dropbox", "dropbox 12.2.4, Python",
            "dropbox_client.py: 300 s; one refresh on expired_access_token; five tries on a 5xx",
            #"""
            { "notices": ["clock", "body"], "ahead": "300s", "singleFlight": false,
              "refreshesLate": true, "resends": 1, "failedRefresh": "keep",
              "missingLifetime": "fails",
              "refreshRetries": [
                { "on": ["5xx"], "attempts": 5, "waits": ["1s", "2s", "4s", "8s"] }] }
            """#),
    ]

    private static let others: [ClientPreset] = [
        ClientPreset(
            "x-oauth2", "golang.org/x/oauth2 0.3.0, ReuseTokenSource, Go",
            "oauth2.go: 10 s, looks once it holds the lock; internal/token.go: two ways to"
                + " authenticate until one has worked",
            #"""
            { "notices": ["clock"], "ahead": "10s", "resends": 0, "failedRefresh": "keep",
              "heedsRetryAfter": false, "waitersAfterFailure": "lookAgain",
              "refreshProbes": true }
            """#),
        ClientPreset(
            "okhttp-authenticator", "OkHttp 3.13.1 with an Authenticator that refreshes, Java",
            "RetryAndFollowUpInterceptor.java: 20 follow-ups, then an exception",
            #"""
            { "notices": ["status"], "singleFlight": false, "refreshesLate": true,
              "resends": 20, "failedRefresh": "keep" }
            """#),
        ClientPreset(
            "axios-queue", "axios 1.2.1 with the usual queue of failed requests, JavaScript",
            "the interceptor sees its own refresh: one that is refused as expired waits for itself",
            #"""
            { "notices": ["status"], "refreshesLate": true,
              "resends": 1, "refreshNotices": true, "failedRefresh": "keep",
              "heedsRetryAfter": false }
            """#),
    ]

    /// The designs of all presets by their names, read once.
    static let designs = all.map { (name: $0.name, design: $0.design) }

    /// The design that the settings describe.
    private var design: DeclaredTokenDesign {
        var problems = SettingProblems()
        guard let node = try? JSONParser.parse(Array(tokens.utf8)) else {
            preconditionFailure("the client preset \(name) is no JSON")
        }
        let format = SettingFormat.section { DeclaredTokenDesign(&$0) }
        let design = format.value(of: node, &problems)
        precondition(problems.count == 0, "\(name): \(problems.all.first?.message ?? "")")
        return design
    }
}
