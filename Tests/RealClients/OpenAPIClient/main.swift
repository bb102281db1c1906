import Foundation
import HTTPTypes
import OpenAPIRuntime
import OpenAPIURLSession
import RealClients

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A middleware as its manual shows them, with one refresh for all that wait.
actor Renewal: ClientMiddleware {
    private let session: ExpiredSession
    private let transport: URLSessionTransport
    private var access: String
    private var underWay: Task<String, any Error>?

    init(_ session: ExpiredSession, over transport: URLSessionTransport) {
        self.session = session
        self.transport = transport
        access = session.access
    }

    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
        next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var request = request
        let shown = access
        request.headerFields[.authorization] = "Bearer \(shown)"
        let answer = try await next(request, body, baseURL)
        guard answer.0.status.code == 401 || answer.0.status.code == 419 else { return answer }
        if shown == access {
            let renewal = underWay ?? Task { try await renewed() }
            underWay = renewal
            access = try await renewal.value
            underWay = nil
        }
        request.headerFields[.authorization] = "Bearer \(access)"
        return try await next(request, body, baseURL)
    }

    private nonisolated func renewed() async throws -> String {
        let request = HTTPRequest(
            method: .post, scheme: nil, authority: nil, path: "/oauth/token")
        let (_, body) = try await transport.send(
            request, body: HTTPBody(session.form), baseURL: session.url, operationID: "refresh")
        let data = try await Data(collecting: body ?? HTTPBody(), upTo: 1 << 20)
        return try JSONDecoder().decode(RefreshAnswer.self, from: data).access_token
    }
}

/// Its transport on `URLSession.shared`, as the code that its generator makes calls it.
///
/// Of its bodies those from data can be read again, and those from a stream cannot.
let client = RealClient(
    "OpenAPI's URLSession", refreshesOnce: true, kinds: [.read, .json, .form, .data, .stream]
) { real in
    let expired = real.expiredSession()
    let transport = URLSessionTransport()
    let renewal = Renewal(expired, over: transport)
    return { call in
        let request = HTTPRequest(
            method: .init(call.method) ?? .get, scheme: nil, authority: nil, path: call.path)
        let plain = call.request
        let body: HTTPBody? =
            switch call.kind {
            case .read: nil
            case .stream:
                HTTPBody(
                    AsyncStream { stream in
                        stream.yield(ArraySlice(call.body))
                        stream.finish()
                    }, length: .unknown)
            default: HTTPBody(plain.httpBody ?? Data())
            }
        let (response, received) = try await renewal.intercept(
            request, body: body, baseURL: expired.url, operationID: "posts"
        ) { try await transport.send($0, body: $1, baseURL: $2, operationID: "posts") }
        if let received { _ = try await Data(collecting: received, upTo: 1 << 20) }
        return response.status.code
    }
}
try client.play()
