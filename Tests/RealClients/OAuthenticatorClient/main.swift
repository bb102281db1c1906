import Foundation
import OAuthenticator
import RealClients

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Its `Authenticator`, on the session that it takes where none is given.
///
/// Each call that is refused begins a refresh of its own, with the login that it began with.
let client = RealClient(
    "OAuthenticator", refreshesOnce: false, kinds: [.read, .json, .form, .data, .stream]
) { real in
    let expired = real.expiredSession()
    let login = Login(
        accessToken: Token(value: expired.access), refreshToken: Token(value: expired.refresh))
    let kept = Kept(login)
    let handling = TokenHandling(
        authorizationURLProvider: { _ in throw URLError(.userAuthenticationRequired) },
        loginProvider: { _ in throw URLError(.userAuthenticationRequired) },
        refreshProvider: { login, _, network in
            var request = URLRequest(url: expired.url.appendingPathComponent("oauth/token"))
            request.httpMethod = "POST"
            request.httpBody = Data(
                "grant_type=refresh_token&refresh_token=\(login.refreshToken?.value ?? "")".utf8)
            let (data, _) = try await network(request)
            let answer = try JSONDecoder().decode(RefreshAnswer.self, from: data)
            return Login(
                accessToken: Token(value: answer.access_token),
                refreshToken: answer.refresh_token.map { Token(value: $0) } ?? login.refreshToken)
        })
    let authenticator = Authenticator(
        config: Authenticator.Configuration(
            appCredentials: AppCredentials(
                clientId: "app", clientPassword: "", scopes: [],
                callbackURL: expired.url),
            loginStorage: LoginStorage(
                retrieveLogin: { await kept.login }, storeLogin: { await kept.store($0) },
                clearLogin: { await kept.store(nil) }),
            tokenHandling: handling,
            userAuthenticator: Authenticator.failingUserAuthenticator))
    return { call in
        let (_, response) = try await authenticator.response(for: call.request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}

/// Where an app keeps its login.
actor Kept {
    private(set) var login: Login?

    init(_ login: Login) { self.login = login }

    func store(_ login: Login?) { self.login = login }
}
try client.play()
