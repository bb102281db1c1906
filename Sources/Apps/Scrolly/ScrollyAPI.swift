import Client
import HTTP

/// Scrolly's calls, each as its API manager makes them.
struct ScrollyAPI: Sendable {
    /// What the app takes for a valid status.
    ///
    /// 419 is among them, so nothing but a body that does not decode ever reaches the retrier.
    static let acceptedStatuses = 200...445
    /// What an upload takes for one; 419 is still among them.
    static let acceptedUploadStatuses = 200...419

    let session: Session
    let storage: ScrollyStorage

    /// A call whose answer is decoded; the status decides before the decoding error does.
    func decoded<Value: Decodable & Sendable>(
        _ target: ScrollyTarget, as type: Value.Type
    ) async -> Result<Value, ScrollyError> {
        let response = await request(target).serializingDecodable(type).response
        return outcome(status: response.response?.statusCode) {
            guard case .success(let value) = response.result else { return nil }
            return value
        }
    }

    /// A call whose answer is raw data.
    ///
    /// A 419 has a body, any body is data, and 419 is an accepted status: no error exists, so the
    /// retrier is never asked and an expired token is never refreshed here.
    func data(_ target: ScrollyTarget) async -> Result<Body, ScrollyError> {
        let response = await request(target).serializingData().response
        return outcome(status: response.response?.statusCode) {
            guard case .success(let body) = response.result else { return nil }
            return body
        }
    }

    /// A call whose answer is only looked at for its status; it never refreshes either.
    func status(_ target: ScrollyTarget) async -> Result<Void, ScrollyError> {
        let response = await request(target).serializingResponse().response
        return outcome(status: response.response?.statusCode) { () }
    }

    /// Files for a post, from the screen that filled the server; the answer is decoded.
    func upload(_ files: [Photo]) async -> Result<ScrollyFiles, ScrollyError> {
        let response = await session.upload(
            multipartFormData: { form in
                for (index, file) in files.enumerated() {
                    form.append(
                        file.body, withName: "files", fileName: "dummyImage_\(index).jpg",
                        mimeType: "image/jpg")
                }
            }, with: ScrollyRequest(target: .uploadFiles, storage: storage)
        )
        .validate(statusCode: ScrollyAPI.acceptedUploadStatuses)
        .serializingDecodable(ScrollyFiles.self).response
        return outcome(status: response.response?.statusCode) { response.value }
    }

    private func request(_ target: ScrollyTarget) -> DataRequest {
        session.request(ScrollyRequest(target: target, storage: storage))
            .validate(statusCode: ScrollyAPI.acceptedStatuses)
    }

    private func outcome<Value>(
        status: Int?, value: () -> Value?
    ) -> Result<Value, ScrollyError> {
        guard let status else { return .failure(.failedRequest) }
        if let error = ScrollyError(status: status) { return .failure(error) }
        return value().map(Result.success) ?? .failure(.invalidData)
    }
}
