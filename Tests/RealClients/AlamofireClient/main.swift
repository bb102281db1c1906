import Alamofire
import Foundation
import RealClients

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Pair: AuthenticationCredential {
    let access: String
    let refresh: String
    var requiresRefresh: Bool { false }
}

final class Renewal: Authenticator, Sendable {
    let session: ExpiredSession

    init(_ session: ExpiredSession) { self.session = session }

    func apply(_ credential: Pair, to request: inout URLRequest) {
        request.headers.add(.authorization(bearerToken: credential.access))
    }

    func refresh(
        _ credential: Pair, for session: Session,
        completion: @escaping @Sendable (Result<Pair, any Error>) -> Void
    ) {
        var request = URLRequest(url: self.session.url.appendingPathComponent("oauth/token"))
        request.method = .post
        request.httpBody = self.session.form
        session.request(request).validate().responseDecodable(of: RefreshAnswer.self) { answer in
            completion(
                answer.result.map { Pair(access: $0.access_token, refresh: credential.refresh) }
                    .mapError { $0 })
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

/// Its own interceptor, on a session that it makes for itself.
let client = RealClient("Alamofire", refreshesOnce: true) { count, world in
    let expired = ExpiredSession(in: world)
    let interceptor = AuthenticationInterceptor(
        authenticator: Renewal(expired),
        credential: Pair(access: expired.access, refresh: expired.refresh))
    let session = Session(configuration: .default, interceptor: interceptor)
    let posts = expired.url.appendingPathComponent("posts")
    try await atOnce(count) {
        _ = try await session.request(posts).validate().serializingDecodable([Int].self).value
    }
}
try client.play()
