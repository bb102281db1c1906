import SquallHTTP
import SquallKernel
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

@Suite("Share.D's hazards")
struct ShareDHazardTests {
    private let phone = Phone()
    private let app: ShareD

    init() {
        app = phone.install(ShareD.self)
        phone.server.goodTokens = ["T0"]
    }

    private var server: ScriptedServer { phone.server }

    /// Opens a question with comments by one's own hand, or anybody's.
    private func openPost(comments: Int = 0, price: Int = 500) throws {
        server.serve("/v1/posts?next=&", Answers.page([Answers.post(1, price: price)]))
        let list = (0..<comments).map { Answers.comment($0, by: "me") }
        let post = Answers.post(1, price: price).replacing(
            #""comments":[]"#, with: #""comments":[\#(list.joined(separator: ","))]"#)
        server.serve("/v1/posts/p1?", post)
        let app = app
        let opened = try phone.run {
            _ = await app.openCommunity()
            return await app.openPost(row: 0)
        }
        #expect(opened == .rendered)
    }

    @Test("SD-3: a wrong password erases a session that was valid")
    func failedLogin() throws {
        server.serve("/login", "{}", status: 401)
        let app = app
        let outcome = try phone.run {
            await app.signIn(email: "a@b.kr", password: "mistyped")
        }
        #expect(outcome == .toast("wrongAccount"))
        #expect(app.storage.access.isEmpty && app.storage.refresh.isEmpty && app.needsSignIn)
    }

    @Test("SD-4: a profile edit on an expired token empties the stored name and picture")
    func failedEdit() throws {
        server.goodTokens = []
        let app = app
        #expect(app.storage.nick == "nick")
        #expect(try phone.run { await app.editProfile() } == .lost("profile"))
        #expect(app.storage.nick.isEmpty && app.storage.access == "T0")
    }

    @Test("SD-5: a withdrawal races the wipe on its next line; usually it carries an empty token")
    func withdrawal() throws {
        let usual = try tokenOfWithdrawal(under: FirstInFirstOut())
        #expect(usual == "")
        let others = try (1...60).map { try tokenOfWithdrawal(under: RandomSchedule(seed: $0)) }
        #expect(Set(others) == ["", "T0"])
    }

    /// Which token the call carried; the screen says that all is done only if it was a good one.
    private func tokenOfWithdrawal(under policy: any SchedulingPolicy) throws -> String? {
        let phone = Phone(policy: policy)
        phone.server.goodTokens = ["T0"]
        let app = phone.install(ShareD.self)
        let outcome = try phone.run { await app.withdraw() }
        #expect(phone.server.calls == ["GET /v1/users/withdraw"])
        let token = phone.server.requests.first?.value(forHTTPHeaderField: "Authorization")
        #expect((outcome == .rendered) == (token == "T0"))
        return token
    }

    @Test("SD-6: a comment's row goes whatever the answer was", arguments: [410, 445, 500])
    func blindDeletion(status: Int) throws {
        try openPost(comments: 2)
        server.serve("/comments/", "{}", status: status)
        let app = app
        #expect(try phone.run { await app.deleteComments(rows: [0]) } == .lost("deletion"))
        #expect(app.screen.withLock { $0.comments.map(\.commentID) } == ["c1"])
    }

    @Test(
        "SD-6: two comments deleted in one second take a wrong row away, or end the app",
        arguments: [
            ([0, 1], StepOutcome.wrong("row"), ["c0"]), ([0, 2], .crashed("comments"), []),
        ])
    func wrongRow(rows: [Int], outcome: StepOutcome, left: [String]) throws {
        try openPost(comments: 3)
        server.serve("/comments/", "")
        let app = app
        #expect(try phone.run { await app.deleteComments(rows: rows) } == outcome)
        #expect(server.count("/comments/c\(rows[0])") == 1)
        if !left.isEmpty {
            #expect(app.screen.withLock { $0.comments.map(\.commentID) } == left)
        }
    }

    @Test(
        "SD-7: taps on the heart write in the order in which they arrive, not in that of the taps")
    func likeOrder() throws {
        try openPost()
        server.serve("/like")
        let first = server.requests.count
        server.seconds = { call, _ in call == first ? 3 : 1 }
        let app = app
        _ = try phone.run { await app.like(taps: 2) }
        let writes = server.requests.filter { $0.url.path.hasSuffix("/like") }.map(\.body.text)
        #expect(writes == [#"{"like_status":true}"#, #"{"like_status":false}"#])
        // Two taps mean "not liked"; the write that arrived last said "liked".
        let arrived = server.answered.filter { $0.url.path.hasSuffix("/like") }.map(\.body.text)
        #expect(arrived == writes.reversed())
        #expect(server.calls.dropFirst(first).count { $0 == "GET /v1/posts/p1" } == 2)
        #expect(app.snapshot.taps.map(\.isLiked) == [false])
    }

    @Test("SD-8: two movements near the end ask for one page twice and show it twice")
    func duplicates() throws {
        server.serve("next=&limit=5", Answers.page(0..<5, next: "p4"))
        server.serve("next=p4", Answers.page(5..<10, next: "p9"))
        let app = app
        _ = try phone.run { await app.openCommunity() }
        #expect(
            try phone.run { await app.scrollCommunity(movements: 2) } == .duplicates)
        #expect(app.screen.withLock { $0.rows.count } == 15)
    }

