/// Why a request failed, with the cases of Alamofire's error.
///
/// A few cases never happen here, because nothing here has files, certificates or sessions that are
/// torn down; they exist so that a program's `switch` over all of them compiles unchanged.
public enum AFError: Error {
    /// The bytes of an upload could not be made.
    case createUploadableFailed(error: any Error)
    /// The request could not be built.
    case createURLRequestFailed(error: any Error)
    /// The request was cancelled.
    case explicitlyCancelled
    /// A string is no address.
    case invalidURL(url: String)
    /// A form could not be encoded; never happens here.
    case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
    /// Parameters could not be encoded by the older kind of encoding; never happens here.
    case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
    /// Parameters could not be encoded.
    case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
    /// An adapter failed.
    case requestAdaptationFailed(error: any Error)
    /// The retrier failed with an error of its own.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// A validator refused the answer.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// The answer could not be turned into a value.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The server is not who it says; never happens here.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
    /// The session is gone; never happens here, because requests keep theirs.
    case sessionDeinitialized
    /// The session was made invalid; never happens here.
    case sessionInvalidated(error: (any Error)?)
    /// No answer came.
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
