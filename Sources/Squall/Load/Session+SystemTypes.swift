import Foundation
import SquallClient
import SquallHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Session {
    /// Sends a request of Foundation's and waits for its answer.
    func exchange(_ request: SystemRequest) async throws -> ([UInt8], SystemResponse) {
        guard let address = request.url.flatMap({ WebURL($0.absoluteString) }) else {
            throw URLError(.badURL, of: request)
        }
        // Foundation keeps no order, so the fields' names make one.
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let headers = HTTPHeaders(fields.map { HTTPHeader(name: $0.key, value: $0.value) })
        let sent = SquallHTTP.URLRequest(
            url: address, method: HTTPMethod(rawValue: request.httpMethod ?? "GET"),
            headers: headers, body: Body(request.httpBody.map { [UInt8]($0) } ?? []))
        let answer = await self.request(sent).serializingResponse().response
        guard let head = answer.response, let response = SystemResponse(head, to: request) else {
            let lost = answer.error?.underlyingError as? TransportError
            throw URLError(lost ?? TransportError(.badServerResponse), of: request)
        }
        return (answer.data?.bytes ?? [], response)
    }
}
