public import SquallHTTP

extension AFError {
    /// Why a form could not be encoded.
    public enum MultipartEncodingFailureReason: Sendable {
        /// A part's address is none of a file.
        case bodyPartURLInvalid(url: String)
        /// A part's file has no name to give.
        case bodyPartFilenameInvalid(in: String)
        /// A part's file is not there.
        case bodyPartFileNotReachable(at: String)
        /// A part's file cannot be reached.
        case bodyPartFileNotReachableWithError(atURL: String, error: any Error)
        /// A part's file is a folder.
        case bodyPartFileIsDirectory(at: String)
        /// A part's file has no size.
        case bodyPartFileSizeNotAvailable(at: String)
        /// A part's file does not tell its size.
        case bodyPartFileSizeQueryFailedWithError(forURL: String, error: any Error)
        /// A part's file cannot be opened.
        case bodyPartInputStreamCreationFailed(for: String)
        /// The form's file cannot be made.
        case outputStreamCreationFailed(for: String)
        /// The form's file is there already.
        case outputStreamFileAlreadyExists(at: String)
        /// The form's address is none of a file.
        case outputStreamURLInvalid(url: String)
        /// The form's file cannot be written.
        case outputStreamWriteFailed(error: any Error)
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
        /// What an encoder needs of a request.
        public enum RequiredComponent: Hashable, Sendable {
            /// An address.
            case url
            /// A verb that it knows.
            case httpMethod(rawValue: String)
        }

        /// The request lacks what the encoder needs.
        case missingRequiredComponent(RequiredComponent)
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

    /// Why a server was not trusted; only what needs no certificate to say.
    public enum ServerTrustFailureReason: Sendable {
        /// No evaluator is set for this host.
        case noRequiredEvaluator(host: String)
        /// There are no certificates to pin to.
        case noCertificatesFound
        /// There are no keys to pin to.
        case noPublicKeysFound
        /// The anchors could not be set.
        case settingAnchorCertificatesFailed
        /// The rule for revocation could not be made.
        case revocationPolicyCreationFailed
        /// The evaluation failed.
        case trustEvaluationFailed(error: (any Error)?)
        /// The host's certificate is none of those pinned.
        case certificatePinningFailed(host: String)
        /// The host's key is none of those pinned.
        case publicKeyPinningFailed(host: String)
        /// An evaluator of the program's own.
        case customEvaluationFailed(error: any Error)
    }

    /// Why a request may not be sent.
    public enum URLRequestValidationFailureReason: Sendable {
        /// It is a GET with a body.
        case bodyDataInGETRequest(Body)
    }
}
