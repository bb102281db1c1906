public import SquallHTTP

/// Why a request failed: the cases of Alamofire's error that can occur here.
///
/// It lacks those of files, certificates, parameter encoders and sessions that are torn down.
public enum AFError: Error {
    /// The bytes of an upload could not be made.
    case createUploadableFailed(error: any Error)
    /// The request could not be built.
    case createURLRequestFailed(error: any Error)
    /// The request was cancelled.
    case explicitlyCancelled
    /// An adapter failed.
    case requestAdaptationFailed(error: any Error)
    /// The retrier failed with an error of its own.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// A validator refused the response.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// The response could not be turned into a value.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// No response came.
    case sessionTaskFailed(error: any Error)
    /// The request is not one that may be sent.
    case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)
}

extension Error {
    /// The error as Alamofire's kind, if it is one.
    public var asAFError: AFError? { self as? AFError }

    /// The error as Alamofire's kind, wrapping any other.
    func asAFError(or wrap: (any Error) -> AFError) -> AFError {
        self as? AFError ?? wrap(self)
    }
}

extension AFError {
    /// Why a validator refused a response.
    public enum ResponseValidationFailureReason: Sendable {
        /// The response has no `Content-Type`, and not everything is acceptable.
        case missingContentType(acceptableContentTypes: [String])
        /// The response has a `Content-Type` that is not acceptable.
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
        /// The status was not among the acceptable ones.
        case unacceptableStatusCode(code: Int)
        /// A validator of the program's own.
        case customValidationFailed(error: any Error)
    }

    /// Why a response could not be turned into a value.
    public enum ResponseSerializationFailureReason: Sendable {
        /// There was no body where one was needed.
        case inputDataNilOrZeroLength
        /// The bytes are no text in the encoding.
        case stringSerializationFailed(encoding: TextEncoding)
        /// The decoder failed.
        case decodingFailed(error: any Error)
        /// A serializer of the program's own.
        case customSerializationFailed(error: any Error)
        /// There is no body, rightly, but the type has no value that stands for nothing.
        case invalidEmptyResponse(type: String)
    }

    /// Why a request may not be sent.
    public enum URLRequestValidationFailureReason: Sendable {
        /// It is a GET with a body.
        case bodyDataInGETRequest(Body)
    }
}

extension AFError {
    /// The error under this one, if it wraps one; of a failed retry the retrier's.
    public var underlyingError: (any Error)? {
        switch self {
        case .createUploadableFailed(let error), .createURLRequestFailed(let error),
            .requestAdaptationFailed(let error),
            .requestRetryFailed(let error, _), .sessionTaskFailed(let error):
            error
        case .responseValidationFailed(.customValidationFailed(let error)): error
        case .responseSerializationFailed(.decodingFailed(let error)),
            .responseSerializationFailed(.customSerializationFailed(let error)):
            error
        case .responseSerializationFailed: nil
        case .explicitlyCancelled, .responseValidationFailed, .urlRequestValidationFailed: nil
        }
    }

    /// The status a validator refused, if that was the reason.
    public var responseCode: Int? {
        guard case .responseValidationFailed(.unacceptableStatusCode(let code)) = self else {
            return nil
        }
        return code
    }

    /// The media types that would have been acceptable, if that was the reason.
    public var acceptableContentTypes: [String]? {
        switch self {
        case .responseValidationFailed(.missingContentType(let types)): types
        case .responseValidationFailed(.unacceptableContentType(let types, _)): types
        default: nil
        }
    }

    /// The media type a validator refused, if that was the reason.
    public var responseContentType: String? {
        guard case .responseValidationFailed(.unacceptableContentType(_, let type)) = self else {
            return nil
        }
        return type
    }
}

extension AFError {
    /// True for ``explicitlyCancelled`` only: a cancelled attempt that the transport reports is
    /// none.
    public var isExplicitlyCancelledError: Bool {
        if case .explicitlyCancelled = self { true } else { false }
    }

    /// True for ``requestAdaptationFailed(error:)`` only, whatever the adapter threw.
    public var isRequestAdaptationError: Bool {
        if case .requestAdaptationFailed = self { true } else { false }
    }

    /// True if the request was refused before it was sent because it is a GET with a body.
    public var isBodyDataInGETRequest: Bool {
        if case .urlRequestValidationFailed(.bodyDataInGETRequest) = self { true } else { false }
    }
}

extension AFError {
    /// A name without dynamic parts, for grouping: `validation.status`.
    ///
    /// A failed retry is named by its retrier's error, because that is the news in it.
    public var label: String {
        switch self {
        case .createUploadableFailed: "createUploadableFailed"
        case .createURLRequestFailed: "createURLRequestFailed"
        case .explicitlyCancelled: "explicitlyCancelled"
        case .requestAdaptationFailed(let error): "requestAdaptationFailed" + error.labelSuffix
        case .requestRetryFailed(let error, _): "requestRetryFailed" + error.labelSuffix
        case .responseValidationFailed(let reason): "validation." + reason.label
        case .responseSerializationFailed(let reason): "serialization." + reason.label
        case .sessionTaskFailed(let error):
            (error as? TransportError)?.label ?? "sessionTaskFailed"
        case .urlRequestValidationFailed: "bodyDataInGETRequest"
        }
    }
}

/// An error of the program's own with a name for grouping.
public protocol LabelledError: Error {
    /// A name without dynamic parts.
    var label: String { get }
}

extension Error {
    /// The error's own name behind a full stop; nothing for one that has no stable name.
    fileprivate var labelSuffix: String {
        if let error = self as? AFError { return "." + error.label }
        return (self as? any LabelledError).map { "." + $0.label } ?? ""
    }
}

extension AFError.ResponseValidationFailureReason {
    fileprivate var label: String {
        switch self {
        case .missingContentType, .unacceptableContentType: "contentType"
        case .unacceptableStatusCode: "status"
        case .customValidationFailed: "custom"
        }
    }
}

extension AFError.ResponseSerializationFailureReason {
    fileprivate var label: String {
        switch self {
        case .inputDataNilOrZeroLength: "empty"
        case .stringSerializationFailed: "string"
        case .decodingFailed: "decoding"
        case .customSerializationFailed: "custom"
        case .invalidEmptyResponse: "emptyType"
        }
    }
}
