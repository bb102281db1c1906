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
        session.request(self.session.request).validate().responseDecodable(of: RefreshAnswer.self) {
            answer in
            completion(
                answer.result.map { Pair(access: $0.access_token, refresh: credential.refresh) }
                    .mapError { $0 })
        }
    }

    func didRequest(
        _ request: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool { response.statusCode == 401 || response.statusCode == 419 }

    func isRequest(_ request: URLRequest, authenticatedWith credential: Pair) -> Bool {
        let shown = HTTPHeader.authorization(bearerToken: credential.access).value
        return request.headers["Authorization"] == shown
    }
}

/// Its own interceptor, on a session that it makes for itself; in two of three worlds of writes a
/// policy retries what is refused for other reasons.
let client = RealClient(
    "Alamofire", refreshesOnce: true,
    kinds: [.read, .json, .form, .data, .stream, .parts, .file], losesCancelled: true
) { real in
    let expired = real.expiredSession()
    let interceptor = AuthenticationInterceptor(
        authenticator: Renewal(expired),
        credential: Pair(access: expired.access, refresh: expired.refresh))
    let policy = RetryPolicy(
        retryableHTTPMethods: RetryPolicy.defaultRetryableHTTPMethods.union([.post]))
    let all: [any RequestInterceptor] = real.world.seed % 3 == 0 ? [] : [policy]
    let session = Session(
        configuration: .default, interceptor: Interceptor(interceptors: [interceptor] + all))
    return { try await send($0, over: session) }
}

/// A call of a kind; what came of it is decoded, and its progress heard.
func send(_ call: RealCall, over session: Session) async throws -> Int {
    let method = HTTPMethod(rawValue: call.method)
    let fields = ["text": call.text]
    let request: DataRequest =
        switch call.kind {
        case .read: session.request(call.url)
        case .json:
            session.request(
                call.url, method: method, parameters: fields,
                encoder: JSONParameterEncoder.default)
        case .form: session.request(call.url, method: method, parameters: fields)
        case .data: session.upload(call.body, to: call.url, method: method)
        case .file: session.upload(call.file, to: call.url, method: method)
        case .stream: session.upload(InputStream(data: call.body), to: call.url, method: method)
        case .parts:
            // Of three forms one is written to a file first, and one has a stream.
            session.upload(
                multipartFormData: { form in
                    if call.number % 3 == 1 {
                        let length = UInt64(call.text.utf8.count)
                        form.append(
                            InputStream(data: call.body), withLength: length,
                            name: "text", fileName: "a.txt", mimeType: "text/plain")
                    } else {
                        form.append(call.body, withName: "text")
                    }
                    form.append(call.file, withName: "file")
                }, to: call.url, usingThreshold: call.number % 3 == 2 ? 10 : 10_000_000,
                method: method)
        }
    request.uploadProgress { _ in call.progressed() }.downloadProgress { _ in call.progressed() }
    call.cancels { request.cancel() }
    if call.number % 5 == 4 {
        request.suspend()
        try? await Task.sleep(for: .milliseconds(50))
        request.resume()
    }
    let response = await request.validate().serializingData(emptyResponseCodes: [200, 204]).response
    if let error = response.error { throw error }
    return response.response?.statusCode ?? 0
}
try client.play()
