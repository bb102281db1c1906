@testable import SquallHTTP
import Testing

import SquallBackend
@testable import SquallCases

@Suite("Refusals, call by call")
struct ContractRefusalTests {
    private static let gone = "507f1f770505651701ffffff"

    @Test(
        "Each endpoint refuses with the contract's status and words",
        arguments: [
            (.post, "/v1/users/login", #"{"email":"a"}"#, 400, "필수값을 채워주세요."),
            (.post, "/v1/users/login", "no json", 400, "필수값을 채워주세요."),
            (
                .post, "/v1/users/login", #"{"email":"reader1@squall.test","password":"x"}"#, 401,
                "계정을 확인해주세요."
            ),
            (.post, "/v1/users/login", #"{"email":"nobody","password":"x"}"#, 401, "계정을 확인해주세요."),
            (.get, "/v1/posts?limit=x", "", 400, "잘못된 요청입니다."),
            (.get, "/v1/posts?limit=-1", "", 400, "잘못된 요청입니다."),
            (.get, "/v1/posts?next=nonsense", "", 400, "잘못된 요청입니다."),
            (.get, "/v1/posts/hashtags?limit=5", "", 400, "잘못된 요청입니다."),
            (.get, "/v1/posts/xyz", "", 500, "ServerError"),
            (.get, "/v1/posts/\(gone)", "", 410, "게시글을 찾을 수 없습니다."),
            (.post, "/v1/posts/\(gone)/comments", "{}", 400, "필수값이 누락되었습니다."),
            (
                .post, "/v1/posts/\(gone)/comments", #"{"content":"a"}"#, 410,
                "댓글을 추가할 게시글을 찾을 수 없습니다."
            ),
            (.delete, "/v1/posts/\(gone)/comments/\(gone)", "", 410, "삭제할 댓글을 찾을 수 없습니다."),
            (.post, "/v1/posts/\(gone)/like-2", #"{"like_status":1}"#, 400, "잘못된 요청입니다."),
            (.post, "/v1/posts/\(gone)/like", #"{"like_status":true}"#, 410, "게시글을 찾을 수 없습니다."),
            (.post, "/v1/payments/validation", #"{"imp_uid":"a"}"#, 400, "필수값을 채워주세요."),
            (
                .post, "/v1/payments/validation", #"{"imp_uid":"a","post_id":"\#(gone)"}"#, 410,
                "게시글을 찾을 수 없습니다."
            ),
            (.get, "/v1/uploads/posts/none.pdf", "", 444, "돌아가 여긴 자네가 올 곳이 아니야."),
            (.get, "/v2/posts", "", 444, "돌아가 여긴 자네가 올 곳이 아니야."),
            (.put, "/v1/posts", "", 444, "돌아가 여긴 자네가 올 곳이 아니야."),
        ] as [(HTTPMethod, String, String, Int, String)])
    func refusals(method: HTTPMethod, path: String, body: String, status: Int, message: String) {
        let answer = TestServer().send(method, path, body: body)
        #expect(answer.status == status && answer.message == message)
    }

    @Test("Checks come in their order: key, route, token, user, expiry, body, target")
    func order() throws {
        let server = TestServer(userCount: 2)
        let old = server.tokens.issue(.access, to: 1, at: server.now, lifetime: 0).token
        let stranger = server.tokens.issue(.access, to: 9, at: server.now, lifetime: 0)
        let steps: [(String?, String, String, Int)] = [
            (nil, "/nowhere", "bad", 420), ("scrolly-key", "/nowhere", "bad", 444),
            ("scrolly-key", "/v1/posts/\(Self.gone)/comments", "bad", 401),
            ("scrolly-key", "/v1/posts/\(Self.gone)/comments", stranger.token, 403),
            ("scrolly-key", "/v1/posts/\(Self.gone)/comments", old, 419),
            ("scrolly-key", "/v1/posts/\(Self.gone)/comments", server.token(), 400),
        ]
        for (key, path, token, status) in steps {
            let answer = server.send(.post, path, token: token, key: key, body: "not json")
            #expect(answer.status == status, "\(path)")
        }
    }

    @Test("Only the author takes a comment back, and its deletion answers with an empty body")
    func ownership() throws {
        let server = TestServer()
        let post = try server.postID()
        let path = "/v1/posts/\(post)/comments"
        let comment = try server.send(.post, path, body: #"{"content":"hi"}"#).object()
        let id = try #require(comment["comment_id"] as? String)
        let stranger = server.send(.delete, "\(path)/\(id)", token: server.token(of: 1))
        #expect(stranger.status == 445 && stranger.message == "댓글 삭제 권한이 없습니다.")
        let own = server.send(.delete, "\(path)/\(id)")
        #expect(own.status == 200 && own.body.isEmpty)
        #expect(server.send(.delete, "\(path)/\(id)").status == 410)
    }
}

@Suite("The contract's successes")
struct SuccessTests {
    @Test("A post has every member of the contract, leaves absent ones out and knows no null")
    func postShape() throws {
        let server = TestServer()
        let answer = server.send(.get, "/v1/posts/\(try server.postID())")
        let post = try answer.object()
        let always = ["post_id", "product_id", "createdAt", "creator", "files", "likes", "likes2"]
        #expect((always + ["hashTags", "buyers", "comments"]).allSatisfy { post[$0] != nil })
        #expect(post["content4"] == nil && !answer.body.text.contains("null"))
        #expect((post["post_id"] as? String)?.count == 24)
        let createdAt = try #require(post["createdAt"] as? String)
        #expect(createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test("Signing in brings both tokens, and a refresh only a new access token")
    func tokens() throws {
        let server = TestServer()
        let login = try server.send(
            .post, "/v1/users/login",
            body: #"{"email":"reader1@squall.test","password":"password1"}"#
        ).object()
        let access = try #require(login["accessToken"] as? String)
        let refresh = try #require(login["refreshToken"] as? String)
        let refreshed = server.send(.get, "/v1/auth/refresh", token: access, refresh: refresh)
        #expect(refreshed.status == 200)
        #expect(try refreshed.object().keys.sorted() == ["accessToken"])
        #expect(server.send(.get, "/v1/posts", token: access).status == 200)
    }

    @Test("A refresh needs both tokens to be genuine, and the refresh token to be alive")
    func refreshRefusals() {
        let server = TestServer()
        let dead = server.tokens.issue(.refresh, to: 0, at: server.now, lifetime: 0).token
        let live = server.tokens.issue(.refresh, to: 0, at: server.now).token
        let path = "/v1/auth/refresh"
        #expect(server.send(.get, path, refresh: dead).status == 418)
        #expect(server.send(.get, path, token: "x", refresh: live).message == "인증할 수 없는 토큰입니다.")
        #expect(server.send(.get, path, refresh: server.token()).status == 401)
        #expect(server.send(.get, path, token: "", refresh: "").status == 401)
    }

    @Test("Setting a like twice changes nothing, and taking it back removes it everywhere")
    func likes() throws {
        let server = TestServer()
        let post = try server.postID()
        for liked in ["true", "true", "false"] {
            let answer = server.send(
                .post, "/v1/posts/\(post)/like-2", body: "{\"like_status\":\(liked)}")
            #expect(answer.body.text == "{\"like_status\":\(liked)}")
            let likes = try server.send(.get, "/v1/posts/\(post)").object()["likes2"] as? [String]
            #expect(likes?.count == (liked == "true" ? 1 : 0))
            let page = try server.send(.get, "/v1/posts/likes-2/me").object()["data"] as? [Any]
            #expect(page?.count == (liked == "true" ? 1 : 0))
        }
    }

    @Test("A payment is booked once, for its price, and makes its payer a buyer")
    func payments() throws {
        let server = TestServer()
        let post = try server.postID()
        let receipt = server.contract.ledger.charge(
            0, merchantUID: "m", amount: 100, at: server.now)
        let cheap = server.contract.ledger.charge(0, merchantUID: "m", amount: 1, at: server.now)
        func validate(_ receipt: String) -> Answer {
            server.send(
                .post, "/v1/payments/validation",
                body: #"{"imp_uid":"\#(receipt)","post_id":"\#(post)"}"#)
        }
        #expect(try validate(receipt).object()["price"] as? Int == 100)
        #expect(validate(receipt).message == "검증처리가 완료된 결제건입니다.")
        #expect(validate(cheap).status == 400 && validate("imp_99").status == 400)
        let buyers = try server.send(.get, "/v1/posts/\(post)").object()["buyers"] as? [String]
        #expect(buyers?.count == 1)
        let list = try server.send(.get, "/v1/payments/me").object()["data"] as? [Any]
        #expect(list?.count == 1 && server.contract.ledger.charges.count == 2)
    }

    @Test("Documents and covers are files of the sizes seen")
    func files() {
        let server = TestServer()
        let document = server.send(.get, "/v1/" + SeededFiles.documentPath(7)).body
        #expect(document.bytes.starts(with: Array("%PDF".utf8)))
        #expect((109_000...257_000).contains(document.count))
        #expect(
            (56_000...149_000).contains(
                server.send(.get, "/v1/" + SeededFiles.coverPath(3)).body.count))
    }

    @Test("A file that many ask for is one body, and every file keeps its own")
    func servedOften() {
        let server = TestServer()
        func cover(_ novel: Int) -> Body {
            server.send(.get, "/v1/" + SeededFiles.coverPath(novel)).body
        }
        for _ in 0..<40 {
            for novel in 0..<20 { #expect(cover(novel).count == 56_000 + novel * 4_650) }
        }
        #expect(cover(3).kept === cover(3).kept)
        #expect(server.send(.get, "/v1/" + SeededFiles.coverPath(3) + "%zz").status == 444)
    }

    @Test("A page that is answered again is of the same list, and keeps no server alive")
    func keptPage() {
        weak var server: TestServer?
        do {
            let own = TestServer()
            server = own
            let lists = (1...2).map { _ in own.send(.get, "/v1/posts").page?.list }
            #expect(lists[0] != nil && lists[0] == lists[1])
        }
        #expect(server == nil)
    }

    @Test("A page is answered again until a post on it or a list changes")
    func pages() throws {
        let (kept, anew) = (TestServer(caching: true), TestServer(caching: false))
        let post = try kept.postID()
        let changes: [(HTTPMethod, String, String)] = [
            (.get, "/v1/posts", ""), (.post, "/v1/posts/\(post)/like", #"{"like_status":true}"#),
            (.post, "/v1/posts", #"{"title":"new","product_id":"p"}"#),
            (.post, "/v1/posts/\(post)/comments", #"{"content":"first"}"#),
        ]
        for (method, path, body) in changes {
            for server in [kept, anew] { _ = server.send(method, path, body: body) }
            for _ in 1...2 {
                let page = kept.send(.get, "/v1/posts?limit=50")
                #expect(page.body == anew.send(.get, "/v1/posts?limit=50").body)
                #expect(page.page?.itemsEver == Int32(kept.contract.posts.count))
            }
        }
    }

    @Test("Kept encodings are the bytes that encoding anew gives")
    func caching() throws {
        let bodies = try [true, false].map { caching in
            let server = TestServer(caching: caching)
            let post = try server.postID()
            _ = server.send(.get, "/v1/posts?limit=50&product_id=novelEpisode")
            _ = server.send(.post, "/v1/posts/\(post)/like", body: #"{"like_status":true}"#)
            _ = server.send(.post, "/v1/posts/\(post)/comments", body: #"{"content":"\"hi\"\n"}"#)
            return server.send(.get, "/v1/posts?limit=50&product_id=novelEpisode").body
        }
        #expect(bodies[0] == bodies[1] && bodies[0].text.contains(#"\"hi\"\u000a"#))
    }

    @Test("A new name is written where it shows, comments included, and nothing else anew")
    func renamedEncodings() throws {
        let server = TestServer()
        let post = try server.postID()
        let (token, list) = (server.token(of: 3), "/v1/posts?limit=50&product_id=novelEpisode")
        let rename = { (nick: String) in
            server.send(
                .put, "/v1/users/me/profile", token: token, form: .texts(["nick": nick])
            ).status
        }
        let comment = #"{"content":"hi"}"#
        _ = server.send(.post, "/v1/posts/\(post)/comments", token: token, body: comment)
        let before = try #require(server.send(.get, list).body.chunks)
        #expect(rename("fresh") == 200)
        let after = try #require(server.send(.get, list).body.chunks)
        let renewed = zip(before, after).filter { $0 !== $1 && $0.count > 100 }.map(\.1)
        #expect(renewed.count == 1)
        #expect(String(decoding: renewed[0].bytes, as: UTF8.self).contains("\"fresh\""))
    }
}
