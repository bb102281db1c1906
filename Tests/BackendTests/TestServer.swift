import Foundation
import HTTP
import Kernel

@testable import Backend

/// The contract alone, without network or queue, and requests to put to it.
final class TestServer {
    var contract: Contract
    var now = Instant(nanoseconds: 5_000_000_000)

    init(userCount: Int = 5, policy: TokenPolicy = TokenPolicy(), caching: Bool = true) {
        let root = RandomStream(seed: 1)
        var posts = PostStore(userCount: userCount)
        ScrollyContent(plan: ContentPlan(), randomness: root).write(into: &posts)
        contract = Contract(
            users: Users(count: userCount), posts: posts,
            tokens: TokenMint(policy: policy, randomness: root), ledger: PaymentLedger(),
            caching: caching)
    }

    /// A fresh access token of a user.
    func token(of user: Int = 0) -> String {
        contract.tokens.issue(.access, to: user, at: now).token
    }

    /// Answers a request made of its parts; a token of `nil` means a fresh one of user 0.
    func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, refresh: String? = nil,
        key: String? = "scrolly-key", body: String = ""
    ) -> Answer {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var request = URLRequest(
            url: WebURL(
                origin: "http://h", path: parts[0], query: parts.count > 1 ? parts[1] : nil),
            method: method, body: Body(body))
        request.setValue(key, forHTTPHeaderField: "SesacKey")
        request.setValue(token ?? self.token(), forHTTPHeaderField: "Authorization")
        request.setValue(refresh, forHTTPHeaderField: "Refresh")
        return contract.answer(request, Route(request), at: now)
    }

    /// The identifier of a free episode and of a novel, as the lists show them.
    func postID(_ product: String = "novelEpisode") throws -> String {
        let page = try send(.get, "/v1/posts?limit=1&product_id=\(product)").object()
        let posts = page["data"] as? [[String: Any]]
        return posts?.first?["post_id"] as? String ?? ""
    }
}

extension Answer {
    /// The body as a JSON object.
    func object() throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(body.bytes))
        return value as? [String: Any] ?? [:]
    }

    /// The message of a refusal.
    var message: String { (try? object())?["message"] as? String ?? "" }
}
