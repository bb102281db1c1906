public import SquallHTTP

extension AFError {
    /// Why a validator refused an answer.
    public enum ResponseValidationFailureReason: Sendable {
        /// The answer does not say what it is, and not everything is acceptable.
        case missingContentType(acceptableContentTypes: [String])
        /// The answer is something else than what is acceptable.
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
        /// The status was not among the acceptable ones.
        case unacceptableStatusCode(code: Int)
        /// A validator of the program's own.
        case customValidationFailed(error: any Error)
    }

    /// Why an answer could not be turned into a value.
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
