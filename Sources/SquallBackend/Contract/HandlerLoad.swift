import SquallHTTP
import SquallKernel

/// The contract alone under one request again and again, to measure what its handlers cost.
public struct HandlerLoad {
    /// What is asked for.
    public enum Call: Sendable, Hashable {
        /// A user's own payments, of which there are none.
        case ownPayments
        /// A like that is set and taken back in turn.
        case like
        /// A refresh.
        case refresh
        /// Twenty posts of a list at a depth in it.
        case page(depthPercent: Int)
    }

    private var contract: Contract
    private let posts: Int
    private let now = Instant(nanoseconds: 1_000_000_000)

    /// A server of one kind of post, otherwise as configured.
    public init(posts: Int, _ configuration: BackendConfiguration) {
        var configuration = configuration
        configuration.content.novels = 0
        configuration.content.bookPosts = posts
        (configuration.content.giftQuestions, configuration.content.outfits) = (0, 0)
        contract = Contract(configuration, randomness: RandomStream(seed: 1))
        self.posts = posts
    }

    /// Answers a call a number of times.
    ///
    /// - Precondition: every answer is a success.
    public mutating func run(_ call: Call, times: Int) {
        var request = URLRequest(url: WebURL(origin: "http://localhost", path: "/"))
        request.setValue("scrolly-key", forHTTPHeaderField: "SesacKey")
        for (name, kind) in [("Authorization", TokenMint.Kind.access), ("Refresh", .refresh)] {
            let token = contract.tokens.issue(kind, to: 7, at: now).token
            request.setValue(token, forHTTPHeaderField: name)
        }
        let bodies = address(call, &request)
        for ordinal in 0..<times {
            request.body = bodies[ordinal % bodies.count]
            let answer = contract.answer(request, Route(request), at: now)
            precondition(answer.status == 200, "\(call) was answered with \(answer.status)")
        }
    }

    /// Addresses a request, and says which bodies it brings in turn.
    private func address(_ call: Call, _ request: inout URLRequest) -> [Body] {
        switch call {
        case .ownPayments: request.url.path = "/v1/payments/me"
        case .refresh: request.url.path = "/v1/auth/refresh"
        case .like:
            request.url.path = "/v1/posts/\(contract.posts.id(at: posts / 2).text)/like"
            request.method = .post
            return [true, false].map { Body("{\"like_status\":\($0)}") }
        case .page(let percent):
            let newest = posts - 1
            let cursor = contract.posts.id(at: newest - newest * percent / 100)
            request.url.path = "/v1/posts"
            request.url.query = "limit=20&next=\(cursor.text)"
        }
        return [.empty]
    }
}
