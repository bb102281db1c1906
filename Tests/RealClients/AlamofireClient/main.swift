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

/// Its own interceptor, on a session that it makes for itself: of every seven calls one reads, and
/// the others write with JSON, a form, data, a stream and several parts, or are cancelled.
let client = RealClient("Alamofire", refreshesOnce: true) { count, world in
    let expired = ExpiredSession(in: world)
    let interceptor = AuthenticationInterceptor(
        authenticator: Renewal(expired),
        credential: Pair(access: expired.access, refresh: expired.refresh))
    let session = Session(configuration: .default, interceptor: interceptor)
    let posts = expired.url.appendingPathComponent("posts")
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            group.addTask { try await call(number % 7, posts, over: session) }
        }
        try await group.waitForAll()
    }
}

/// A call of a kind; what came of it is decoded, and its progress heard.
func call(_ kind: Int, _ posts: URL, over session: Session) async throws {
    let body = Data(#"{"title": "a post"}"#.utf8)
    let request: DataRequest =
        switch kind {
        case 1:
            session.request(
                posts, method: .post, parameters: ["title": "a post"],
                encoder: JSONParameterEncoder.default)
        case 2: session.request(posts, method: .post, parameters: ["title": "a post"])
        case 3: session.upload(body, to: posts)
        case 4: session.upload(InputStream(data: body), to: posts)
        case 5: session.upload(multipartFormData: { $0.append(body, withName: "post") }, to: posts)
        default: session.request(posts)
        }
    request.uploadProgress { _ in }.downloadProgress { _ in }
    if kind == 6 {
        // Before it is sent, under way, refused and waiting, or sent again.
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...300)))
        request.cancel()
        _ = await request.validate().serializingDecodable([Int].self).response
    } else {
        _ = try await request.validate().serializingDecodable([Int].self).value
    }
}
try client.play()
