import Foundation
public import SquallHTTP

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
