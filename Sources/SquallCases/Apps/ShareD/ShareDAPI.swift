import SquallApps
import SquallClient
import SquallHTTP

/// The result of a call in Share.D: a status and, if it decoded, a value.
struct ShareDAnswer<Value: Sendable>: Sendable {
    let status: Int
    let value: Value?

    /// True if there is a value to show.
    var isSuccess: Bool { status == 200 && value != nil }
}

/// Share.D's calls, each kind as its network manager makes them.
struct ShareDAPI: Sendable {
    static let acceptedStatuses = 200...299

    /// As built a session without an interceptor: calls that have one bring their own.
    let session: Session
    /// Sends calls that need no token; as built the session of all others.
    let open: Session
    let storage: AppStorage
    let design: ShareDDesign
    /// The reference design's tokens; `nil` on the app's own designs.
    let tokens: (any TokenKeeper)?

    init(device: Device, storage: AppStorage, design: ShareDDesign) {
        self.storage = storage
        self.design = design
        switch design {
        case .asBuilt, .disposedRefresh, .tokenUnderItself, .signInAgain:
            session = Session(environment: device.environment, user: device.user)
            open = session
            tokens = nil
        case .reference, .authenticationInterceptor:
            let sessions = ReferenceSessions(
                device: device, store: storage, refresh: .year2024(key: LSLP.Key.shareD),
                design: TokenDesign(rawValue: design.rawValue) ?? .reference
            ) { storage.wipe() }
            (session, open, tokens) = (sessions.session, sessions.open, sessions.tokens)
        }
    }

    /// A call about posts; one without a response counts as a 500.
    ///
    /// - Returns: `nil` when the caller waits for ever.
    func post<Value: Decodable & Sendable>(
        _ call: AppCall<ShareD>, as type: Value.Type
    ) async -> ShareDAnswer<Value>? {
        await response(to: call, as: type).map { response in
            ShareDAnswer(status: response.decidingStatus ?? 500, value: response.value)
        }
    }

    /// A call about the user; one without a response emits nothing, on the reference design a 500.
    ///
    /// - Returns: `nil` when the caller waits for ever.
    func user<Value: Decodable & Sendable>(
        _ call: AppCall<ShareD>, as type: Value.Type
    ) async -> ShareDAnswer<Value>? {
        await response(to: call, as: type).flatMap(answer)
    }

    /// A call of the token network, the profile's among them; one without a response has status 0.
    ///
    /// - Returns: `nil` when the caller waits for ever.
    func token<Value: Decodable & Sendable>(
        _ call: AppCall<ShareD>, as type: Value.Type
    ) async -> ShareDAnswer<Value>? {
        await response(to: call, as: type).map { response in
            ShareDAnswer(status: response.decidingStatus ?? 0, value: response.value)
        }
    }

    /// A new name and picture, always both; as built without an interceptor, so that a 419 is not
    /// refreshed.
    func editProfile(nick: String, photo: Photo) async -> ShareDAnswer<ShareDProfile>? {
        let response = await session.upload(
            multipartFormData: { $0.appendProfile(nick: nick, photo: photo) },
            with: request(.editProfile)
        )
        .validate(statusCode: Self.acceptedStatuses)
        .serializingDecodable(ShareDProfile.self).response
        return answer(response)
    }

    /// A page of Naver's shop, without an interceptor; the app itself never asks for an order.
    func shop(
        _ words: String, display: Int, start: Int, order: NaverSearch.Order? = nil
    ) async -> NaverPage? {
        let search = NaverSearch.page(
            .shop, words: words, display: display, start: start, order: order)
        return await open.request(search).validate(statusCode: Self.acceptedStatuses)
            .serializingDecodable(NaverPage.self).response.value
    }

    /// A page of the shop by a cursor, which only our catalogue knows.
    func shop(_ words: String, display: Int, cursor: String) async -> NaverCursorPage? {
        let search = NaverSearch.page(
            .shop, words: words, display: display, start: 1, cursor: cursor)
        return await open.request(search).validate(statusCode: Self.acceptedStatuses)
            .serializingDecodable(NaverCursorPage.self).response.value
    }

    func request(_ call: AppCall<ShareD>) -> AppRequest<ShareD> {
        AppRequest(call, storage: storage)
    }

    private func answer<Value>(_ response: DataResponse<Value>) -> ShareDAnswer<Value>? {
        let status = response.decidingStatus ?? (tokens == nil ? nil : 500)
        return status.map { ShareDAnswer(status: $0, value: response.value) }
    }

    /// The response to a call, by the rules of the design; `nil` when there never is one.
    private func response<Value: Decodable & Sendable>(
        to call: AppCall<ShareD>, as type: Value.Type
    ) async -> DataResponse<Value>? {
        switch design {
        case .asBuilt:
            return await sent(call, ShareDInterceptor(storage: storage), as: type)
        case .reference, .authenticationInterceptor: return await sent(call, nil, as: type)
        case .signInAgain:
            let response = await sent(call, nil, as: type)
            if response.response?.statusCode == 419 { storage.access = "" }
            return response
        case .disposedRefresh:
            let response = await sent(call, nil, as: type)
            guard response.response?.statusCode == 419 else { return response }
            Task { if let token = await refreshed() { storage.access = token } }
            return nil
        case .tokenUnderItself:
            while true {
                let response = await sent(call, nil, as: type)
                guard response.response?.statusCode == 419, let token = await refreshed() else {
                    return response
                }
                storage.store(token, forKey: storage.access)
            }
        }
    }

    private func sent<Value: Decodable & Sendable>(
        _ call: AppCall<ShareD>, _ interceptor: ShareDInterceptor?, as type: Value.Type
    ) async -> DataResponse<Value> {
        await (call.isOpen ? open : session)
            .request(request(call), interceptor: interceptor)
            .validate(statusCode: Self.acceptedStatuses)
            .serializingDecodable(type).response
    }

    private func refreshed() async -> String? {
        await sent(.refresh, nil, as: LSLPToken.self).value?.accessToken
    }
}
