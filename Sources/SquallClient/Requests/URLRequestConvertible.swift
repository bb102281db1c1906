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

/// A router's case, taken apart: where it goes and what it carries.
///
/// ```swift
/// enum Books: TargetType {
///     case list(limit: Int)
///     var origin: String { "https://books.example" }
///     var path: String { "/v1/books" }
///     var query: [(name: String, value: String?)] {
///         switch self { case .list(let limit): [("limit", "\(limit)")] }
///     }
/// }
/// ```
public protocol TargetType: URLRequestConvertible {
    /// Scheme, host and port.
    var origin: String { get }
    /// The path, percent-encoded.
    var path: String { get }
    /// The verb; by default GET.
    var method: HTTPMethod { get }
    /// The query in the order in which it is sent; a pair without a value is left out.
    var query: [(name: String, value: String?)] { get }
    /// The header fields.
    var headers: HTTPHeaders { get }

    /// The body; by default none.
    ///
    /// - Throws: what prevents it from being encoded.
    func body() throws -> Body
}

extension TargetType {
    /// GET.
    public var method: HTTPMethod { .get }
    /// No query.
    public var query: [(name: String, value: String?)] { [] }
    /// No fields.
    public var headers: HTTPHeaders { [] }

    /// No body.
    public func body() throws -> Body { .empty }

    /// The request the parts make; names and values of the query are percent-encoded.
    ///
    /// - Throws: whatever `body()` throws.
    public func asURLRequest() throws -> URLRequest {
        var text: String?
        for case (let name, let value?) in query {
            let name = name.percentEncoded(allowing: \.isUnreservedInURL)
            let value = value.percentEncoded(allowing: \.isUnreservedInURL)
            text =
                text.map { String(joining: $0, "&", name, "=", value) }
                ?? String(joining: name, "=", value)
        }
        let url = WebURL(origin: origin, path: path, query: text)
        return URLRequest(url: url, method: method, headers: headers, body: try body())
    }
}
