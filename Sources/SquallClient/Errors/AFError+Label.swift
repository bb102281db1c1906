import SquallHTTP

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
