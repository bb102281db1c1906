import SquallBackend
import SquallHTTP
import SquallKernel

/// The contract's answers: every check in its order, every endpoint in its own method.
///
/// Its state changes at the instant it answers. The rows of ``Operation/all`` say which method
/// answers which call.
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
            let operation = Operation.handling(of: year)[route.row]
            var call = Call(
                request: request, route: route, name: operation.name, year: year,
                tokens: scene.tokens, keeper: keeper, now: scene.now)
            if operation.access == .accessToken { call.user = try user(of: call) }
            return try operation.perform(&self, call)
        } catch {
            return .refused(error)
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
