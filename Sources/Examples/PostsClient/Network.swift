public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What requests go through: a `URLSession`, or whatever else answers them.
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
