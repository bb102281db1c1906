extension AFError {
    /// Whether the session was gone.
    public var isSessionDeinitializedError: Bool {
        if case .sessionDeinitialized = self { true } else { false }
    }

    /// Whether the session was made invalid.
    public var isSessionInvalidatedError: Bool {
        if case .sessionInvalidated = self { true } else { false }
    }

    /// Whether the request was cancelled.
    public var isExplicitlyCancelledError: Bool {
        if case .explicitlyCancelled = self { true } else { false }
    }

    /// Whether a string was no address.
    public var isInvalidURLError: Bool {
        if case .invalidURL = self { true } else { false }
    }

    /// Whether parameters could not be encoded by the older kind of encoding.
    public var isParameterEncodingError: Bool {
        if case .parameterEncodingFailed = self { true } else { false }
    }

    /// Whether parameters could not be encoded.
    public var isParameterEncoderError: Bool {
        if case .parameterEncoderFailed = self { true } else { false }
    }

    /// Whether a form could not be encoded.
    public var isMultipartEncodingError: Bool {
        if case .multipartEncodingFailed = self { true } else { false }
    }

    /// Whether an adapter failed.
    public var isRequestAdaptationError: Bool {
        if case .requestAdaptationFailed = self { true } else { false }
    }

    /// Whether a validator refused the answer.
    public var isResponseValidationError: Bool {
        if case .responseValidationFailed = self { true } else { false }
    }

    /// Whether the answer could not be turned into a value.
    public var isResponseSerializationError: Bool {
        if case .responseSerializationFailed = self { true } else { false }
    }

    /// Whether the server is not who it says.
    public var isServerTrustEvaluationError: Bool {
        if case .serverTrustEvaluationFailed = self { true } else { false }
    }

    /// Whether the retrier failed with an error of its own.
    public var isRequestRetryError: Bool {
        if case .requestRetryFailed = self { true } else { false }
    }

    /// Whether the bytes of an upload could not be made.
    public var isCreateUploadableError: Bool {
        if case .createUploadableFailed = self { true } else { false }
    }

    /// Whether the request could not be built.
    public var isCreateURLRequestError: Bool {
        if case .createURLRequestFailed = self { true } else { false }
    }

    /// Whether a downloaded file could not be put in its place.
    public var isDownloadedFileMoveError: Bool {
        if case .downloadedFileMoveFailed = self { true } else { false }
    }

    /// Whether no answer came.
    public var isSessionTaskError: Bool {
        if case .sessionTaskFailed = self { true } else { false }
    }

    /// Whether the request was a GET with a body.
    public var isBodyDataInGETRequest: Bool {
        if case .urlRequestValidationFailed(.bodyDataInGETRequest) = self { true } else { false }
    }
}
