import Foundation
import KeychainAccess
import LogtoClient
import RealClients
import Squall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Its client on `URLSession.shared`, with a session in the keychain and no access token yet.
///
/// Whoever asks while a refresh is under way begins another one.
let client = RealClient(
    "logto", refreshesOnce: false, kinds: [.read, .json, .form, .data, .stream]
) { real in
    var service = TokenService.oauth2(at: "/oidc/token", refresh: .coexist, routes: real.routes)
    service.members = { _ in #"{"scope": "openid"}"# }
    let root = service.origin + "/oidc"
    service.routes.append(
        .get(
            "/oidc/.well-known/openid-configuration",
            json: """
                {"issuer": "\(root)", "authorization_endpoint": "\(root)/auth",
                "token_endpoint": "\(root)/token", "end_session_endpoint": "\(root)/end",
                "revocation_endpoint": "\(root)/revoke", "userinfo_endpoint": "\(root)/me",
                "jwks_uri": "\(root)/jwks"}
                """
        ).withoutToken())
    let far = real.mount(service)
    let config = try LogtoConfig(endpoint: far.url.absoluteString, appId: "app")
    let kept = ["refresh_token": far.tokens().refresh]
    let logto = Keychain.contents.withValue(kept) { LogtoClient(useConfig: config) }
    return { call in
        var request = call.request
        let token = try await logto.getAccessToken(for: nil)
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
try client.play()
