import Foundation
public import SquallHTTP

/// Foundation's JSON decoder with its defaults, as the apps use it.
public struct FoundationJSONDecoder: DataDecoder {
    private let decoder = JSONDecoder()

    /// A decoder with Foundation's defaults.
    public init() {}

    /// Decodes a value from a JSON body.
    ///
    /// - Throws: Foundation's `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value {
        try decoder.decode(type, from: Data(body.bytes))
    }
}

/// Puts a value into a request's body as JSON.
public struct JSONParameterEncoder: ParameterEncoder {
    private let encoder = JSONEncoder()

    /// An encoder with sorted keys: Foundation's order otherwise differs from process to process.
    ///
    /// A slash is written `\/`, as Foundation does unless told otherwise.
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
