internal import HTTP

/// Why a request failed, with the cases of Alamofire's error.
public enum AFError: Error {
    /// The request could not be built.
    case createURLRequestFailed(error: any Error)
    /// An adapter failed.
    case requestAdaptationFailed(error: any Error)
    /// No answer came.
    case sessionTaskFailed(error: any Error)
    /// A validator refused the answer.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// The answer could not be turned into a value.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The retrier failed with an error of its own.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// The request was cancelled.
    case explicitlyCancelled

    /// Why a validator refused an answer.
    public enum ResponseValidationFailureReason: Sendable {
        /// The status was not among the acceptable ones.
        case unacceptableStatusCode(code: Int)
        /// A validator of the program's own.
        case customValidationFailed(error: any Error)
    }

    /// Why an answer could not be turned into a value.
    public enum ResponseSerializationFailureReason: Sendable {
        /// There was no body where one was needed.
        case inputDataNilOrZeroLength
        /// The decoder failed.
        case decodingFailed(error: any Error)
    }

    /// The error under this one, if it wraps one.
    public var underlyingError: (any Error)? {
        switch self {
        case .createURLRequestFailed(let error), .requestAdaptationFailed(let error),
            .sessionTaskFailed(let error), .requestRetryFailed(let error, _):
            error
        case .responseValidationFailed(.customValidationFailed(let error)),
            .responseSerializationFailed(.decodingFailed(let error)):
            error
        default: nil
        }
    }

    /// The status a validator refused, if that was the reason.
    public var responseCode: Int? {
        guard case .responseValidationFailed(.unacceptableStatusCode(let code)) = self else {
            return nil
        }
        return code
    }

    /// A name without dynamic parts, for grouping.
    public var label: String {
        switch self {
        case .createURLRequestFailed: "createURLRequestFailed"
        case .requestAdaptationFailed: "requestAdaptationFailed"
        case .sessionTaskFailed(let error):
            (error as? TransportError)?.label ?? "sessionTaskFailed"
        case .responseValidationFailed(.unacceptableStatusCode): "validation.status"
        case .responseValidationFailed(.customValidationFailed): "validation.custom"
        case .responseSerializationFailed(.inputDataNilOrZeroLength): "serialization.empty"
        case .responseSerializationFailed(.decodingFailed): "serialization.decoding"
        case .requestRetryFailed: "requestRetryFailed"
        case .explicitlyCancelled: "explicitlyCancelled"
        }
    }
}
