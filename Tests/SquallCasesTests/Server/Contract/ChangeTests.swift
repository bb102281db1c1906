import SquallHTTP
import SquallKernel
import TestSupport
import Testing

import SquallBackend
@testable import SquallCases

@Suite("Changes that calls make")
struct ChangeTests {
    private let server = TestServer(years: ContractYear.allCases)

    @Test("In 2023 a post comes with its files in one form, and a like turns round")
    func year2023() throws {
        var form = MultipartFormData.files("file", [("a.jpg", 9)])
        form.append(Body("#ootd now"), withName: "content")
        let post = try server.send(.post, "/post", form: form).object()
        #expect(post["image"] as? [String] == ["uploads/posts/1725148805000.jpg"])
        #expect(post["hashTags"] as? [String] == ["ootd"] && post["likes2"] == nil)
        let id = try #require(post["_id"] as? String)
        let likes = (0..<3).map { _ in server.send(.post, "/post/like/\(id)").body.text }
        #expect(likes == [true, false, true].map { "{\"like_status\":\($0)}" })
        #expect(server.send(.get, "/uploads/posts/1725148805000.jpg").body.count == 9)
        #expect(server.send(.delete, "/post/\(id)").body.text == "{\"_id\":\"\(id)\"}")
    }

    @Test("An edit changes what it names, and moves the post to the lists of its new tags")
    func edit() throws {
        let created = server.send(
            .post, "/v1/posts", body: ##"{"title":"a","content":"#one","product_id":"p"}"##)
        let id = try #require(try created.object()["post_id"] as? String)
        let edited = server.send(.put, "/v1/posts/\(id)", body: ##"{"content":"#two","price":7}"##)
        #expect(try edited.object()["title"] as? String == "a")
        let counts = try ["one", "two"].map { tag in
            let page = server.send(.get, "/v1/posts/hashtags?product_id=p&hashTag=\(tag)")
            return (try page.object()["data"] as? [Any])?.count
        }
        #expect(counts == [0, 1])
    }

    @Test("A cursor whose post was deleted goes on where the page ended")
    func deletedCursor() throws {
        let ids = try (0..<5).map { _ in
            try server.send(.post, "/v1/posts", body: #"{"product_id":"p"}"#).object()["post_id"]
                as? String ?? ""
        }
        #expect(server.send(.delete, "/v1/posts/\(ids[3])").status == 200)
        let page = try server.send(.get, "/v1/posts?product_id=p&limit=2&next=\(ids[3])").object()
        let shown = (page["data"] as? [[String: Any]])?.compactMap { $0["post_id"] as? String }
        #expect(shown == [ids[2], ids[1]] && page["next_cursor"] as? String == ids[1])
        #expect(server.send(.get, "/v1/posts/\(ids[3])").status == 410)
    }

    @Test("A user who withdraws is unknown at once, has no followers, and frees the name")
    func withdrawal() throws {
        let token = server.token(of: 1)
        #expect(server.send(.post, "/v1/follow/\(server.userID(1))").status == 200)
        #expect(server.send(.get, "/v1/users/withdraw", token: token).status == 200)
        #expect(server.send(.get, "/v1/posts", token: token).status == 403)
        let me = try server.send(.get, "/v1/users/me/profile").object()
        #expect((me["following"] as? [Any])?.isEmpty == true)
        let again = #"{"email":"reader1@squall.test","password":"p","nick":"reader1"}"#
        #expect(server.send(.post, "/v1/users/join", body: again).status == 200)
        #expect(server.send(.post, "/v1/users/join", body: again).status == 409)
    }

    @Test("A new name shows in the posts and comments that were written under the old one")
    func renaming() throws {
        let post = try server.postID()
        #expect(server.send(.get, "/v1/posts/\(post)").body.text.contains("\"reader0\""))
        let renamed = server.send(.put, "/v1/users/me/profile", form: .texts(["nick": "fresh"]))
        #expect(renamed.status == 200)
        #expect(server.send(.get, "/v1/posts/\(post)").body.text.contains("\"fresh\""))
    }

    @Test("Liked posts come latest like first, and a cursor outlives its like")
    func likedPages() throws {
        let page = try server.send(.get, "/v1/posts?limit=4").object()
        let ids = (page["data"] as? [[String: Any]] ?? []).compactMap { $0["post_id"] as? String }
        for id in ids {
            _ = server.send(.post, "/v1/posts/\(id)/like", body: #"{"like_status":true}"#)
        }
        _ = server.send(.post, "/v1/posts/\(ids[2])/like", body: #"{"like_status":false}"#)
        let rest = try server.send(.get, "/v1/posts/likes/me?next=\(ids[2])").object()
        let shown = (rest["data"] as? [[String: Any]])?.compactMap { $0["post_id"] as? String }
        #expect(shown == [ids[1], ids[0]])
    }

    @Test("Lists show a seeded post as the post itself does", arguments: [0, 1, 300, 900])
    func seededEntries(number: Int) {
        let content = SeededContent(
            ContentPlan(), userCount: 9, randomness: .init(seed: 1))
        let (entry, post) = (content.entry(number), content.post(number))
        #expect(entry.hashTags == post.hashTags && entry.author == post.author)
        #expect(entry.productID == post.productID)
    }
}
