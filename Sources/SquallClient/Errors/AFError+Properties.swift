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
    /// Whether the request was cancelled.
    public var isExplicitlyCancelledError: Bool {
        if case .explicitlyCancelled = self { true } else { false }
    }

    /// Whether an adapter failed.
    public var isRequestAdaptationError: Bool {
        if case .requestAdaptationFailed = self { true } else { false }
    }

    /// Whether the request was a GET with a body.
    public var isBodyDataInGETRequest: Bool {
        if case .urlRequestValidationFailed(.bodyDataInGETRequest) = self { true } else { false }
    }
}