    @Test("SD-9: a payment that failed is validated all the same, with the number of no charge")
    func blindPayment() throws {
        try openPost()
        server.serve("/validation", "{}", status: 400)
        phone.payments.callback = PaymentCallback(isSuccess: false, impUID: "imp_unpaid")
        let app = app
        #expect(try phone.run { await app.pay() } == .rendered)
        let body = try #require(server.requests.last).body.text
        #expect(body == #"{"imp_uid":"imp_unpaid","post_id":"p1"}"#)
    }

    @Test("SD-9: money that was taken and is not validated is lost without a word")
    func lostPayment() throws {
        try openPost()
        server.serve("/validation", "{}", status: 500)
        let app = app
        #expect(try phone.run { await app.pay() } == .lost("payment"))
    }

    @Test("Share.D lets a user pay for the same question twice")
    func paidTwice() throws {
        try openPost()
        let app = app
        #expect(try phone.run { [await app.pay(), await app.pay()] } == [.charged, .chargedTwice])
    }

    @Test("SD-10: somebody without a picture has a profile that does not decode, and sees nothing")
    func profileWithoutImage() throws {
        server.serve("/v1/search", #"{"total":0,"items":[]}"#)
        server.serve("/profile", #"{"user_id":"me","email":"e@x.kr","nick":"n"}"#)
        let app = app
        #expect(try phone.run { await app.openHome() } == .missing("profile"))
    }

    @Test("SD-11: a double tap on the button asks the same question twice")
    func doubleTap() throws {
        let app = app
        #expect(try phone.run { await app.ask("?", taps: 2) } == .duplicates)
        #expect(server.log == Array(repeating: "0.0 T0 POST /v1/posts", count: 2))
        #expect(Set(server.requests.map(\.body.text)).count == 1)
    }

    @Test("Of two searches the newer one's result is shown, also when it arrives first")
    func latestSearch() throws {
        server.serve("query=old", Answers.products("old"))
        server.serve("query=new", Answers.products("new"))
        server.seconds = { call, _ in call == 0 ? 3 : 1 }
        let app = app
        let outcomes = try phone.together(
            { await app.searchShop("old") }, { await app.searchShop("new") })
        #expect(outcomes == [.nothingToDo, .rendered])
        #expect(app.screen.withLock { $0.products.map(\.title) } == ["new"])
        #expect(server.calls.count == 2)
    }

    @Test(
        "A fling ends the app at a page without products, or without a word at Naver's limit",
        arguments: [(200, StepOutcome.crashed("shop")), (400, .missing("shop"))])
    func fling(status: Int, outcome: StepOutcome) throws {
        server.serve("start=1", Answers.products("a", count: 10))
        server.serve("start=21", Answers.products("b", count: 0), status: status)
        let app = app
        #expect(try phone.run { await app.scrollShopToEnd("a") } == outcome)
        #expect(server.calls.count == 3)
    }

    @Test("The e-mail is checked by the server before anybody looks for an at-sign in it")
    func emailFirst() throws {
        let app = app
        #expect(try phone.run { await app.validateEmail("nobody") } == .toast("badRequest"))
        #expect(server.calls == ["POST /v1/validation/email"])
    }
}
