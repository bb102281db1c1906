import Foundation
import SquallClient
import SquallHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking

    typealias SystemRequest = FoundationNetworking.URLRequest
    typealias SystemResponse = FoundationNetworking.HTTPURLResponse
#else
    typealias SystemRequest = Foundation.URLRequest
    typealias SystemResponse = Foundation.HTTPURLResponse
#endif

extension Session {
    /// Sends a request of Foundation's and waits for its answer.
    func exchange(_ request: SystemRequest) async throws -> ([UInt8], SystemResponse) {
        guard let url = request.url, let address = WebURL(url.absoluteString) else {
            throw URLError(.badURL)
        }
        // Foundation keeps no order, so the fields' names make one.
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let headers = HTTPHeaders(fields.map { HTTPHeader(name: $0.key, value: $0.value) })
        let sent = SquallHTTP.URLRequest(
            url: address, method: HTTPMethod(rawValue: request.httpMethod ?? "GET"),
            headers: headers, body: Body(request.httpBody.map { [UInt8]($0) } ?? []))
        let answer = await self.request(sent).serializingResponse().response
        guard let head = answer.response,
            let response = SystemResponse(
                url: url, statusCode: head.statusCode, httpVersion: "HTTP/1.1",
                headerFields: head.headers.dictionary)
        else {
            let lost = (answer.error?.underlyingError as? TransportError)?.code
            let code = lost.flatMap { URLError.Code(rawValue: $0.rawValue) }
            throw URLError(
                code ?? .badServerResponse, userInfo: [NSURLErrorFailingURLErrorKey: url])
        }
        return (answer.data?.bytes ?? [], response)
    }
}
