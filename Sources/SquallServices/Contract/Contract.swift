import SquallBackend
import SquallHTTP
import SquallKernel

/// The contract's answers: every check in its order, every endpoint in its own method.
///
/// Its state changes at the instant it answers. The rows of ``Operation/all`` describe the calls.
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

    /// Answers a request: the key first, then the route, the token, and what the endpoint checks.
    mutating func answer(
        _ request: URLRequest, to route: Route?, of year: ContractYear, in scene: ServiceScene,
        keeper: (any ListKeeper)? = nil
    ) -> Answer {
        do throws(Refusal) {
            guard key(of: request) != nil else { throw .wrongKey }
            guard let route else { throw .unknownRoute }
            var call = Call(
                request: request, route: route, name: Operation.calls(of: year)[route.row],
                year: year, tokens: scene.tokens, keeper: keeper, now: scene.now)
            if call.name.access == .accessToken { call.user = try user(of: call) }
            return try perform(call)
        } catch {
            return .refused(error)
        }
    }

    private mutating func perform(_ call: Call) throws(Refusal) -> Answer {
        let isOld = call.year == .year2023
        return switch call.name {
        case .join: try join(call)
        case .validateEmail: try validateEmail(call)
        case .login: try logIn(call)
        case .refresh: try refresh(call)
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
    private func user(of call: Call) throws(Refusal) -> Int {
        let token = Call.accessToken(in: call.request) ?? ""
        switch call.tokens.judge(token, as: .access, at: call.now) {
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
