import Alamofire
import Foundation
import PostsClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Pair: AuthenticationCredential {
    let access: String
    let refresh: String
    var requiresRefresh: Bool { false }
}

/// The posts on Alamofire as its handbook has it: decoding, validation, and its own interceptor.
final class InterceptedPosts: Sendable {
    private let base: URL
    private let session: Session

    init(
        base: URL, configuration: URLSessionConfiguration, tokens: Pair,
        keep: @escaping @Sendable (String, String) -> Void
    ) {
        self.base = base
        session = Session(
            configuration: configuration,
            interceptor: AuthenticationInterceptor(
                authenticator: Renewal(url: base, keep: keep), credential: tokens))
    }

    func main() async throws {
        async let posts = get([Post].self, "posts")
        async let profile = get(UserProfile.self, "profile")
        _ = try await (posts, profile)
    }

    private func get<Value: Decodable & Sendable>(
        _ type: Value.Type, _ path: String
    ) async throws -> Value {
        try await session.request(base.appendingPathComponent(path)).validate()
            .serializingDecodable(type).value
    }
}

private final class Renewal: Authenticator {
    private let url: URL
    private let keep: @Sendable (String, String) -> Void

    init(url: URL, keep: @escaping @Sendable (String, String) -> Void) {
        self.url = url
        self.keep = keep
    }

    private struct Answer: Decodable {
        let access_token: String
        let refresh_token: String?
    }

    func apply(_ credential: Pair, to request: inout URLRequest) {
        request.headers.add(.authorization(bearerToken: credential.access))
    }

    func refresh(
        _ credential: Pair, for session: Session,
        completion: @escaping @Sendable (Result<Pair, any Error>) -> Void
    ) {
        let keep = keep
        let form = ["grant_type": "refresh_token", "refresh_token": credential.refresh]
        session.request(
            url.appendingPathComponent("oauth/token"), method: .post, parameters: form
        ).validate().responseDecodable(of: Answer.self) { answer in
            let fresh = answer.result.map {
                Pair(access: $0.access_token, refresh: $0.refresh_token ?? credential.refresh)
            }
            if case .success(let pair) = fresh { keep(pair.access, pair.refresh) }
            completion(fresh.mapError { $0 })
        }
    }

    func didRequest(
        _ request: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool { response.statusCode == 401 }

    func isRequest(_ request: URLRequest, authenticatedWith credential: Pair) -> Bool {
        let shown = HTTPHeader.authorization(bearerToken: credential.access).value
        return request.headers["Authorization"] == shown
    }
}
