import SquallBackend
import SquallHTTP
import SquallKernel

/// The contract's responses: every check in its order, every endpoint in its own method.
///
/// Its state changes at the instant at which it responds. The rows of ``Operation/all`` describe
/// the calls.
struct Contract {
    static let defaultLimit = 5
    static let limitMax = 50

    /// Where the run begins in the calendar.
    let epoch: Epoch
    var users: Users
    var posts: PostStore
    var pages: PageMemory
    var files = FileStore()
    var ledger = PaymentLedger()
    /// Knows the items of the lists in responses.
    let lists = ContractLists()
    /// How many comments were made; the newest one has this number.
    private var commentsMade = 0
    /// How many comments the store takes: as many as their identifiers can count.
    var commentsMax = ObjectID.numberMax

    /// The state before the run; incomplete when `isStopped` said so meanwhile.
    init(
        _ plan: ContractPlan, userCount: Int, randomness: RandomStream,
        isStopped: () -> Bool = { false }
    ) {
        epoch = plan.epoch
        let content = SeededContent(
            plan.content, userCount: userCount, epoch: epoch, randomness: randomness)
        users = Users(count: userCount, epoch: epoch)
        posts = PostStore(content: content, cachesEncodings: plan.cachesEncodings, isStopped)
        pages = PageMemory(isOn: plan.cachesEncodings)
    }

    /// Responds to a request: the key first, then the route, the token, and what the endpoint
    /// checks.
    mutating func answer(
        _ request: URLRequest, to route: Route?, of year: ContractYear, in scene: ServiceScene
    ) -> Answer {
        let (tokens, now) = (scene.tokens, scene.now)
        do throws(Refusal) {
            guard key(of: request) != nil else { throw .wrongKey }
            guard let route else { throw .unknownRoute }
            let name = Operation.calls(of: year)[route.row]
            let isOpen = name.access != .accessToken
            let user = isOpen ? -1 : try user(of: request, tokens, at: now)
            return try perform(
                Call(
                    request: request, route: route, name: name, year: year, user: user, now: now),
                tokens)
        } catch {
            return .refused(error)
        }
    }

    private mutating func perform(
        _ call: Call, _ tokens: TokenMint
    ) throws(Refusal) -> Answer {
        let isOld = call.year == .year2023
        return switch call.name {
        case .join: try join(call)
        case .validateEmail: try validateEmail(call)
        case .login: try logIn(call, tokens)
        case .refresh: try refresh(call, tokens)
        case .withdraw: withdraw(call)
        case .profile: profile(call)
        case .editProfile: try editProfile(call)
        case .otherProfile: try otherProfile(call)
        case .uploadFiles: try uploadFiles(call)
        case .createPost: try isOld ? createPostWithFiles(call) : createPost(call)
        case .posts: try list(call)
        case .post: try show(call)
        case .editPost: try isOld ? editPostWithFiles(call) : editPost(call)
        case .deletePost: try deletePost(call)
        case .userPosts: try userList(call)
        case .hashtags: try taggedList(call)
        case .file: try file(call)
        case .createComment: try createComment(call)
        case .editComment: try editComment(call)
        case .deleteComment: try deleteComment(call)
        case .like, .like2: try isOld ? toggleLike(call) : setLike(call)
        case .likes, .likes2: try likedList(call)
        case .follow: try follow(call)
        case .unfollow: try unfollow(call)
        case .validatePayment: try validatePayment(call)
        case .payments: payments(call)
        }
    }

    /// The account that a request's access token belongs to.
    ///
    /// Inlined, as others here that change nothing: a call would take a copy of the contract.
    @inline(__always)
    private func user(
        of request: URLRequest, _ tokens: TokenMint, at now: Instant
    ) throws(Refusal) -> Int {
        let token = Call.accessToken(in: request) ?? ""
        switch tokens.judge(token, as: .access, at: now) {
        case .unverifiable: throw .unverifiableAccessToken
        case .expired(let user): throw users.contains(user) ? .accessTokenExpired : .forbidden
        case .valid(let user):
            guard users.contains(user) else { throw .forbidden }
            return user
        }
    }

    /// The key of a request, if it is right.
    func key(of request: URLRequest) -> String? {
        guard let key = request.value(forHTTPHeaderField: "SesacKey"),
            ContractPlan.serviceKeys.contains(key)
        else { return nil }
        return key
    }

    /// The next comment's identifier.
    mutating func makeCommentID(at now: Instant) throws(Refusal) -> ObjectID {
        guard commentsMade < commentsMax else { throw .commentNotCreated }
        commentsMade += 1
        return ObjectID(.comment, number: commentsMade, second: epoch.seconds(at: now))
    }
}

