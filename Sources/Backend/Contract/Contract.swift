internal import HTTP
internal import Kernel

/// The 2024 server's answers: every check in its order, every endpoint in its own method.
///
/// It knows nothing of networks, queues or faults. Its state changes at the instant it answers.
struct Contract {
    static let key = "scrolly-key"
    static let defaultLimit = 5
    static let limitMax = 50

    let users: Users
    var posts: PostStore
    var tokens: TokenMint
    var ledger: PaymentLedger
    let caching: Bool
    private var commentsMade = 0

    init(users: Users, posts: PostStore, tokens: TokenMint, ledger: PaymentLedger, caching: Bool) {
        self.users = users
        self.posts = posts
        self.tokens = tokens
        self.ledger = ledger
        self.caching = caching
    }

    /// Answers a request: the key first, then the route, the token, and what the endpoint checks.
    mutating func answer(_ request: URLRequest, _ route: Route, at now: Instant) -> Answer {
        guard request.value(forHTTPHeaderField: "SesacKey") == Contract.key else {
            return .refused(.wrongKey)
        }
        switch route.endpoint {
        case .unknown: return .refused(.unknownRoute)
        case .login: return logIn(request, at: now)
        case .refresh: return refresh(request, at: now)
        default: break
        }
        let token = request.value(forHTTPHeaderField: "Authorization") ?? ""
        switch tokens.judge(token, as: .access, at: now) {
        case .unverifiable: return .refused(.unverifiableAccessToken)
        case .expired(let user):
            return .refused(users.contains(user) ? .accessTokenExpired : .forbidden)
        case .valid(let user):
            guard users.contains(user) else { return .refused(.forbidden) }
            return answer(request, route, from: user, at: now)
        }
    }

    private mutating func answer(
        _ request: URLRequest, _ route: Route, from user: Int, at now: Instant
    ) -> Answer {
        switch route.endpoint {
        case .posts, .hashtags: list(request, route.endpoint)
        case .likes, .likes2: likedList(request, second: route.endpoint == .likes2, by: user)
        case .post: show(route)
        case .createComment: comment(request, route, by: user, at: now)
        case .deleteComment: deleteComment(route, by: user)
        case .like, .like2: like(request, route, by: user)
        case .validatePayment: validatePayment(request, by: user, at: now)
        case .payments: .ok(ledger.list(of: user, users))
        case .file: file(request)
        case .login, .refresh, .unknown: .refused(.unknownRoute)
        }
    }

    /// The key of a request that is right, for an address there is; no other counts as a call.
    func key(of request: URLRequest, _ route: Route) -> String? {
        guard request.value(forHTTPHeaderField: "SesacKey") == Contract.key,
            route.endpoint != .unknown
        else { return nil }
        return Contract.key
    }

    /// The next comment's identifier.
    mutating func makeCommentID(at now: Instant) -> ObjectID {
        commentsMade += 1
        return ObjectID(.comment, number: commentsMade & 0xFF_FFFF, at: now)
    }
}
