public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends requests: a `URLSession`, or a replacement for it.
public protocol Network: Sendable {
    /// Sends a request and waits for its answer.
    func answer(to request: URLRequest) async throws -> (Data, URLResponse)
}

extension URLSession: Network {
    /// Sends a request and waits for its answer.
    public func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        try await data(for: request)
    }
}
