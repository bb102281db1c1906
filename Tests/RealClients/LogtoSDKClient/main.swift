import Foundation
import KeychainAccess
import LogtoClient
import RealClients
import Squall

/// Its client on `URLSession.shared`, with a session in the keychain and no access token yet.
///
/// Whoever asks while a refresh is under way begins another one.
let client = RealClient("logto", refreshesOnce: false) { count, world in
    var service = TokenService.oauth2(
        at: "/oidc/token", refresh: .coexist, routes: [.get("/posts", json: "[1]")])
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
    let far = world.mount(service)
    let config = try LogtoConfig(endpoint: far.url.absoluteString, appId: "app")
    let kept = ["refresh_token": far.tokens().refresh]
    let logto = Keychain.contents.withValue(kept) { LogtoClient(useConfig: config) }
    try await atOnce(count) { _ = try await logto.getAccessToken(for: nil) }
}
try client.play()
