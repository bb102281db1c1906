import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Routers")
struct RouterTests {
    enum Books: TargetType {
        case list(limit: Int, tag: String?)
        case add(String)

        var origin: String { "http://books.kr" }
        var path: String { "/v1/books" }
        var method: HTTPMethod { if case .add = self { .post } else { .get } }
        var query: [(name: String, value: String?)] {
            guard case .list(let limit, let tag) = self else { return [] }
            return [("limit", "\(limit)"), ("tag", tag)]
        }
        func body() -> Body { if case .add(let name) = self { Body(name) } else { .empty } }
    }

    @Test("A target's parts make its request, absent pairs left out and the rest escaped")
    func target() throws {
        let list = try Books.list(limit: 5, tag: "로 a&b").asURLRequest()
        #expect(
            list.url.absoluteString
                == "http://books.kr/v1/books?limit=5&tag=%EB%A1%9C%20a%26b")
        let plain = try Books.list(limit: 5, tag: nil).asURLRequest()
        #expect(plain.url.query == "limit=5" && plain.method == .get)
        let add = try Books.add("x").asURLRequest()
        #expect(add.url.query == nil && add.method == .post && add.body.text == "x")
    }
}
