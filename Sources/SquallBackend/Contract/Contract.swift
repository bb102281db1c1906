import SquallHTTP
import SquallKernel

/// The server's answers: every check in its order, every endpoint in its own method.
///
/// It knows nothing of networks, queues or faults. Its state changes at the instant it answers. The
/// rows of ``Operation/all`` say which method answers which call.
struct Contract {
    static let defaultLimit = 5
    static let limitMax = 50

    var users: Users
    var posts: PostStore
    var files = FileStore()
    var tokens: TokenMint
    var ledger = PaymentLedger()
    /// The protocols that are spoken.
    let generations: [Generation]
    /// The keys that are accepted, one for each project.
    let serviceKeys: [String]
    private var commentsMade = 0
    /// How many comments the store takes: as many as their identifiers can count.
    var commentsMax = ObjectID.numberMax

    /// The state before the run.
    init(_ configuration: BackendConfiguration, randomness: RandomStream) {
        let content = SeededContent(
            configuration.content, userCount: configuration.userCount, randomness: randomness)
        users = Users(count: configuration.userCount)
        posts = PostStore(content: content, cachesEncodings: configuration.cachesEncodings)
        tokens = TokenMint(policy: configuration.tokens, randomness: randomness)
        generations = configuration.generations
        serviceKeys = configuration.serviceKeys
    }

    /// Answers a request: the key first, then the route, the token, and what the endpoint checks.
    mutating func answer(_ request: URLRequest, _ route: Route, at now: Instant) -> Answer {
        do {
            return try perform(request, route, at: now)
        } catch {
            return .refused(error)
        }
    }

    private mutating func perform(
        _ request: URLRequest, _ route: Route, at now: Instant
    ) throws(Refusal) -> Answer {
        guard let key = request.value(forHTTPHeaderField: "SesacKey"), serviceKeys.contains(key)
        else { throw .wrongKey }
        guard let row = route.row, generations.contains(Operation.all[row].generation) else {
            throw .unknownRoute
        }
        var call = Call(
            request: request, route: route, generation: Operation.all[row].generation, now: now)
        if Operation.all[row].access == .accessToken {
            call.user = try user(of: request, at: now)
        }
        return try Operation.all[row].perform(&self, call)
    }

    /// The account whose access token a request carries.
    private func user(of request: URLRequest, at now: Instant) throws(Refusal) -> Int {
        let token = request.value(forHTTPHeaderField: "Authorization") ?? ""
        switch tokens.judge(token, as: .access, at: now) {
        case .unverifiable: throw .unverifiableAccessToken
        case .expired(let user): throw users.contains(user) ? .accessTokenExpired : .forbidden
        case .valid(let user):
            guard users.contains(user) else { throw .forbidden }
            return user
        }
    }

    /// The key of a request that is right, for an address there is; no other counts as a call.
    func key(of request: URLRequest, _ route: Route) -> String? {
        guard let key = request.value(forHTTPHeaderField: "SesacKey"), serviceKeys.contains(key),
            let row = route.row, generations.contains(Operation.all[row].generation)
        else { return nil }
        return key
    }

    /// The next comment's identifier.
    mutating func makeCommentID(at now: Instant) throws(Refusal) -> ObjectID {
        guard commentsMade < commentsMax else { throw .commentNotCreated }
        commentsMade += 1
        return ObjectID(.comment, number: commentsMade, at: now)
    }
}
