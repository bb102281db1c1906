import SquallClient
import SquallHTTP

/// A target in the form that Moya needs.
protocol MoyaTarget: TargetType {
    /// Which statuses count as success.
    var validation: MoyaValidation { get }
    /// Fills a form, if the call carries one.
    func fill(_ form: inout MultipartFormData) -> Bool
}

/// Which statuses count as success to Moya.
enum MoyaValidation: Sendable {
    /// All of them; Moya's default.
    case none
    /// Those of 200…299.
    case successCodes
}

/// Moya's error for an answer that was refused, or for none.
struct MoyaError: Error, Sendable {
    /// The original answer, whatever error the retrier supplied; its status is what the app sees.
    let response: HTTPURLResponse?
    let underlying: AFError

    /// The status that decides how an app reacts, by the rules of `DataResponse`.
    var decidingStatus: Int? { underlying.decidingStatus(insteadOf: response) }
}

/// An answer with a body that has not been decoded yet.
struct MoyaResponse: Sendable {
    let status: Int
    let body: Body?
}

/// Sends targets through one session, by Moya 15's rules.
///
/// - Answers are not serialized, so the retrier is asked once, after validation, and never about a
///   body that does not decode.
/// - A failure keeps the original answer: when a refresh fails with 418, the caller sees the 419.
struct MoyaProvider<Target: MoyaTarget>: Sendable {
    let session: Session

    func request(_ target: Target) async -> Result<MoyaResponse, MoyaError> {
        let request = made(for: target)
        if target.validation == .successCodes { request.validate(statusCode: 200...299) }
        let answer = await request.serializingResponse().response
        if let error = answer.error {
            return .failure(MoyaError(response: answer.response, underlying: error))
        }
        return .success(
            MoyaResponse(status: answer.response?.statusCode ?? 0, body: answer.data))
    }

    private func made(for target: Target) -> DataRequest {
        var probe = MultipartFormData(boundary: "")
        guard target.fill(&probe) else { return session.request(target) }
        return session.upload(multipartFormData: { _ = target.fill(&$0) }, with: target)
    }
}
