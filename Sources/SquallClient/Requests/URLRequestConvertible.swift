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

/// Something that can be an address.
public protocol URLConvertible: Sendable {
    /// The address.
    ///
    /// - Throws: `AFError.invalidURL` when it is none.
    func asURL() throws -> WebURL
}

extension WebURL: URLConvertible {
    /// The address itself.
    public func asURL() -> WebURL { self }
}

extension String: URLConvertible {
    /// The address the string spells.
    ///
    /// - Throws: `AFError.invalidURL` when it spells none.
    public func asURL() throws -> WebURL {
        guard let url = WebURL(self) else { throw AFError.invalidURL(url: self) }
        return url
    }
}
