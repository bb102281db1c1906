import SquallCases
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices

/// The contract alone under one repeated request, to measure the cost of its handlers.
struct HandlerLoad {
    /// The request.
    enum Call: Hashable {
        /// A user's own payments; the user has none.
        case ownPayments
        /// A like, set and removed in turn.
        case like
        /// A refresh.
        case refresh
        /// Twenty posts of a list at a depth.
        case page(depthPercent: Int)
    }

    private let service: ContractService
    private let router: Router
    private let tokens = TokenMint(
        policy: BackendPlan.standard.tokens, randomness: RandomStream(seed: 1))
    private let posts: Int
    private let now = Instant(nanoseconds: 1_000_000_000)

    /// A server with one kind of post.
    init(posts: Int) {
        var plan = ServicesPlan.standard
        plan.userCount = 100_000
        plan.contract.content.novels = 0
        plan.contract.content.bookPosts = posts
        (plan.contract.content.giftQuestions, plan.contract.content.outfits) = (0, 0)
        service = ContractService(.year2024, plan: plan, randomness: RandomStream(seed: 1))
        router = Router(service.endpoints)
        self.posts = posts
    }

    /// Answers a call a number of times.
    ///
    /// - Precondition: every answer is a success.
    func run(_ call: Call, times: Int) {
        var request = URLRequest(url: WebURL(origin: "http://localhost", path: "/"))
        request.setValue("scrolly-key", forHTTPHeaderField: "SesacKey")
        for (name, kind) in [("Authorization", TokenMint.Kind.access), ("Refresh", .refresh)] {
            let token = tokens.issue(kind, to: 7, at: now).token
            request.setValue(token, forHTTPHeaderField: name)
        }
        let bodies = address(call, &request)
        let scene = ServiceScene(now: now, user: 7, tokens: tokens)
        for ordinal in 0..<times {
            request.body = bodies[ordinal % bodies.count]
            let route = service.route(request, by: router)
            let answer = service.answer(request, to: route, in: scene)
            precondition(
                service.meaning(of: answer, to: route) == .success,
                "\(call) was answered \(answer.status)")
        }
    }

    /// Sets a request's address, and returns the bodies that it sends in turn.
    private func address(_ call: Call, _ request: inout URLRequest) -> [Body] {
        switch call {
        case .ownPayments: request.url.path = "/v1/payments/me"
        case .refresh: request.url.path = "/v1/auth/refresh"
        case .like:
            request.url.path = "/v1/posts/\(service.postID(posts / 2))/like"
            request.method = .post
            return [true, false].map { Body("{\"like_status\":\($0)}") }
        case .page(let percent):
            let newest = posts - 1
            let cursor = service.postID(newest - newest * percent / 100)
            request.url.path = "/v1/posts"
            request.url.query = "limit=20&next=\(cursor)"
        }
        return [.empty]
    }
}
