public import HTTP

extension AFError {
    /// Why a form could not be encoded.
    public enum MultipartEncodingFailureReason: Sendable {
        /// A part could not be read.
        case inputStreamReadFailed(error: any Error)
    }

    /// Why parameters could not be encoded by the older kind of encoding.
    public enum ParameterEncodingFailureReason: Sendable {
        /// The request has no address.
        case missingURL
        /// They could not be written as JSON.
        case jsonEncodingFailed(error: any Error)
        /// An encoding of the program's own.
        case customEncodingFailed(error: any Error)
    }

    /// Why parameters could not be encoded.
    public enum ParameterEncoderFailureReason: Sendable {
        /// The request lacks what the encoder needs.
        case missingRequiredComponent(String)
        /// The encoder failed.
        case encoderFailed(error: any Error)
    }

    /// Why a validator refused an answer.
    public enum ResponseValidationFailureReason: Sendable {
        /// There is no downloaded file.
        case dataFileNil
        /// The downloaded file cannot be read.
        case dataFileReadFailed(at: String)
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
        /// There is no downloaded file.
        case inputFileNil
        /// The downloaded file cannot be read.
        case inputFileReadFailed(at: String)
        /// The bytes are no text in the encoding.
        case stringSerializationFailed(encoding: TextEncoding)
        /// The bytes are no JSON; `decodingFailed` is what happens here.
        case jsonSerializationFailed(error: any Error)
        /// The decoder failed.
        case decodingFailed(error: any Error)
        /// A serializer of the program's own.
        case customSerializationFailed(error: any Error)
        /// There is no body, rightly, but the type has no value that stands for nothing.
        case invalidEmptyResponse(type: String)
    }

    /// Why a server was not trusted.
    public enum ServerTrustFailureReason: Sendable {
        /// An evaluator of the program's own.
        case customEvaluationFailed(error: any Error)
    }

    /// Why a request may not be sent.
    public enum URLRequestValidationFailureReason: Sendable {
        /// It is a GET with a body.
        case bodyDataInGETRequest(Body)
    }
}
