import SquallHTTP

/// A request that is built anew for every attempt.
struct ClosureRequest: URLRequestConvertible {
    let build: @Sendable () throws -> URLRequest

    /// A request from its parts, changed by a modifier, with values encoded into it.
    init(
        _ url: any URLConvertible, _ method: HTTPMethod, _ headers: HTTPHeaders,
        _ modify: (@Sendable (inout URLRequest) throws -> Void)?,
        encode: @escaping @Sendable (URLRequest) throws -> URLRequest = { $0 }
    ) {
        build = {
            var urlRequest = URLRequest(url: try url.asURL(), method: method, headers: headers)
            try modify?(&urlRequest)
            return try encode(urlRequest)
        }
    }

    func asURLRequest() throws -> URLRequest { try build() }
}
