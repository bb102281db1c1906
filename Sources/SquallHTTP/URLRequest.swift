/// A request as it travels: address, verb, headers and body.
///
/// Named after Foundation's type, with the members client code uses. On Linux that type lives in
/// FoundationNetworking and costs about twenty times as much to build and copy.
public struct URLRequest: Hashable, Sendable {
    /// Where it goes.
    public var url: WebURL
    /// The verb.
    public var method: HTTPMethod
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty when there is none.
    public var body: Body
    /// How long its client waits for the answer once it has a connection; `nil`: as long as usual.
    public var timeoutNanoseconds: Int64?

    /// A request from its parts.
    public init(
        url: WebURL, method: HTTPMethod = .get, headers: HTTPHeaders = [], body: Body = .empty
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }

    /// The value of a header field, whatever the case of its name.
    public func value(forHTTPHeaderField name: String) -> String? { headers.value(for: name) }

    /// Sets or, with `nil`, removes a header field.
    public mutating func setValue(_ value: String?, forHTTPHeaderField name: String) {
        headers[name] = value
    }
}

/// The head of an answer.
public struct HTTPURLResponse: Hashable, Sendable {
    /// The address that answered.
    public let url: WebURL
    /// The status code, 100…599 from a well-behaved server.
    public let statusCode: Int
    /// The header fields.
    public let headers: HTTPHeaders

    /// An answer's head from its parts.
    public init(url: WebURL, statusCode: Int, headers: HTTPHeaders = []) {
        self.url = url
        self.statusCode = statusCode
        self.headers = headers
    }

    /// The media type without its parameters, as sent; `nil` when the server named none.
    public var mimeType: String? {
        headers.value(for: "Content-Type").map { value in
            String(value.prefix { $0 != ";" })
        }
    }
}
