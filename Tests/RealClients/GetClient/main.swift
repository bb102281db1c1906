import Foundation
import Get
import RealClients

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What its manual shows, with one refresh for all that wait.
actor Renewal: APIClientDelegate {
    private let session: ExpiredSession
    private var access: String
    private var underWay: Task<String, any Error>?

    init(_ session: ExpiredSession) {
        self.session = session
        access = session.access
    }

    func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {
        request.setValue("Bearer \(access)", forHTTPHeaderField: "Authorization")
    }

    func client(
        _ client: APIClient, shouldRetry task: URLSessionTask, error: any Error, attempts: Int
    ) async throws -> Bool {
        guard case .unacceptableStatusCode(401) = error as? APIError, attempts == 1 else {
            return false
        }
        let shown = task.originalRequest?.value(forHTTPHeaderField: "Authorization")
        guard shown == "Bearer \(access)" else { return true }
        let renewal = underWay ?? Task { try await renewed() }
        underWay = renewal
        access = try await renewal.value
        underWay = nil
        return true
    }

    private nonisolated func renewed() async throws -> String {
        var request = URLRequest(url: session.url.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.httpBody = session.form
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONDecoder().decode(RefreshAnswer.self, from: data).access_token
    }
}

/// Its client, on a session that it makes for itself.
let client = RealClient("Get", refreshesOnce: true) { count, world in
    let expired = ExpiredSession(in: world)
    let renewal = Renewal(expired)
    let client = APIClient(baseURL: expired.url) { $0.delegate = renewal }
    try await atOnce(count) { _ = try await client.send(Request<[Int]>(path: "/posts")).value }
}
try client.play()
