import SquallHTTP
import Testing

@testable import SquallCases

@Suite("What only the server knows")
struct AuditTests {
    private let server = TestServer()

    private func count(of product: String, _ numbers: ClosedRange<Int>) -> Int {
        server.contract.posts.count(ofProduct: product, numbered: numbers)
    }

    @Test("Posts of one kind are counted between two of them, deleted ones left out")
    func counted() throws {
        let page = try server.send(.get, "/v1/posts?limit=50&product_id=novelInfo").object()
        let posts = page["data"] as? [[String: Any]] ?? []
        let ids = posts.compactMap { $0["post_id"] as? String }.compactMap {
            ObjectID(.post, text: $0)
        }
        let (newest, oldest) = try (#require(ids.first?.number), #require(ids.last?.number))
        #expect(ids.count == 20 && count(of: "novelInfo", oldest...newest) == 20)
        server.contract.posts.delete(ids[7])
        #expect(count(of: "novelInfo", oldest...newest) == 19)
        #expect(count(of: "novelInfo", newest...newest) == 1)
        #expect(count(of: "nothing", oldest...newest) == 0)
    }
}
