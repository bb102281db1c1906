import Foundation
import SquallBackend
import SquallHTTP
import TestSupport
import Testing

@testable import SquallServices

@Suite("Lists of posts from before the run")
struct SeededListsTests {
    @Test("What happens to them in one world shows in no other")
    func worldsApart() throws {
        let before = try firstPage(of: TestServer())
        let changed = TestServer()
        for id in before.prefix(2) {
            #expect(changed.send(.delete, "/v1/posts/\(id)", token: nil).status == 200)
        }
        #expect(try firstPage(of: changed).first == before[2])
        #expect(try firstPage(of: TestServer()) == before)
    }

    @Test("Other content, users or randomness has other lists")
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

    /// The newest posts of the first user.
    private func firstPage(of server: TestServer) throws -> [String] {
        let page = try server.send(.get, "/v1/posts/users/\(server.userID(0))?limit=5").object()
        return (page["data"] as? [[String: Any]] ?? []).compactMap { $0["post_id"] as? String }
    }
}
