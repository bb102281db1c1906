public import SquallHTTP

/// Untyped parameters, as code from before `Encodable` hands them over.
public typealias Parameters = [String: any Sendable]

/// Puts untyped parameters into a request.
public protocol ParameterEncoding: Sendable {
    /// The request with the parameters in it; unchanged without any.
    ///
    /// - Throws: `AFError`.
    func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest
}

/// Puts untyped parameters into a request's query or body as a URL-encoded form.
///
/// Keys are sorted on every level. Alamofire sorts the first level only and leaves nested ones in
/// hash order, which no two runs share. Whole numbers are written as on a phone: `1.0` is `1`.
public struct URLEncoding: ParameterEncoding {
    /// Where the form goes.
    public typealias Destination = URLEncodedFormParameterEncoder.Destination

    /// How the name of an array's key is written.
    public enum ArrayEncoding: Sendable {
        /// `key[]`.
        case brackets
        /// `key`.
        case noBrackets
        /// `key[0]`.
        case indexInBrackets

        func key(_ key: String, at index: Int) -> String {
            switch self {
            case .brackets: "\(key)[]"
            case .noBrackets: key
            case .indexInBrackets: "\(key)[\(index)]"
            }
        }
    }

    /// How a truth value is written.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal
    }

    /// Where the form goes.
    public let destination: Destination
    /// How the name of an array's key is written.
    public let arrayEncoding: ArrayEncoding
    /// How a truth value is written.
    public let boolEncoding: BoolEncoding

    /// An encoding, by default with Alamofire's values.
    public init(
        destination: Destination = .methodDependent, arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// The query for GET, HEAD and DELETE, the body for all others.
    public static var `default`: URLEncoding { URLEncoding() }
    /// The query, whatever the verb.
    public static var queryString: URLEncoding { URLEncoding(destination: .queryString) }
    /// The body, whatever the verb.
    public static var httpBody: URLEncoding { URLEncoding(destination: .httpBody) }

    /// The request with the form behind its query, or as its body with a content type.
    ///
    /// - Throws: what prevents the request from being built.
    public func encode(
        _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
    ) throws -> URLRequest {
        let urlRequest = try urlRequest.asURLRequest()
        guard let parameters else { return urlRequest }
        let form = parameters.sorted { $0.key < $1.key }.flatMap { pairs($0.key, $0.value) }
        return destination.put(form.joined(separator: "&"), into: urlRequest)
    }

    private func pairs(_ key: String, _ value: any Sendable) -> [String] {
        switch value {
        case let dictionary as [String: any Sendable]:
            dictionary.sorted { $0.key < $1.key }.flatMap { pairs("\(key)[\($0.key)]", $0.value) }
        case let array as [any Sendable]:
            array.enumerated().flatMap { pairs(arrayEncoding.key(key, at: $0.offset), $0.element) }
        default: ["\(escaped(key))=\(escaped(text(of: value)))"]
        }
    }

    private func text(of value: any Sendable) -> String {
        switch value {
        case let flag as Bool: boolEncoding == .literal ? "\(flag)" : flag ? "1" : "0"
        case let number as Double: Int64(exactly: number).map(String.init) ?? "\(number)"
        case let number as Float: Int64(exactly: number).map(String.init) ?? "\(number)"
        default: "\(value)"
        }
    }

    private func escaped(_ text: String) -> String {
        text.percentEncoded { $0.isUnreservedInURL || $0 == UInt8(ascii: "?") || $0 == 47 }
    }
}

extension Session {
    /// A request from its parts, with untyped parameters encoded into it.
    ///
    /// The modifier changes the built request, for every attempt anew.
    public func request(
        _ url: any URLConvertible, method: HTTPMethod = .get, parameters: Parameters?,
        encoding: any ParameterEncoding, headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier modify: (@Sendable (inout URLRequest) throws -> Void)? = nil
    ) -> DataRequest {
        let parts = ClosureRequest(url, method, headers ?? [], modify) { request in
            try encoding.encode(request, with: parameters)
        }
        return request(parts, interceptor: interceptor)
    }
}
