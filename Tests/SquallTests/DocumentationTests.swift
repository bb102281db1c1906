import Foundation
import Squall
import Testing

@Suite("What the README and the first article say")
struct DocumentationTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL
    static let article = "Sources/Squall/Squall.docc/AFailingTestInTenLines.md"

    static func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// The test that the article shows; it says that it fails.
    static func mainScreen() throws -> WorldRun {
        let run = try simulate(seed: 1) { world in
            let server = world.mount(
                TokenService(.bearer, routes: [.get("/posts", json: "[]"), .get("/profile")]))
            let session = URLSession(configuration: server.urlSessionConfiguration)
            let tokens = server.expiredTokens()
            let api = MyAPI(
                base: server.url, session: session, access: tokens.access, refresh: tokens.refresh)
            async let posts = api.posts()
            async let profile = api.profile()
            _ = try await (posts, profile)
        }
        return run
    }

    private static func block(_ word: String) throws -> Substring {
        let blocks = try read(article).matches(of: /```swift\n((?:.|\n)*?)```/).map { $0.1 }
        return try #require(blocks.first { $0.contains(word) })
    }

    @Test("The first article's server is compiled; a request that it does not have is named")
    func server() throws {
        let service: TokenService = {
            var form = TokenForm.bearer
            form.logIn.path = "/v1/login"
            form.logIn.userField = "username"
            form.refresh.path = "/v1/token"
            form.refresh.isForm = true
            form.delivery = .json(access: "accessToken", refresh: "refreshToken", lifetime: nil)
            var service = TokenService(form, routes: [.get("/posts", json: "[]")])
            service.repeatsRefreshToken = true
            return service
        }()
        let own = try Self.read("Tests/SquallTests/DocumentationTests.swift")
        let shown = try Self.block("let service: TokenService").split(separator: "\n")
        let indented = shown.map { "        " + $0 }.joined(separator: "\n")
        #expect(own.contains(indented))
        let run = try simulate { world in
            let server = world.mount(service)
            _ = try await server.send("POST", "/auth/refresh")
            _ = try await server.send("GET", "/posts")
        }
        let first = """
            the service has no POST /auth/refresh; it has POST /v1/login (sign-in), POST /v1/token \
            (refresh), POST /oauth/revoke, GET /posts

            """
        #expect("\(run)".hasPrefix(first), "\(run)")
    }

    @Test("A sign-in with an account that the service has not is told one that it has")
    func accounts() throws {
        let run = try simulate { world in
            let server = world.mount(TokenService(.bearer, routes: []))
            for name in ["kim@example.com", server.credentials().email] {
                let form = "grant_type=password&username=\(name)&password=password-0"
                _ = try await server.send(
                    "POST", "/oauth/token",
                    headers: [("Content-Type", "application/x-www-form-urlencoded")],
                    body: Array(form.utf8))
            }
        }
        #expect(run.log.map(\.status) == [400, 200])
        let first = """
            the service refused a sign-in; its accounts are those of credentials(user:), such as \
            user0@example.com with password-0

            """
        #expect("\(run)".hasPrefix(first), "\(run)")
    }

    @Test("The first article shows the test that is compiled")
    func snippet() throws {
        let shown = try Self.block("mainScreenRefreshesOnce")
        let own = try Self.read("Tests/SquallTests/DocumentationTests.swift")
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let body = shown.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .drop { !$0.hasPrefix("let run") }.prefix { !$0.hasPrefix("#expect") }
        #expect(body.count > 8)
        for line in body { #expect(own.contains(line), "\(line)") }
    }

    @Test("The README's drill is that of the article about drills")
    func drill() throws {
        let blocks = try ["README.md", "Sources/Squall/Squall.docc/DrillYourClient.md"].map {
            path in
            try Self.read(path).matches(of: /```swift\n((?:.|\n)*?)```/).map { String($0.1) }
                .first { $0.contains("try drill(over: service)") }
        }
        #expect(blocks[0] != nil && blocks[0] == blocks[1])
    }

    @Test("The first article's output is what its test prints")
    func output() throws {
        let run = try Self.mainScreen()
        #expect(run.refreshes == 2 && run.redundantRefreshes == 1)
        let shown = try Self.read(Self.article).split(separator: "\n").drop {
            !$0.hasPrefix("race:")
        }
        let lines = shown.prefix { !$0.hasPrefix("```") }.filter { $0 != "…" }
        #expect(lines.count == 3)
        #expect(run.description.split(separator: "\n").starts(with: lines), "\(run)")
    }
}
