import Foundation
import Squall
import SquallHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking

    typealias SystemRequest = FoundationNetworking.URLRequest
#else
    typealias SystemRequest = Foundation.URLRequest
#endif

extension WireClient {
    /// Sends a request of Foundation's and waits for its answer.
    func exchange(_ request: SystemRequest) async throws -> ([UInt8], URLResponse) {
        guard let url = request.url, let address = WebURL(url.absoluteString) else {
            throw URLError(.badURL)
        }
        // Foundation keeps no order, so the fields are sorted by name.
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let headers = HTTPHeaders(fields.map { HTTPHeader(name: $0.key, value: $0.value) })
        var sent = SquallHTTP.URLRequest(
            url: address, method: HTTPMethod(rawValue: request.httpMethod ?? "GET"),
            headers: headers, body: Body(request.httpBody.map { [UInt8]($0) } ?? []))
        sent.timeoutNanoseconds = Int64(max(0, min(request.timeoutInterval, 1e9)) * 1e9)
        let failing = [NSURLErrorFailingURLErrorKey: url]
        let answer: TransportResponse
        do {
            answer = try await send(sent)
        } catch {
            let code = URLError.Code(rawValue: error.code.rawValue) ?? .badServerResponse
            throw URLError(code, userInfo: failing)
        }
        guard let response = SimulatedSystem.response(answer.head, from: url) else {
            throw URLError(.badServerResponse, userInfo: failing)
        }
        return (answer.body.bytes, response)
    }
}
