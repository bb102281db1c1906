import Foundation
public import SquallHTTP

/// Puts a value into a request.
public protocol ParameterEncoder: Sendable {
    /// The request with the value in it; unchanged without a value.
    ///
    /// - Throws: `AFError.parameterEncoderFailed`.
    func encode<Parameters: Encodable>(
        _ parameters: Parameters?, into urlRequest: URLRequest
    ) throws -> URLRequest
}

/// Puts a value into a request's query or body as a URL-encoded form.
public struct URLEncodedFormParameterEncoder: ParameterEncoder {
    /// Where the form goes.
    public enum Destination: Sendable {
        /// The query for GET, HEAD and DELETE, the body for all others.
        case methodDependent
        /// The query.
        case queryString
        /// The body.
        case httpBody

        func isQuery(for method: HTTPMethod) -> Bool {
            switch self {
            case .methodDependent: [.get, .head, .delete].contains(method)
            case .queryString: true
            case .httpBody: false
            }
        }

        /// The request with a form behind its query, or as its body with a content type.
        func put(_ form: String, into urlRequest: URLRequest) -> URLRequest {
            var urlRequest = urlRequest
            if isQuery(for: urlRequest.method) {
                let query = [urlRequest.url.query, form].compactMap { $0 }.joined(separator: "&")
                urlRequest.url.query = query.isEmpty ? nil : query
                return urlRequest
            }
            urlRequest.body = Body(form)
            if urlRequest.headers["Content-Type"] == nil {
                urlRequest.headers.update(
                    name: "Content-Type",
                    value: "application/x-www-form-urlencoded; charset=utf-8")
            }
            return urlRequest
        }
    }

    /// How the value becomes a form.
    public let encoder: URLEncodedFormEncoder
    /// Where the form goes.
    public let destination: Destination

    /// An encoder, by default with Alamofire's values.
    public init(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: Destination = .methodDependent
    ) {
        self.encoder = encoder
        self.destination = destination
    }

    /// The request with the form behind its query, or as its body with a content type.
    ///
    /// - Throws: `AFError.parameterEncoderFailed`.
    public func encode<Parameters: Encodable>(
        _ parameters: Parameters?, into urlRequest: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return urlRequest }
        let form: String
        do { form = try encoder.encode(parameters) } catch {
            throw AFError.parameterEncoderFailed(reason: .encoderFailed(error: error))
        }
        return destination.put(form, into: urlRequest)
    }
}

extension ParameterEncoder where Self == JSONParameterEncoder {
    /// JSON with sorted keys.
    public static var json: JSONParameterEncoder { JSONParameterEncoder() }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// A form with Alamofire's defaults.
    public static var urlEncodedForm: URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder()
    }
}

/// Puts a value into a request's body as JSON.
public struct JSONParameterEncoder: ParameterEncoder {
    private let encoder = JSONEncoder()

    /// An encoder with sorted keys: Foundation's order otherwise differs from process to process.
    ///
    /// A slash is written `\/`, as Foundation does by default.
    public init(isPretty: Bool = false, escapesSlashes: Bool = true) {
        encoder.outputFormatting = [.sortedKeys]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        if !escapesSlashes { encoder.outputFormatting.insert(.withoutEscapingSlashes) }
    }

    /// The request with the value as its body, and a content type unless it has one.
    ///
    /// - Throws: `AFError.parameterEncoderFailed`.
    public func encode<Parameters: Encodable>(
        _ parameters: Parameters?, into urlRequest: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return urlRequest }
        var urlRequest = urlRequest
        do {
            urlRequest.body = Body([UInt8](try encoder.encode(parameters)))
        } catch {
            throw AFError.parameterEncoderFailed(reason: .encoderFailed(error: error))
        }
        if urlRequest.headers["Content-Type"] == nil {
            urlRequest.headers.update(name: "Content-Type", value: "application/json")
        }
        return urlRequest
    }
}
