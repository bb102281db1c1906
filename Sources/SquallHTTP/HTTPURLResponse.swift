/// The head of a response.
///
/// One reference, because it is passed on as often as a request is.
public struct HTTPURLResponse: Sendable {
    @usableFromInline let parts: Parts

    /// The address of the request that this responds to.
    @inlinable public var url: WebURL { parts.request.url }
    /// The status code, 100…599 from a well-behaved server.
    @inlinable public var statusCode: Int { parts.statusCode }
    /// The header fields.
    @inlinable public var headers: HTTPHeaders { parts.headers }

    /// A head from its parts.
    public init(url: WebURL, statusCode: Int, headers: HTTPHeaders = []) {
        parts = Parts(
            request: URLRequest(url: url), statusCode: statusCode, headers: headers, body: .empty)
    }

    @inlinable
    init(parts: Parts) { self.parts = parts }

    /// The media type without its parameters, as sent; `nil` when the server named none.
    public var mimeType: String? {
        headers.value(for: "Content-Type").map { value in
            String(value.prefix { $0 != ";" })
        }
    }

    /// What all copies share, and the response that it is the head of.
    @usableFromInline
    final class Parts: Sendable {
        /// What was asked; its address is not copied.
        @usableFromInline let request: URLRequest
        @usableFromInline let statusCode: Int
        @usableFromInline let headers: HTTPHeaders
        @usableFromInline let body: Body

        init(request: URLRequest, statusCode: Int, headers: HTTPHeaders, body: Body) {
            self.request = request
            self.statusCode = statusCode
            self.headers = headers
            self.body = body
        }
    }
}

extension HTTPURLResponse: Hashable {
    /// Equal in every part.
    public static func == (left: HTTPURLResponse, right: HTTPURLResponse) -> Bool {
        left.parts === right.parts
            || left.statusCode == right.statusCode && left.url == right.url
                && left.headers == right.headers
    }

    /// Feeds the status and the address.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(statusCode)
        hasher.combine(url)
    }
}
