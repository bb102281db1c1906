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
    /// A validator refused the answer.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// The answer could not be turned into a value.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
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
