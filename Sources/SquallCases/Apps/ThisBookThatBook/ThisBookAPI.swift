import SquallApps
import SquallClient
import SquallHTTP

/// 이책저책's calls, each kind as its network service makes them.
///
/// As built no call validates anything: a 419 reaches the retrier only because its body does not
/// decode.
struct ThisBookAPI: Sendable {
    /// The session whose calls pass the interceptor.
    let session: Session
    /// The session of the calls that do not: uploads.
    let plain: Session
    let storage: AppStorage
    let design: ThisBookDesign
    /// The reference design's tokens; `nil` on the app's own designs.
    let tokens: (any TokenKeeper)?

    init(device: Device, storage: AppStorage, design: ThisBookDesign) {
        self.storage = storage
        self.design = design
        switch design.tokens {
        case .asBuilt:
            session = Session(
                environment: device.environment, user: device.user,
                interceptor: design.refreshesInMethods
                    ? nil : ThisBookAuthInterceptor(storage: storage))
            plain = Session(beside: session)
            tokens = nil
        case .reference, .authenticationInterceptor:
            let sessions = ReferenceSessions(
                device: device, store: storage, refresh: .year2024(key: LSLP.Key.thisBookThatBook),
                design: design.tokens
            ) { storage.wipe() }
            (session, plain, tokens) = (sessions.session, sessions.open, sessions.tokens)
        }
    }

    func fetch<Value: Decodable & Sendable>(
        _ call: AppCall<ThisBookThatBook>, as type: Value.Type
    ) async -> Emission<Value, ThisBookError> {
        await answer { await sent(call).serializingDecodable(type).response }
            .flatMap { emission(of: call, $0.decidingStatus, $0.value) }
    }

    /// A deletion, with the response read as text.
    ///
    /// The body of a 419 is a text like any other, so there is no error and nothing refreshes: the
    /// user has to sign in again although the refresh token is good.
    func delete(_ call: AppCall<ThisBookThatBook>) async -> Emission<String, ThisBookError> {
        let rules = BodyRules { $0.emptyResponseCodes = [200] }
        return await answer { await sent(call).serializingString(rules: rules).response }
            .flatMap { emission(of: call, $0.decidingStatus, $0.value) }
    }

    /// Creates a post; returns true if the server has it now.
    ///
    /// The response is decoded as a page, which one post is not: the app never sees a success.
    func create(_ draft: ThisBookDraft) async -> Bool {
        let answer = await answer {
            await sent(.createPost(draft)).serializingDecodable(ThisBookPage.self).response
        }
        return answer.value?.response?.statusCode == 200
    }

    /// A page of Naver's books, without the interceptor.
    func books(_ words: String, display: Int, start: Int) async -> NaverPage? {
        let search = NaverSearch.page(.book, words: words, display: display, start: start)
        return await plain.request(search).serializingDecodable(NaverPage.self).response.value
    }

    /// Uploads the pictures of a post; as built without the interceptor, so a 419 is not refreshed.
    ///
    /// Every failure ends in the branch for responses that do not decode; the branch for 419 is
    /// never reached.
    func upload(_ photos: [Photo]) async -> Emission<LSLPFiles, ThisBookError> {
        let answer = await answer {
            await uploads.upload(
                multipartFormData: { form in
                    for (index, photo) in photos.enumerated() {
                        form.append(
                            photo.body, withName: "files", fileName: "image\(index).png",
                            mimeType: "image/png")
                    }
                }, with: request(.uploadFiles)
            )
            .validated(for: tokens).serializingDecodable(LSLPFiles.self).response
        }
        return answer.flatMap { $0.value.map(Emission.success) ?? .failure(.standard) }
    }

    /// Sets the name and picture that other users see; as built without the interceptor, and any
    /// 200 is a success.
    func editProfile(nick: String, photo: Photo) async -> Emission<Void, ThisBookError> {
        await answer {
            await uploads.upload(
                multipartFormData: { $0.appendProfile(nick: nick, photo: photo) },
                with: request(.editProfile)
            )
            .validated(for: tokens).serializingDecodable(ThisBookProfile.self).response
        }
        .flatMap { emission(of: .editProfile, $0.decidingStatus, ()) }
    }

    /// A picture, with the headers that Kingfisher's modifier adds, if there is one.
    func picture(_ file: StoredFile) -> AppRequest<ThisBookThatBook> {
        request(design == .plainPictures ? .plainFile(file) : .file(file))
    }

    func request(_ call: AppCall<ThisBookThatBook>) -> AppRequest<ThisBookThatBook> {
        AppRequest(call, storage: storage)
    }

    private func sent(_ call: AppCall<ThisBookThatBook>) -> DataRequest {
        (tokens != nil && call.isOpen ? plain : session).request(request(call))
            .validated(for: tokens)
    }

    /// Makes a call by the rules of the design: as built once, and on the designs that refresh in
    /// each method again until the response is not 419.
    ///
    /// A refresh without a response never calls back; where only errors are reported, neither does
    /// a successful one.
    private func answer<Value>(
        to call: () async -> DataResponse<Value>
    ) async -> Emission<DataResponse<Value>, ThisBookError> {
        while true {
            let response = await call()
            guard design.refreshesInMethods, response.response?.statusCode == 419 else {
                return .success(response)
            }
            let refresh = await plain.request(request(.refresh))
                .serializingDecodable(LSLPToken.self).response
            switch refresh.response?.statusCode {
            case 200:
                guard let token = refresh.value else { return .nothing }
                storage.access = token.accessToken
                guard design == .recursiveRefresh else { return .nothing }
            case 418: return .failure(.expiredToken)
            case nil: return .nothing
            default: return .failure(.standard)
            }
        }
    }

    private var uploads: Session { tokens == nil ? plain : session }

    /// The status decides; a 200 that does not decode emits nothing.
    ///
    /// On the reference design the caller is told of every end.
    private func emission<Value>(
        of call: AppCall<ThisBookThatBook>, _ status: Int?, _ value: Value?
    ) -> Emission<Value, ThisBookError> {
        guard let status else { return tokens == nil ? call.silence() : .failure(.standard) }
        if let error = ThisBookError(status: status, of: call) { return .failure(error) }
        return value.map(Emission.success) ?? (tokens == nil ? .nothing : .failure(.standard))
    }
}

extension AppCall<ThisBookThatBook> {
    /// The emission of a call without a response: an error for lists and deletions, or none.
    fileprivate func silence<Value>() -> Emission<Value, ThisBookError> {
        switch name {
        case .posts, .hashtags, .deletePost, .deleteComment: .failure(.standard)
        default: .nothing
        }
    }
}
