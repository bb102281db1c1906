import SquallHTTP
import Testing

@testable import SquallBackend

@Suite("Routes")
struct RouteTests {
    @Test("Every row of the contract is found by its method and path", arguments: Operation.all)
    func everyRow(operation: Operation) {
        let names = operation.path.split(separator: "/").map { name -> String in
            name == "{path}" ? "posts/a.png" : name.hasPrefix("{") ? "x\(name.count)" : String(name)
        }
        let route = Self.route(operation.method, "/" + names.joined(separator: "/"))
        #expect(route.endpoint == operation.endpoint)
        #expect(route.row.map { Operation.all[$0].path } == operation.path)
    }

    @Test("There are the 28 calls of 2024 and the 23 of 2023, none with the same way in")
    func rows() {
        #expect(Operation.year2024.count == 28 && Operation.year2023.count == 23)
        let ways = Operation.all.map { "\($0.method) \($0.path)" }
        #expect(Set(ways).count == ways.count)
        let called = Set(Operation.year2024.map(\.endpoint))
        #expect(called.union([.searchShop, .searchBooks, .unknown]) == Set(Endpoint.allCases))
    }

    @Test(
        "A fixed name goes before a variable one, and what fits no row is unknown",
        arguments: [
            (.get, "/v1/posts/hashtags", .hashtags, ""), (.get, "/v1/posts/abc", .post, "abc"),
            (.put, "/v1/posts/hashtags", .editPost, "hashtags"),
            (.get, "//v1///posts/abc//", .post, "abc"), (.get, "/v1/posts/a/b", .unknown, ""),
            (.get, "/v1/uploads", .unknown, ""), (.get, "/v1/uploads/a/b/c", .file, "a/b/c"),
            (.post, "/post/like/abc", .like, "abc"), (.get, "/post/like/me", .likes, ""),
            (.get, "/v1", .unknown, ""), (.get, "/", .unknown, ""),
            (HTTPMethod(rawValue: "get"), "/v1/posts", .unknown, ""),
        ] as [(HTTPMethod, String, Endpoint, String)])
    func precedence(method: HTTPMethod, path: String, endpoint: Endpoint, id: String) {
        let route = Self.route(method, path)
        #expect(route.endpoint == endpoint && route.id == id)
    }

    @Test("Both names of a path are found")
    func names() {
        let route = Self.route(.delete, "/v1/posts/first/comments/second")
        #expect(route.id == "first" && route.commentID == "second")
    }

    private static func route(_ method: HTTPMethod, _ path: String) -> Route {
        Route(URLRequest(url: WebURL(origin: "http://h", path: path), method: method))
    }
}
