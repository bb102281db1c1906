import SquallHTTP
import Testing

import SquallBackend
@testable import SquallCases

@Suite("Pages")
struct PageTests {
    @Test(
        "Pages of any size show every post once, newest first, and end with 0",
        arguments: [1, 3, 7, 50])
    func wholeFeed(limit: Int) throws {
        let server = TestServer()
        var seen: [String] = []
        var cursor = ""
        repeat {
            let page = try server.send(
                .get, "/v1/posts?limit=\(limit)&product_id=novelInfo&next=\(cursor)"
            ).object()
            let posts = page["data"] as? [[String: Any]] ?? []
            #expect(posts.count <= limit)
            seen += posts.compactMap { $0["post_id"] as? String }
            cursor = try #require(page["next_cursor"] as? String)
        } while cursor != "0" && seen.count < 100
        #expect(seen.count == 20 && seen == seen.sorted().reversed() && Set(seen).count == 20)
    }

    @Test(
        "No cursor, an empty one and 0 all mean the first page; the default is five, fifty the most"
    )
    func limits() throws {
        let server = TestServer()
        let first = server.send(.get, "/v1/posts").body
        #expect(server.send(.get, "/v1/posts?next=").body == first)
        #expect(server.send(.get, "/v1/posts?next=0&limit=").body == first)
        let sizes = try ["", "?limit=50", "?limit=1000"].map { query in
            (try server.send(.get, "/v1/posts" + query).object()["data"] as? [Any])?.count
        }
        #expect(sizes == [5, 50, 50])
    }

    @Test("An empty list is a page that ends at once")
    func emptyList() {
        let answer = TestServer().send(.get, "/v1/posts?product_id=none")
        #expect(answer.body.text == #"{"data":[],"next_cursor":"0"}"#)
    }

    @Test("Hashtags are what follows a number sign up to white space, in order")
    func hashtags() throws {
        #expect(
            Hashtags.extract(from: "#도레미 a#b #모바일\n#a_:_b! # ##c") == [
                "도레미", "모바일", "a_:_b!", "#c",
            ])
        let page = try TestServer().send(
            .get, "/v1/posts/hashtags?limit=50&hashTag=%EC%86%8C%EC%84%A4_1"
        )
        .object()
        #expect((page["data"] as? [Any])?.count ?? 0 > 10)
    }

    @Test("An empty hashtag finds nothing, which is no error; without one the search is refused")
    func emptyHashtag() {
        let (empty, none) = ("/v1/posts/hashtags?limit=5&hashTag=", "/v1/posts/hashtags?limit=5")
        let found = TestServer().send(.get, empty)
        #expect(found.status == 200 && found.body.text == #"{"data":[],"next_cursor":"0"}"#)
        #expect(TestServer().send(.get, none).status == 400)
    }
}

@Suite("Dates and identifiers")
struct TimestampTests {
    @Test(
        "Dates are spelled as the contract does, leap days included",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_725_148_800_123, "2024-09-01T00:00:00.123Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func dates(milliseconds: Int64, text: String) {
        #expect(Timestamp.text(milliseconds: milliseconds) == text)
    }

    @Test("An identifier is read back only as its own kind")
    func identifiers() {
        let id = ObjectID(.post, number: 77, second: 1_725_148_800)
        #expect(id.text.count == 24 && ObjectID(.post, text: id.text) == id)
        #expect(ObjectID(.user, text: id.text) == nil && ObjectID(.post, text: "66") == nil)
        #expect(ObjectID.isWellFormed(id.text) && !ObjectID.isWellFormed("z" + id.text.dropFirst()))
    }
}
