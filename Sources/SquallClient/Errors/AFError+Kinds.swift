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
