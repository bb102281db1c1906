public import SquallServices
public import SquallBackend
public import SquallHTTP
public import SquallKernel

/// The contract of one year: **start here** to read the apps' own server.
///
/// Both years share one state, where both are served.
public final class ContractService: Service {
    /// `contract 2024`.
    public let name: String
    /// The address of the year's server.
    public let origins: [String]
    /// The year's rows, in their order.
    public let endpoints: [EndpointDescription]
    /// The audits of the whole contract; only one of its years brings them.
    public let audits: [any Audit]
    private let year: ContractYear
    private let state: ContractState

    /// The contract of a year on a state; only one of the years on a state should bring audits.
    init(_ year: ContractYear, on state: ContractState, bringsAudits: Bool) {
        self.year = year
        self.state = state
        name = "contract \(year.rawValue)"
        origins = [year.origin]
        endpoints = ContractService.endpoints(of: year)
        audits = bringsAudits ? ContractAudits.all(of: state) : []
    }

    /// The contract of a year by itself, on a state of its own.
    public convenience init(
        _ year: ContractYear, plan: ServicesPlan, randomness: RandomStream
    ) {
        let contract = Contract(
            plan.contract, userCount: plan.userCount, randomness: randomness)
        self.init(year, on: ContractState(contract), bringsAudits: true)
    }

    /// The calls of a year as endpoints of a service.
    static func endpoints(of year: ContractYear) -> [EndpointDescription] {
        switch year {
        case .year2023: endpoints2023
        case .year2024: endpoints2024
        }
    }

    private static let endpoints2023 = described(Operation.year2023)
    private static let endpoints2024 = described(Operation.year2024)

    private static func described(_ rows: [Operation]) -> [EndpointDescription] {
        rows.map { EndpointDescription($0.name.rawValue, $0.method, $0.path, role: $0.name.role) }
    }

    /// The contract's response; a call to an unknown address gets the contract's refusal.
    public func answer(
        _ request: URLRequest, to route: Route?, in scene: ServiceScene
    ) -> Answer {
        state.contract.answer(request, to: route, of: year, in: scene)
    }

    /// The contract's response to a failure.
    public func answer(to error: ServiceError) -> Answer { ContractService.words(for: error) }

    /// The contract's response to a failure; that for a full queue is not in the real contract.
    public static func words(for error: ServiceError) -> Answer {
        switch error {
        case .overloaded(let seconds): Answer.refused(.overloaded).retryAfter(seconds: seconds)
        case .tooManyCalls(let seconds): Answer.refused(.tooManyCalls).retryAfter(seconds: seconds)
        case .failure(let status): Answer(status: status, body: Refusal.serverError.answer.body)
        case .accessTokenExpired: .refused(.accessTokenExpired)
        case .signedOut: .refused(.refreshTokenExpired)
        }
    }

    /// The calls of either year that need a good access token.
    static let callsWithToken = Set(
        (Operation.year2023 + Operation.year2024).filter { $0.access == .accessToken }
            .map(\.name.rawValue))

    /// True for a route that needs a good access token.
    public func needsToken(_ route: Route) -> Bool {
        Operation.calls(of: year)[route.row].access == .accessToken
    }

    /// 419 says that the access token has expired, 418 that the refresh token has.
    public func meaning(of answer: Answer, to route: Route?) -> AnswerMeaning {
        switch answer.status {
        case Refusal.accessTokenExpired.status: .expired
        case Refusal.refreshTokenExpired.status: .signedOut
        default: AnswerMeaning(classOf: answer.status)
        }
    }

    /// The token's user and the key; a call counts only with a right key and address.
    public func caller(
        of request: URLRequest, to route: Route?, in scene: ServiceScene
    ) -> Caller? {
        guard route != nil, let key = state.contract.key(of: request) else { return nil }
        let access = Call.tokens(in: request).access ?? ""
        return Caller(user: scene.tokens.user(of: access), key: key)
    }

    /// The bare tokens, without a scheme.
    public func tokens(in request: URLRequest, to route: Route?) -> TokenTexts? {
        Call.tokens(in: request)
    }

    /// The tokens in the response to a sign-in or a refresh.
    public func tokens(in answer: Answer, to route: Route?) -> TokenTexts? {
        guard let route, endpoints[route.row].role != .ordinary else { return nil }
        return year.form.tokens(in: answer, by: year.form.delivery)
    }

    /// The accounts of the contract, those from before the run included.
    public var accounts: (any Accounts)? { state }

    /// The identifier of a post by its number, in the order in which posts were made.
    public func postID(_ number: Int) -> String { state.contract.posts.id(at: number).text }
}

/// The state that the years of the contract share with the payment provider.
final class ContractState: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    // Unchecked, as no access lasts while other code runs.
    @exclusivity(unchecked) var contract: Contract

    init(_ contract: Contract) {
        self.contract = contract
        self.contract.lists.state = self
    }
}

extension ContractState: Accounts {
    func credentials(of user: UInt64) -> (email: String, password: String) {
        (contract.users.email(Int(user)), contract.users.password(Int(user)))
    }

    func signIn(
        _ user: UInt64, accessLifetime: Int64?, at now: Instant, tokens: TokenMint
    ) -> SignedInUser {
        let access = tokens.issue(.access, to: Int(user), at: now, lifetime: accessLifetime)
        let refresh = tokens.issue(.refresh, to: Int(user), at: now)
        let users = contract.users
        return SignedInUser(
            userID: users.id(Int(user)), email: users.email(Int(user)),
            nick: users.nick(Int(user)), accessToken: access.token, refreshToken: refresh.token)
    }
}

/// Knows the items of the contract's lists, and does not keep the contract, since known pages of
/// the contract keep it.
final class ContractLists: ListKeeper, @unchecked Sendable {
    // Safe because it is set once, before anything else happens.

    fileprivate unowned var state: ContractState?

    func items(of list: ListID) -> [Int32] {
        guard case .posts(let selection) = list.key as? PostList, let state else { return [] }
        return state.contract.posts.numbers(of: selection)
    }
}

enum PostList: Hashable, Sendable {
    /// Posts by product, author or hashtag.
    case posts(PostStore.Selection)
    /// The posts that a user likes; its items are not named.
    case liked(user: Int, isSecond: Bool)
}
