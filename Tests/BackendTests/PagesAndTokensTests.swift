import HTTP
import Kernel
import Testing

@testable import Backend

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
}

@Suite("Tokens")
struct TokenTests {
    private let start = Instant(nanoseconds: 1_000)

    private func mint(_ policy: TokenPolicy = TokenPolicy()) -> TokenMint {
        TokenMint(policy: policy, randomness: RandomStream(seed: 3))
    }

    @Test("A token is good until the nanosecond at which it expires")
    func expiry() {
        var mint = mint()
        let (token, expiry) = mint.issue(.access, to: 7, at: start)
        let before = Instant(nanoseconds: expiry.nanoseconds - 1)
        #expect(expiry.nanoseconds == 1_000 + 300_000_000_000)
        #expect(mint.judge(token, as: .access, at: before) == .valid(user: 7))
        #expect(mint.judge(token, as: .access, at: expiry) == .expired(user: 7))
    }

    @Test("A token with any one character changed is not genuine", arguments: 0..<55)
    func tampering(position: Int) {
        var mint = mint()
        var characters = Array(mint.issue(.access, to: 7, at: start).token)
        characters[position] = characters[position] == "1" ? "2" : "1"
        #expect(mint.judge(String(characters), as: .access, at: start) == .unverifiable)
    }

    @Test("Kinds, other mints and fragments are not mistaken for one another")
    func kinds() {
        var mint = mint()
        var other = TokenMint(policy: TokenPolicy(), randomness: RandomStream(seed: 4))
        let access = mint.issue(.access, to: 7, at: start).token
        #expect(mint.judge(access, as: .refresh, at: start) == .unverifiable)
        #expect(mint.judge(String(access.dropLast()), as: .access, at: start) == .unverifiable)
        let foreign = other.issue(.access, to: 7, at: start).token
        #expect(mint.judge(foreign, as: .access, at: start) == .unverifiable)
    }

    @Test("A rotated key ends every token issued so far and none issued later")
    func rotation() {
        var mint = mint()
        let old = mint.issue(.access, to: 7, at: start).token
        mint.expireAll(.access, at: start)
        let later = start.advanced(byNanoseconds: 1)
        let new = mint.issue(.access, to: 7, at: later).token
        #expect(mint.judge(old, as: .access, at: later) == .expired(user: 7))
        #expect(mint.judge(new, as: .access, at: later) == .valid(user: 7))
    }

    @Test("Jitter shortens a life by less than itself, differently for each token")
    func jitter() {
        var policy = TokenPolicy()
        policy.lifetimeJitterNanoseconds = 60_000_000_000
        var mint = mint(policy)
        let lives = (0..<100).map {
            mint.issue(.access, to: $0, at: start).expiry.nanoseconds - 1_000
        }
        #expect(lives.allSatisfy { $0 > 240_000_000_000 && $0 <= 300_000_000_000 })
        #expect(Set(lives).count == 100)
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
