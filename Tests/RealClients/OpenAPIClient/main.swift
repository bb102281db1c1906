import Foundation
import HTTPTypes
import OpenAPIRuntime
import OpenAPIURLSession
import RealClients

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
        guard answer.0.status == .unauthorized else { return answer }
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
let client = RealClient("OpenAPI's URLSession", refreshesOnce: true) { count, world in
    let expired = ExpiredSession(in: world)
    let transport = URLSessionTransport()
    let renewal = Renewal(expired, over: transport)
    try await atOnce(count) {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/posts")
        let (_, body) = try await renewal.intercept(
            request, body: nil, baseURL: expired.url, operationID: "posts"
        ) { try await transport.send($0, body: $1, baseURL: $2, operationID: "posts") }
        let data = try await Data(collecting: body ?? HTTPBody(), upTo: 1 << 20)
        _ = try JSONDecoder().decode([Int].self, from: data)
    }
}
try client.play()
