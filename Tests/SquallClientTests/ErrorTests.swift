import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Errors")
struct ErrorTests {
    static let inner = TestError()

    static let errors: [(AFError, String, wraps: Bool)] = [
        (.createUploadableFailed(error: inner), "createUploadableFailed", true),
        (.createURLRequestFailed(error: inner), "createURLRequestFailed", true),
        (.explicitlyCancelled, "explicitlyCancelled", false),
        (.requestAdaptationFailed(error: inner), "requestAdaptationFailed", true),
        (
            .requestRetryFailed(retryError: inner, originalError: AFError.explicitlyCancelled),
            "requestRetryFailed", true
        ),
        (
            .responseValidationFailed(reason: .missingContentType(acceptableContentTypes: [])),
            "validation.contentType", false
        ),
        (
            .responseValidationFailed(reason: .unacceptableStatusCode(code: 419)),
            "validation.status", false
        ),
        (
            .responseValidationFailed(reason: .customValidationFailed(error: inner)),
            "validation.custom", true
        ),
        (
            .responseSerializationFailed(reason: .inputDataNilOrZeroLength),
            "serialization.empty", false
        ),
        (
            .responseSerializationFailed(reason: .stringSerializationFailed(encoding: .utf8)),
            "serialization.string", false
        ),
        (
            .responseSerializationFailed(reason: .decodingFailed(error: inner)),
            "serialization.decoding", true
        ),
        (
            .responseSerializationFailed(reason: .customSerializationFailed(error: inner)),
            "serialization.custom", true
        ),
        (
            .responseSerializationFailed(reason: .invalidEmptyResponse(type: "T")),
            "serialization.emptyType", false
        ),
        (.sessionTaskFailed(error: inner), "sessionTaskFailed", true),
        (
            .urlRequestValidationFailed(reason: .bodyDataInGETRequest(Body("x"))),
            "bodyDataInGETRequest", false
        ),
    ]

    @Test("Every error has a stable label and gives the error it wraps", arguments: errors)
    func labels(error: AFError, label: String, wraps: Bool) {
        #expect(error.label == label)
        #expect((error.underlyingError as? TestError == Self.inner) == wraps)
    }

    @Test("A label names the inner error where that one has a stable name")
    func innerLabels() {
        let lost = LostCompletionError(lost: .init(place: .adapt, interceptor: "I"))
        let adapting = AFError.requestAdaptationFailed(error: lost)
        #expect(adapting.label == "requestAdaptationFailed.lost.adapt")
        let retry = AFError.requestRetryFailed(
            retryError: AFError.explicitlyCancelled, originalError: adapting)
        #expect(retry.label == "requestRetryFailed.explicitlyCancelled")
        let task = AFError.sessionTaskFailed(error: TransportError(.timedOut))
        #expect(task.label == "transport.timedOut")
    }
}
