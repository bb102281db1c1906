import SquallBackend
import SquallHTTP
import TestSupport
import Testing

@testable import SquallCases

@Suite("Lists of posts from before the run")
struct SeededListsTests {
    @Test("Changes to seeded posts in one world show in no other")
    func worldsApart() throws {
        let before = try firstPage(of: TestServer())
        let changed = TestServer()
        for id in before.prefix(2) {
            #expect(changed.send(.delete, "/v1/posts/\(id)", token: nil).status == 200)
        }
        #expect(try firstPage(of: changed).first == before[2])
        #expect(try firstPage(of: TestServer()) == before)
    }

    @Test("Seeded lists differ with content, number of users or seed")
    func others() throws {
        var content = ContentPlan()
        content.novels += 1
        let pages = try [
            firstPage(of: TestServer()), firstPage(of: TestServer(content: content)),
            firstPage(of: TestServer()),
        ]
        #expect(pages[0] == pages[2] && pages[0] != pages[1])
        let few = TestServer(userCount: 2).contract.posts.ids(of: 1)
        let many = TestServer(userCount: 50).contract.posts.ids(of: 1)
        #expect(few != many)
    }

    @Test("An author's identifiers are those of the posts there are now, in each world")
    func identifiers() throws {
        let (changed, untouched) = (TestServer(), TestServer())
        let before = try posts(in: changed)
        #expect(before.count > 2 && before == changed.contract.posts.ids(of: 0).map(\.text))
        #expect(changed.send(.delete, "/v1/posts/\(before[1])", token: nil).status == 200)
        #expect(try posts(in: changed) == [before[0]] + before[2...])
        #expect(try posts(in: untouched) == before)
    }

    /// What the first user's profile says of posts.
    private func posts(in server: TestServer) throws -> [String] {
        let profile = try server.send(.get, "/v1/users/me/profile").object()
        return try #require(profile["posts"] as? [String])
    }

    /// The newest posts of the first user.
    private func firstPage(of server: TestServer) throws -> [String] {
        let page = try server.send(.get, "/v1/posts/users/\(server.userID(0))?limit=5").object()
        return (page["data"] as? [[String: Any]] ?? []).compactMap { $0["post_id"] as? String }
    }
}
