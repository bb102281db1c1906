import SquallBackend
import SquallHTTP
import Testing

@testable import SquallCases

@Suite("Routes")
struct RouteTests {
    @Test(
        "Every row of the contract is found by its method and path",
        arguments: SquallCases.Operation.all)
    func everyRow(operation: SquallCases.Operation) {
        let names = operation.path.split(separator: "/").map { name -> String in
            name == "{path}" ? "posts/a.png" : name.hasPrefix("{") ? "x\(name.count)" : String(name)
        }
        let path = "/" + names.joined(separator: "/")
        let found = Self.find(operation.method, path, in: operation.year)
        #expect(found?.operation.name == operation.name)
        #expect(found?.operation.path == operation.path)
    }

    @Test("A percent sign is seen wherever it stands, and no other byte for one", arguments: 0..<20)
    func percentSign(length: Int) {
        let others = (0..<length).map { UInt8([0x24, 0x26, 0xA5, 0, 0xFF][$0 % 5]) }
        #expect(!others.withUnsafeBufferPointer(\.hasPercentSign))
        for place in 0..<length {
            var bytes = others
            bytes[place] = UInt8(ascii: "%")
            #expect(bytes.withUnsafeBufferPointer(\.hasPercentSign))
        }
    }

    @Test("The contract has 28 calls of 2024 and 23 of 2023, each with its own method and path")
    func rows() {
        #expect(Operation.year2024.count == 28 && Operation.year2023.count == 23)
        let ways = Operation.all.map { "\($0.method) \($0.path)" }
        #expect(Set(ways).count == ways.count)
        let called = Operation.year2024.map(\.name)
        #expect(Set(called) == Set(ContractCall.allCases))
    }

    @Test(
        "A fixed name goes before a variable one, and what fits no row is unknown",
        arguments: [
            (.get, "/v1/posts/hashtags", .hashtags, ""), (.get, "/v1/posts/abc", .post, "abc"),
            (.put, "/v1/posts/hashtags", .editPost, "hashtags"),
            (.get, "//v1///posts/abc//", .post, "abc"), (.get, "/v1/posts/a/b", nil, ""),
            (.get, "/v1/uploads", nil, ""), (.get, "/v1/uploads/a/b/c", .file, "a/b/c"),
            (.get, "/v1", nil, ""), (.get, "/", nil, ""),
            (HTTPMethod(rawValue: "get"), "/v1/posts", nil, ""),
        ] as [(HTTPMethod, String, ContractCall?, String)])
    func precedence(method: HTTPMethod, path: String, call: ContractCall?, id: String) {
        let found = Self.find(method, path, in: .year2024)
        #expect(found?.operation.name == call)
        #expect(found?.route.first ?? "" == id)
    }

    @Test("The paths of 2023 are its own")
    func older() {
        let like = Self.find(.post, "/post/like/abc", in: .year2023)
        #expect(like?.operation.name == .like && like?.route.first == "abc")
        #expect(Self.find(.get, "/post/like/me", in: .year2023)?.operation.name == .likes)
        #expect(Self.find(.get, "/post/like/me", in: .year2024) == nil)
    }

    @Test("A route finds both variables of a path")
    func names() throws {
        let found = Self.find(.delete, "/v1/posts/first/comments/second", in: .year2024)
        let route = try #require(found?.route)
        #expect(route.first == "first" && route.second == "second")
    }

    @Test("A path without a variable has one route, and so has a path that is asked for often")
    func objects() {
        let router = Router(["/a", "/b/{id}"].map { EndpointDescription($0, .get, $0) })
        func found(_ path: String) -> Route? {
            router.route(URLRequest(url: WebURL(origin: "http://h", path: path)))
        }
        #expect(found("/a") != nil && found("/a") === found("//a"))
        for number in 0..<600 { #expect(found("/b/\(number)")?.first == "\(number)") }
        #expect(found("/b/7") === found("/b/7") && found("/b/7") !== found("/b/8"))
    }

    @Test("A variable with fixed ends goes before one alone, and behind a fixed name")
    func ends() {
        let paths = ["/a/{id}", "/a/{sid}.json", "/a/all.json", "/a/tile-{n}.png"]
        let router = Router(paths.map { EndpointDescription($0, .get, $0) })
        func found(_ path: String) -> String? {
            router.route(URLRequest(url: WebURL(origin: "http://h", path: path))).map {
                "\(paths[$0.row]) \($0.first)"
            }
        }
        #expect(found("/a/x.json") == "/a/{sid}.json x")
        #expect(found("/a/all.json") == "/a/all.json ")
        #expect(found("/a/tile-7.png") == "/a/tile-{n}.png 7")
        #expect(found("/a/.json") == "/a/{id} .json")
        #expect(found("/a/tile-.png") == "/a/{id} tile-.png")
    }

    private static func find(
        _ method: HTTPMethod, _ path: String, in year: ContractYear
    ) -> (operation: SquallCases.Operation, route: Route)? {
        let request = URLRequest(url: WebURL(origin: "http://h", path: path), method: method)
        let route = Router(ContractService.endpoints(of: year)).route(request)
        return route.map { (Operation.all.filter { $0.year == year }[$0.row], $0) }
    }
}
