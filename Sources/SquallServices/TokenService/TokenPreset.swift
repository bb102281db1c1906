import SquallHTTP

/// A token service by its name: the forms that profiles may begin with, and what real servers do.
///
/// One row of ``all`` is everything that a preset takes: profiles name it in
/// `backend.service.form`, `squall new --service` writes it, `squall probe` compares a server with
/// it, and a test replays its measured exchange.
public struct TokenPreset: Sendable {
    /// The name in profiles and on the command line.
    public let name: String
    /// The product and its version that was measured, or the document that describes it.
    public let source: String
    /// What is particular about it, in a sentence; also the setting that makes it so.
    public let about: String
    /// True if an exchange with the real server was measured.
    public let isMeasured: Bool
    /// The service: its form and the lives of its tokens.
    public let service: TokenService

    /// A service that documents describe.
    init(_ name: String, _ source: String, _ about: String, _ service: TokenService) {
        (self.name, self.source, self.about) = (name, source, about)
        (isMeasured, self.service) = (false, service)
    }

    /// Changes a form into the service that was measured.
    init(
        measured name: String, _ source: String, _ about: String,
        _ form: TokenForm = .bearer, _ change: (inout TokenService) -> Void
    ) {
        (self.name, self.source, self.about, isMeasured) = (name, source, about, true)
        var service = TokenService(form)
        change(&service)
        self.service = service
    }

    /// The preset of a name.
    public static func named(_ name: String) -> TokenPreset? { all.first { $0.name == name } }
}

extension TokenPreset {
    /// Every preset; the first is a profile's when it says nothing.
    public static let all: [TokenPreset] = documented + measured

    private static let documented: [TokenPreset] = [
        TokenPreset(
            "bearer", "RFC 6749, RFC 6750", "OAuth 2.0 in JSON", TokenService(.bearer)),
        TokenPreset(
            "status419", "this project's contract", "419 for an expired token",
            TokenService(.status419)),
        TokenPreset(
            "sessionCookie", "no product", "two cookies", TokenService(.sessionCookie)),
        TokenPreset(
            "oauth2", "RFC 6749, RFC 7009", "rotating refresh tokens, with revocation", .oauth2()),
        TokenPreset(
            "auth0", "Auth0 Authentication API", "403 for a refresh token that is no good",
            .auth0()),
        TokenPreset(
            "supabase", "Supabase Auth, API version 2024-01-01",
            "a used refresh token brings the newest again", .supabase()),
        TokenPreset(
            "firebase", "Firebase Auth REST API", "refresh tokens are not rotated", .firebase()),
        TokenPreset(
            "jsonPair", "no product", "a pair of tokens in JSON at /auth/refresh", .jsonPair()),
    ]
}
