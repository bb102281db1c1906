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
        guard case .unacceptableStatusCode(let status) = error as? APIError, attempts == 1,
            status == 401 || status == 419
        else { return false }
        let shown = task.originalRequest?.value(forHTTPHeaderField: "Authorization")
        guard shown == "Bearer \(access)" else { return true }
        let renewal = underWay ?? Task { try await renewed() }
        underWay = renewal
        access = try await renewal.value
        underWay = nil
        return true
    }

    private nonisolated func renewed() async throws -> String {
        let (data, _) = try await URLSession.shared.data(for: session.request)
        return try JSONDecoder().decode(RefreshAnswer.self, from: data).access_token
    }
}

/// Its client, on a session that it makes for itself.
let client = RealClient(
    "Get", refreshesOnce: true, kinds: [.read, .json, .data, .file]
) { real in
    let expired = real.expiredSession()
    let renewal = Renewal(expired)
    let client = APIClient(baseURL: expired.url) { $0.delegate = renewal }
    return { call in
        let heard = Progresses(call)
        let method = HTTPMethod(rawValue: call.method)
        let response: Response<Void>
        switch call.kind {
        case .data:
            response = try await client.upload(
                for: Request(url: call.url, method: method), from: call.body, delegate: heard)
        case .file:
            response = try await client.upload(
                for: Request(url: call.url, method: method), fromFile: call.file, delegate: heard)
        case .json:
            response = try await client.send(
                Request(url: call.url, method: method, body: ["text": call.text]),
                delegate: heard)
        default: response = try await client.send(Request(url: call.url), delegate: heard)
        }
        return response.statusCode ?? 0
    }
}

/// The progress of a call, and how it is cancelled.
final class Progresses: NSObject, URLSessionDataDelegate, Sendable {
    let call: RealCall

    init(_ call: RealCall) { self.call = call }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
        call.cancels { task.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) { call.progressed() }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        call.progressed()
    }
}
try client.play()
