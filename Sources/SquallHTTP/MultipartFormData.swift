/// A form with files, as `multipart/form-data` (RFC 7578) in Alamofire's bytes.
///
/// Nothing is copied or written to disk: files stay files inside the encoded body.
///
/// ```swift
/// var form = MultipartFormData(boundary: MultipartFormData.boundary(from: bits))
/// form.append(cover, withName: "files", fileName: "cover.jpg", mimeType: "image/jpeg")
/// request.body = form.body
/// ```
public struct MultipartFormData: Sendable, Hashable {
    /// One field or file.
    public struct Part: Sendable, Hashable {
        /// The part's header fields.
        public let headers: HTTPHeaders
        /// The part's bytes.
        public let body: Body
    }

    /// What separates the parts; must not occur in any of them.
    public let boundary: String
    /// The parts in order.
    public private(set) var parts: [Part] = []

    /// An empty form.
    public init(boundary: String) { self.boundary = boundary }

    /// A boundary in Alamofire's spelling, `alamofire.boundary.` and sixteen digits.
    public static func boundary(from bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return "alamofire.boundary." + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Adds a field or file.
    ///
    /// Names are sent as they are: a quotation mark in one is not escaped, as in Alamofire.
    public mutating func append(
        _ body: Body, withName name: String, fileName: String? = nil, mimeType: String? = nil
    ) {
        var disposition = "form-data; name=\"\(name)\""
        if let fileName { disposition += "; filename=\"\(fileName)\"" }
        var headers: HTTPHeaders = ["Content-Disposition": disposition]
        if let mimeType { headers.add(name: "Content-Type", value: mimeType) }
        append(body, headers: headers)
    }

    /// Adds a part with header fields of its own.
    public mutating func append(_ body: Body, headers: HTTPHeaders) {
        parts.append(Part(headers: headers, body: body))
    }

    /// The value of the request's `Content-Type`.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The whole form; no bytes when it has no parts.
    public var body: Body {
        guard !parts.isEmpty else { return .empty }
        var bodies: [Body] = []
        bodies.reserveCapacity(parts.count * 2 + 1)
        for (index, part) in parts.enumerated() {
            let separator = index == 0 ? "--\(boundary)\r\n" : "\r\n--\(boundary)\r\n"
            let fields = part.headers.map { "\($0.name): \($0.value)\r\n" }
            bodies.append(Body(separator + fields.joined() + "\r\n"))
            bodies.append(part.body)
        }
        bodies.append(Body("\r\n--\(boundary)--\r\n"))
        return Body(parts: bodies)
    }
}
