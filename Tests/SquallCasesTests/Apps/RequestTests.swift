import SquallHTTP
import Testing

import SquallApps
@testable import SquallCases

@Suite("Requests of 이책저책, Share.D and OOTD")
struct RequestTests {
    private func line(_ request: URLRequest) -> String {
        "\(request.method) \(request.url.path)" + (request.url.query.map { "?" + $0 } ?? "")
    }

    @Test(
        "이책저책's calls have the contract's verb, path and query",
        arguments: [
            (AppCall<ThisBookThatBook>.refresh, "GET /v1/auth/refresh"),
            (.withdraw, "GET /v1/users/withdraw"), (.myProfile, "GET /v1/users/me/profile"),
            (.editProfile, "PUT /v1/users/me/profile"), (.uploadFiles, "POST /v1/posts/files"),
            (
                .posts(next: "", productID: "tbtb_recommend"),
                "GET /v1/posts?limit=10&next=&product_id=tbtb_recommend"
            ),
            (
                .hashtags(next: "p9", hashTag: "책"),
                "GET /v1/posts/hashtags?limit=10&next=p9&hashTag=%EC%B1%85"
            ),
            (.deletePost(id: "p"), "DELETE /v1/posts/p"),
            (.like(postID: "p", true), "POST /v1/posts/p/like"),
            (.bookmark(postID: "p", true), "POST /v1/posts/p/like-2"),
            (.deleteComment(postID: "p", commentID: "c"), "DELETE /v1/posts/p/comments/c"),
            (.follow(userID: "u"), "POST /v1/follow/u"),
            (.unfollow(userID: "u"), "DELETE /v1/follow/u"),
            (.file("uploads/a.png"), "GET /v1/uploads/a.png"),
        ])
    func thisBook(target: AppCall<ThisBookThatBook>, expected: String) throws {
        let request = AppRequest<ThisBookThatBook>(target, storage: AppStorage())
        #expect(line(request.asURLRequest()) == expected)
    }

    @Test(
        "Share.D's calls have the contract's verb, path and query",
        arguments: [
            (AppCall<ShareD>.refresh, "GET /v1/auth/refresh"),
            (
                .posts(next: "p4"),
                "GET /v1/posts?next=p4&limit=5&product_id=%EC%84%A0%EB%AC%BC%EC%9A%A9"
            ),
            (.ownPosts(userID: "u"), "GET /v1/posts/users/u?next=&limit=6&product_id="),
            (.likedPosts, "GET /v1/posts/likes/me?next=&limit="),
            (.comment(postID: "p", content: "c"), "POST /v1/posts/p/comments"),
            (.payment(impUID: "i", postID: "p"), "POST /v1/payments/validation"),
            (.file(""), "GET /v1/"),
        ])
    func shareD(target: AppCall<ShareD>, expected: String) throws {
        let request = AppRequest<ShareD>(target, storage: AppStorage())
        #expect(line(request.asURLRequest()) == expected)
    }

    @Test(
        "OOTD's calls are those of the 2023 server",
        arguments: [
            (AppCall<OOTD>.refresh, "GET /refresh"),
            (.validateEmail("e"), "POST /validation/email"),
            (.login(email: "e", password: "p"), "POST /login"),
            (.join(email: "e", password: "p", nick: "n"), "POST /join"),
            (.posts(next: ""), "GET /post?next=&limit=10&product_id=test0204"),
        ])
    func ootd(target: AppCall<OOTD>, expected: String) {
        #expect(line(target.request) == expected)
    }

    @Test("Bodies are the contract's JSON, with sorted keys; absent books are empty")
    func bodies() throws {
        let draft = ThisBookDraft(
            productID: "tbtb_recommend", price: 500, content: "c", books: ["a#b", "c#d"])
        let request = AppRequest<ThisBookThatBook>(.createPost(draft), storage: AppStorage())
        #expect(
            request.asURLRequest().body.text
                == #"{"content":"c","content1":"a#b","content2":"c#d","content3":"","content4":"","#
                + #""content5":"","files":[],"price":500,"#
                + #""product_id":"tbtb_recommend","title":"tbtb_post"}"#)
    }

    @Test(
        "이책저책 names a status by the call that met it",
        arguments: [
            (
                AppCall<ThisBookThatBook>.login(email: "", password: ""), 400,
                ThisBookError.loginEmptyData
            ),
            (.login(email: "", password: ""), 401, .loginInvalidData), (.myProfile, 401, .standard),
            (.validateEmail(""), 409, .signupInvalidEmail), (.editProfile, 409, .existNickname),
            (.post(id: ""), 410, .standard),
            (.deletePost(id: ""), 410, .invalidDeletePostRequest),
            (.like(postID: "", true), 400, .invalidLikePostRequest),
            (.comment(postID: "", content: ""), 400, .emptyContent),
            (.payment(impUID: "", postID: ""), 400, .invalidPayRequest),
            (.payment(impUID: "", postID: ""), 410, .noPostToPay), (.withdraw, 419, .expiredToken),
            (.withdraw, 418, .standard), (.withdraw, 429, .standard), (.withdraw, 500, .standard),
        ])
    func thisBookErrors(target: AppCall<ThisBookThatBook>, status: Int, error: ThisBookError) {
        #expect(ThisBookError(status: status, of: target) == error)
        #expect(ThisBookError(status: 200, of: target) == nil)
    }

    @Test(
        "이책저책's sign-up accepts exactly what its rules allow",
        arguments: [
            ("a@b.kr", "word", "ab", true), ("a@b", "word", "ab", false),
            ("a@b.k", "word", "ab", false), ("a@b.toolong", "word", "ab", false),
            ("a@b.kr", "abc", "ab", false), ("a@b.kr", "two words", "ab", false),
            ("a@b.kr", "0123456789abcdef", "ab", false), ("a@b.kr", "word", "a", false),
            ("a@b.kr", "word", "0123456789a", false),
        ])
    func rules(email: String, password: String, nick: String, passes: Bool) throws {
        let phone = Phone()
        let app = phone.install(ThisBookThatBook.self)
        let outcome = try phone.run {
            await app.join(email: email, password: password, nick: nick)
        }
        #expect(outcome == (passes ? .rendered : .nothingToDo))
        #expect(phone.server.count("/join") == (passes ? 1 : 0))
    }
}
