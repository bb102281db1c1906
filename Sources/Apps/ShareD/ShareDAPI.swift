import Client
import HTTP

/// What a call came to, as Share.D hands it on: a status and, if it decoded, a value.
struct ShareDAnswer<Value: Sendable>: Sendable {
    let status: Int
    let value: Value?

    /// Whether there is a value to show.
    var isSuccess: Bool { status == 200 && value != nil }
}

/// Share.D's calls, each kind as its network manager makes them.
struct ShareDAPI: Sendable {
    static let acceptedStatuses = 200...299

    /// A session without an interceptor: calls that have one bring their own.
    let session: Session
    let storage: ShareDStorage

    init(device: Device, storage: ShareDStorage) {
        self.storage = storage
        session = Session(environment: device.environment, user: device.user)
    }

    /// A call about posts; one without an answer counts as a 500.
    func post<Value: Decodable & Sendable>(
        _ target: ShareDTarget, as type: Value.Type
    ) async -> ShareDAnswer<Value> {
        let response = await response(to: target, as: type)
        return ShareDAnswer(
            status: response.response?.statusCode ?? 500, value: response.value)
    }

    /// A call about the person; one without an answer emits nothing, and whoever waits does so for
    /// ever.
    func user<Value: Decodable & Sendable>(
        _ target: ShareDTarget, as type: Value.Type
    ) async -> ShareDAnswer<Value>? {
        let response = await response(to: target, as: type)
        return response.response.map {
            ShareDAnswer(status: $0.statusCode, value: response.value)
        }
    }

    /// A new name and picture, always both, beside the interceptor: a 419 is not refreshed.
    func editProfile(nick: String, photo: Photo) async -> ShareDAnswer<ShareDProfile>? {
        let response = await session.upload(
            multipartFormData: { form in
                form.append(Body(nick), withName: "nick", mimeType: "text/plain")
                form.append(
                    photo.body, withName: "profile", fileName: "profile.png",
                    mimeType: "image/png")
            }, with: request(.editProfile)
        )
        .validate(statusCode: Self.acceptedStatuses)
        .serializingDecodable(ShareDProfile.self).response
        return response.response.map {
            ShareDAnswer(status: $0.statusCode, value: response.value)
        }
    }

    /// A page of Naver's shop, without an interceptor.
    func shop(_ words: String, display: Int, start: Int) async -> NaverPage? {
        let search = NaverSearch(kind: .shop, words: words, display: display, start: start)
        return await session.request(search).validate(statusCode: Self.acceptedStatuses)
            .serializingDecodable(NaverPage.self).response.value
    }

    func request(_ target: ShareDTarget) -> ShareDRequest {
        ShareDRequest(target: target, storage: storage)
    }

    private func response<Value: Decodable & Sendable>(
        to target: ShareDTarget, as type: Value.Type
    ) async -> DataResponse<Value> {
        await session.request(request(target), interceptor: ShareDInterceptor(storage: storage))
            .validate(statusCode: Self.acceptedStatuses)
            .serializingDecodable(type).response
    }
}
