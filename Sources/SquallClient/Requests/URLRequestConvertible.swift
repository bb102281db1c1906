public import SquallHTTP

/// Something that can build a request, as a router's case can.
public protocol URLRequestConvertible: Sendable {
    /// The request; called again for every attempt, so that it may carry a newer token.
    ///
    /// - Throws: what prevents the request from being built.
    func asURLRequest() throws -> URLRequest
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() -> URLRequest { self }
}
