import Foundation
import SquallHTTP
import SquallKernel
import TestSupport

import SquallBackend
@testable import SquallCases

/// The contract alone, without network or queue, and requests to put to it.
final class TestServer: @unchecked Sendable {
    // Safe because a test asks it on one thread.

    private let state: ContractState
    let tokens: TokenMint
    private let years: [(year: ContractYear, router: Router)]
    var now = Instant(nanoseconds: 5_000_000_000)

    init(
        userCount: Int = 5, policy: TokenPolicy = TokenPolicy(), caching: Bool = true,
        years: [ContractYear] = [.year2024], content: ContentPlan = ContentPlan()
    ) {
        var plan = ContractPlan()
        plan.cachesEncodings = caching
        plan.content = content
        state = ContractState(
            Contract(plan, userCount: userCount, randomness: RandomStream(seed: 1)))
        tokens = TokenMint(policy: policy, randomness: RandomStream(seed: 1))
        self.years = years.map { ($0, Router(ContractService.endpoints(of: $0))) }
    }

    var contract: Contract {
        get { state.contract }
        _modify { yield &state.contract }
    }

    /// A fresh access token of a user.
    func token(of user: Int = 0) -> String {
        tokens.issue(.access, to: user, at: now).token
    }

    /// The identifier of a user.
    func userID(_ user: Int) -> String { contract.users.id(user) }

    /// Answers a request made of its parts; a token of `nil` means a fresh one of user 0.
    func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, refresh: String? = nil,
        key: String? = "scrolly-key", body: String = ""
    ) -> Answer {
        send(
            method, path, token: token, body: Body(body),
            headers: ["SesacKey": key, "Refresh": refresh])
    }

    /// Answers a request that brings a form.
    func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, form: MultipartFormData
    ) -> Answer {
        send(
            method, path, token: token, body: form.body,
            headers: ["SesacKey": "scrolly-key", "Content-Type": form.contentType])
    }

    /// Answers a request made of its parts; headers without a value are left out.
    func send(
        _ method: HTTPMethod, _ path: String, token: String?, body: Body,
        headers: KeyValuePairs<String, String?>
    ) -> Answer {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        var request = URLRequest(
            url: WebURL(
                origin: "http://h", path: parts.first ?? "/",
                query: parts.count > 1 ? parts[1] : nil),
            method: method, body: body)
        request.setValue(token ?? self.token(), forHTTPHeaderField: "Authorization")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return answer(request)
    }

    /// Answers a request as one of the years that are spoken.
    func answer(_ request: URLRequest) -> Answer {
        let (year, route) = route(of: request)
        return contract.answer(
            request, to: route, of: year, in: ServiceScene(now: now, tokens: tokens))
    }

    /// The row of a request, in one of the years that are spoken.
    func operation(of request: URLRequest) -> SquallCases.Operation? {
        let (year, route) = route(of: request)
        return route.map { Operation.all.filter { $0.year == year }[$0.row] }
    }

    private func route(of request: URLRequest) -> (ContractYear, Route?) {
        for (year, router) in years {
            if let route = router.route(request) { return (year, route) }
        }
        return (.year2024, nil)
    }

    /// The identifier of the newest post of a kind, as the lists show it.
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

extension MultipartFormData {
    /// A form of files of given names and sizes, whose bytes nobody makes.
    static func files(_ name: String, _ files: [(name: String, bytes: Int)]) -> MultipartFormData {
        var form = MultipartFormData(boundary: "fence")
        for (index, file) in files.enumerated() {
            let blob = Blob(magic: [], seed: UInt64(index), count: file.bytes)
            form.append(Body(blob), withName: name, fileName: file.name, mimeType: "image/png")
        }
        return form
    }

    /// A form of texts.
    static func texts(_ fields: KeyValuePairs<String, String>) -> MultipartFormData {
        var form = MultipartFormData(boundary: "fence")
        for (name, value) in fields { form.append(Body(value), withName: name) }
        return form
    }
}
