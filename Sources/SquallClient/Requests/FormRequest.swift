import SquallHTTP

/// A request that carries a form.
struct FormRequest: URLRequestConvertible {
    let contentType: String
    let convertible: any URLRequestConvertible

    func asURLRequest() throws -> URLRequest {
        var urlRequest = try convertible.asURLRequest()
        urlRequest.headers.update(name: "Content-Type", value: contentType)
        return urlRequest
    }
}
