import SquallApps
import SquallClient
import SquallHTTP

/// Scrolly's calls, each as its API manager makes them.
struct ScrollyAPI: Sendable {
    /// The statuses that the app accepts as valid.
    ///
    /// 419 is among them, so only a body that does not decode ever reaches the retrier.
    static let acceptedStatuses = 200...445
    /// The statuses that an upload accepts; 419 is still among them.
    static let acceptedUploadStatuses = 200...419

    let session: Session
    let storage: AppStorage
    /// The reference design's sessions and tokens; `nil` as built.
    private let reference: ReferenceSessions?

    init(device: Device, storage: AppStorage, scene: ScrollyScene, design: TokenDesign) {
        self.storage = storage
        switch design {
        case .asBuilt:
            session = Session(
                environment: device.environment, user: device.user,
                interceptor: ScrollyRetryInterceptor(storage: storage, scene: scene))
            reference = nil
        case .reference, .authenticationInterceptor:
            let reference = ReferenceSessions(
                device: device, store: storage, refresh: .year2024(key: Scrolly.key),
                design: design
            ) { scene.endSession() }
            (self.reference, session) = (reference, reference.session)
        }
    }

    /// The reference design's tokens; `nil` as built.
    var tokens: (any TokenKeeper)? { reference?.tokens }

    /// A call with a decoded response; the status decides before the decoding error does.
    func decoded<Value: Decodable & Sendable>(
        _ call: consuming AppCall<Scrolly>, as type: Value.Type
    ) async -> Result<Value, ScrollyError> {
        outcome(of: await request(call).serializingDecodable(type).response)
    }

    /// Calls that are made at once, with decoded responses; what is shown of each is made as it
    /// comes.
    func decoded<Value: Decodable & Sendable, Shown: Sendable>(
        _ calls: [AppCall<Scrolly>], as type: Value.Type,
        showing: @escaping @Sendable (Int, Result<Value, ScrollyError>) -> Shown
    ) async -> [Shown] {
        await session.together(calls) {
            request($0).serializingDecodable(type)
        } make: {
            showing($0, outcome(of: $1))
        }
    }

    /// A call with raw data as its response.
    ///
    /// A 419 has a body, any body is data, and 419 is an accepted status: there is no error, so the
    /// retrier is never asked and an expired token is never refreshed here.
    func data(_ call: consuming AppCall<Scrolly>) async -> Result<Body, ScrollyError> {
        outcome(of: await request(call).serializingData().response)
    }

    /// A call of which only the status is used; it never refreshes either.
    func status(_ call: AppCall<Scrolly>) async -> Result<Void, ScrollyError> {
        let response = await request(call).serializingResponse().response
        return outcome(status: response.decidingStatus) { () }
    }

    /// Uploads files for a post, from the screen that filled the server; decodes the response.
    func upload(_ files: [Photo]) async -> Result<LSLPFiles, ScrollyError> {
        let response = await session.upload(
            multipartFormData: { form in
                for (index, file) in files.enumerated() {
                    form.append(
                        file.body, withName: "files", fileName: "dummyImage_\(index).jpg",
                        mimeType: "image/jpg")
                }
            }, with: AppRequest<Scrolly>(.uploadFiles, storage: storage)
        )
        .validate(statusCode: accepted(as: ScrollyAPI.acceptedUploadStatuses))
        .serializingDecodable(LSLPFiles.self).response
        return outcome(status: response.decidingStatus) { response.value }
    }

    @inline(never)
    private func outcome<Value>(of response: DataResponse<Value>) -> Result<Value, ScrollyError> {
        outcome(status: response.decidingStatus) { response.value }
    }

    @inline(never)
    private func request(_ call: consuming AppCall<Scrolly>) -> DataRequest {
        // As built the session of calls that need no token is that of all others.
        let session = call.isOpen ? reference?.open ?? session : session
        return session.request(AppRequest<Scrolly>(call, storage: storage))
            .validate(statusCode: accepted(as: ScrollyAPI.acceptedStatuses))
    }

    private func accepted(as built: ClosedRange<Int>) -> ClosedRange<Int> {
        reference == nil ? built : ReferenceSessions.acceptedStatuses
    }

    private func outcome<Value>(
        status: Int?, value: () -> Value?
    ) -> Result<Value, ScrollyError> {
        guard let status else { return .failure(.networkError) }
        if let error = ScrollyError(status: status) { return .failure(error) }
        return value().map(Result.success) ?? .failure(.invalidData)
    }
}

/// The parts that Scrolly alone sends: its headers, and queries with their names in alphabetical
/// order, as Alamofire writes them.
extension Scrolly: LSLPApp {
    static func headers(of call: AppCall<Scrolly>, from storage: AppStorage) -> HTTPHeaders {
        if call.isOpen {
            return ["SesacKey": Scrolly.key, "Content-Type": "application/json"]
        }
        var headers = storage.headers(key: Scrolly.key)
        if call.name == .refresh {
            headers.add(name: "Refresh", value: storage.refresh)
        } else if call.method == .post {
            headers.add(.contentType("application/json"))
        }
        return headers
    }
}

extension AppCall<Scrolly> {
    static func posts(limit: Int, productID: String) -> AppCall {
        AppCall(
            .posts, .get, "/v1/posts", query: ["limit": String(limit), "product_id": productID])
    }

    static func hashtags(
        next: String?, limit: Int, productID: String, hashTag: String
    ) -> AppCall {
        AppCall(
            .hashtags, .get, "/v1/posts/hashtags",
            query: [
                "hashTag": hashTag, "limit": String(limit), "next": next, "product_id": productID,
            ])
    }

    static func bookmarks(next: String?, limit: Int) -> AppCall {
        AppCall(
            .likedPosts, .get, "/v1/posts/likes-2/me",
            query: ["limit": String(limit), "next": next])
    }
}

/// The app's constants; their real values were never published, so these are ours.
extension Scrolly {
    static let key = LSLP.Key.scrolly
    static let novels = "novelInfo"
    static let episodes = "novelEpisode"
    static let waitingFree = "waitingFree"
    static let tabs = ["male", "female", "fantasy", "romance"]
    static let merchantPrefix = "scrolly_"
}