/// The calls of the contract, by the names they have in results.
///
/// A name stands for the same call in both years; the rows of ``Operation/all`` say where it is and
/// what it takes and gives.
public enum ContractCall: String, CaseIterable, Sendable {
    /// Makes an account.
    case join
    /// Checks that an e-mail address is free.
    case validateEmail
    /// Signs in.
    case login
    /// Exchanges the refresh token for a new access token.
    case refresh
    /// Ends the caller's account.
    case withdraw
    /// Reads the caller's profile.
    case profile
    /// Changes the caller's profile.
    case editProfile
    /// Reads another user's profile.
    case otherProfile
    /// Stores files for a post to come.
    case uploadFiles
    /// Writes a post.
    case createPost
    /// Reads a page of all posts.
    case posts
    /// Reads one post.
    case post
    /// Changes a post of the caller.
    case editPost
    /// Deletes a post of the caller.
    case deletePost
    /// Reads a page of one author's posts.
    case userPosts
    /// Reads a page of the posts with a hashtag.
    case hashtags
    /// Reads a file.
    case file
    /// Comments on a post.
    case createComment
    /// Changes a comment of the caller.
    case editComment
    /// Deletes a comment of the caller.
    case deleteComment
    /// Likes a post, in the first way.
    case like
    /// Likes a post, in the second way.
    case like2
    /// Reads a page of the posts one likes in the first way.
    case likes
    /// Reads a page of the posts one likes in the second way.
    case likes2
    /// Follows an account.
    case follow
    /// Stops following an account.
    case unfollow
    /// Books a payment.
    case validatePayment
    /// Reads the caller's payments.
    case payments
}

extension ContractCall {
    /// The part of the call in a session.
    var role: Endpoint.Role {
        switch self {
        case .login: .signIn
        case .refresh: .refresh
        default: .ordinary
        }
    }

    /// The tokens that a request has to show besides the key.
    var access: Operation.Access {
        switch self {
        case .join, .validateEmail, .login: .open
        case .refresh: .refreshToken
        default: .accessToken
        }
    }
}

/// One request on its way through the contract: its content, its user and its time.
struct Call {
    let request: URLRequest
    let route: Route
    let name: ContractCall
    let year: ContractYear
    /// The account the token names; -1 for a call that takes none.
    let user: Int
    let now: Instant

    var keys: AnswerKeys { year.keys }

    /// The tokens that it shows.
    var shown: TokenTexts { Call.tokens(in: request) }

    /// The tokens that a request shows: bare, without a scheme.
    static func tokens(in request: URLRequest) -> TokenTexts {
        TokenTexts(
            access: accessToken(in: request),
            refresh: request.value(forHTTPHeaderField: "Refresh"))
    }

    static func accessToken(in request: URLRequest) -> String? {
        request.value(forHTTPHeaderField: "Authorization")
    }

    var query: Query { Query(request.url.query) }

    /// The identifier of the path's first variable.
    ///
    /// - Throws: `.serverError` for a text that is no identifier, which the real server does not
    ///   expect, and `.badRequest` for one that cannot even be decoded; both are assumptions for
    ///   other calls than those captured.
    func id(_ kind: ObjectID.Kind) throws(Refusal) -> ObjectID? {
        try Call.id(route.first, kind)
    }

    /// The identifier of the path's second variable.
    func commentID() throws(Refusal) -> ObjectID? { try Call.id(route.second, .comment) }

    private static func id(
        _ text: Substring, _ kind: ObjectID.Kind
    ) throws(Refusal) -> ObjectID? {
        guard text.hasPercentSign else { return try known(text, kind) }
        guard let decoded = PercentDecoding.strict(text) else { throw .badRequest }
        return try known(decoded[...], kind)
    }

    /// The identifier; `nil` when it is one, but of another kind of object.
    private static func known(
        _ text: Substring, _ kind: ObjectID.Kind
    ) throws(Refusal) -> ObjectID? {
        if let id = ObjectID(kind, text: text) { return id }
        guard ObjectID.isWellFormed(text) else { throw .serverError }
        return nil
    }
}

extension Answer {
    /// The response of a call that succeeds.
    static func ok(_ body: Body) -> Answer { Answer(status: 200, body: body) }

    /// The response of a call that succeeds, with one object.
    static func object(_ members: (inout JSONWriter) -> Void) -> Answer {
        var writer = JSONWriter()
        writer.object(members)
        return .ok(writer.body)
    }

    static func refused(_ refusal: Refusal) -> Answer { refusal.answer }
}
