import SquallHTTP
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

/// What Share.D's screens do after an answer.
@Suite("Share.D's flows")
struct ShareDFlowTests {
    private let phone = Phone()
    private let app: ShareD

    init() { app = phone.install(ShareD.self) }

    private var server: ScriptedServer { phone.server }

    private func openPost() throws {
        server.goodTokens = ["T0"]
        server.serve("/v1/posts?next=&", Answers.page([Answers.post(1)]))
        server.serve("/v1/posts/p1?", Answers.post(1))
        let app = app
        let opened = try phone.run(seconds: 5) {
            _ = await app.openCommunity()
            return await app.openPost(row: 0)
        }
        #expect(opened == .rendered)
    }

    @Test("A tap on the heart reads the question again whatever the write was answered")
    func likeInDeadSession() throws {
        try openPost()
        server.forget("/v1/posts/p1?")
        server.goodTokens = []
        server.refresh = .status(418)
        let (app, before) = (app, server.calls.count)
        _ = try phone.run { await app.like(taps: 1) }
        #expect(
            server.calls.dropFirst(before) == [
                "POST /v1/posts/p1/like", "GET /v1/auth/refresh", "GET /v1/auth/refresh",
                "GET /v1/posts/p1", "GET /v1/auth/refresh", "GET /v1/auth/refresh",
            ])
        #expect(server.requests.dropFirst(before).allSatisfy { $0.token == "T0" })
    }

    @Test("A home whose profile never answers shows the products all the same")
    func homeWithoutProfile() throws {
        server.goodTokens = ["T0"]
        server.lostPaths = ["/v1/users"]
        server.serve("/v1/search", Answers.products("a", count: 10))
        let app = app
        #expect(try phone.run { await app.openHome() } == .missing("profile"))
        #expect(app.screen.withLock { $0.products.count } == 6)
    }

    @Test("An empty page behind the first ends the app; an empty first page does not")
    func emptyShop() throws {
        server.serve("query=nothing", Answers.products("a", count: 0))
        server.serve("start=11", Answers.products("b", count: 0))
        server.serve("start=1", Answers.products("a", count: 10))
        let app = app
        #expect(try phone.run { await app.searchShop("nothing") } == .rendered)
        #expect(try phone.run { await app.scrollShopToEnd("nothing") } == .rendered)
        #expect(try phone.run { await app.scrollShopToEnd("a") } == .crashed("shop"))
    }

    @Test("An author's picture is loaded every time, and again behind each tap on the heart")
    func avatars() throws {
        server.goodTokens = ["T0"]
        let post = Answers.post(1).replacing(
            #""nick":"nick"}"#, with: #""nick":"nick","profileImage":"uploads/me.png"}"#)
        server.serve("/v1/posts/p1?", post)
        try openPost()
        let app = app
        _ = try phone.run { await app.openPost(row: 0) }
        #expect(server.count("/me.png") == 2)
        _ = try phone.run { await app.like(taps: 2) }
        #expect(server.count("/me.png") == 4)
    }

    @Test("A question that does not open leaves nothing of the one before to act on")
    func noStaleDetail() throws {
        try openPost()
        server.lostPaths = ["/v1/posts/"]
        let app = app
        _ = try phone.run { await app.openPost(row: 0) }
        let calls = server.calls.count
        #expect(try phone.run { await app.comment("a") } == .nothingToDo)
        #expect(server.calls.count == calls)
    }

    @Test("Share.D shows the home screen first, whatever the user came for")
    func home() throws {
        server.goodTokens = ["T0"]
        try phone.walk("community", of: ShareD.self, app)
        #expect(
            Set(server.calls.prefix(2)) == [
                "GET /v1/search/shop.json", "GET /v1/users/me/profile",
            ])
    }

    @Test("A reading that knows of no like does not take one back: the next tap unlikes")
    func staleLike() throws {
        try openPost()
        server.serve("/like")
        let app = app
        // The reading behind the write is stale: it knows of no like.
        #expect(try phone.run { await app.like(taps: 1) } == .wrong("like"))
        #expect(app.screen.withLock { $0.isLiked && !$0.showsHeart })
        _ = try phone.run { await app.like(taps: 1) }
        let writes = server.requests.filter { $0.url.path.hasSuffix("/like") }.map(\.body.text)
        #expect(writes == [#"{"like_status":true}"#, #"{"like_status":false}"#])
        // The person saw an empty heart both times and meant a like.
        #expect(app.snapshot.taps.map(\.isLiked) == [true])
    }

    @Test("Lists, questions, likes and the home fail without a word", arguments: [400, 500])
    func silence(status: Int) throws {
        try openPost()
        server.forget("/v1/posts?next=&")
        server.forget("/v1/posts/p1?")
        for part in ["/v1/posts", "/v1/users"] { server.serve(part, "{}", status: status) }
        let app = app
        let outcomes = try phone.run {
            [
                await app.openHome(), await app.openList(.likedPosts), await app.like(taps: 1),
                await app.openPost(row: 0), await app.openCommunity(),
            ]
        }
        let places = ["profile", "settings", "like", "post", "community"]
        #expect(outcomes == places.map(StepOutcome.missing))
    }

    @Test("The e-mail button has no throttle: two taps ask twice at once")
    func emailTwice() throws {
        let app = app
        try phone.together(
            { await app.validateEmail("a@b.kr") }, { await app.validateEmail("a@b.kr") })
        #expect(
            server.log == Array(repeating: "0.0 T0 POST /v1/validation/email", count: 2))
    }

    @Test("Every call about the person carries the stored token, also an empty one and a sign-in")
    func tokenEverywhere() throws {
        let app = app
        _ = try phone.run { await app.joinAnew() }
        app.storage.wipe()
        _ = try phone.run { await app.signIn() }
        #expect(
            server.requests.map { [$0.url.path, $0.token] } == [
                ["/v1/validation/email", "T0"], ["/v1/users/join", "T0"], ["/v1/users/login", ""],
            ])
    }

    @Test("A refused comment fails without a word", arguments: [400, 410, 500])
    func refusedComment(status: Int) throws {
        try openPost()
        server.serve("/comments", "{}", status: status)
        let app = app
        #expect(try phone.run { await app.comment("a") } == .missing("comment"))
        #expect(app.screen.withLock { $0.comments }.isEmpty)
    }

    @Test("A success without a number is validated with an empty one; no callback sends nothing")
    func paymentWithoutNumber() throws {
        try openPost()
        server.serve("/validation", "{}", status: 400)
        let app = app
        phone.payments.callback = PaymentCallback(isSuccess: nil, impUID: nil, hasCharged: true)
        #expect(try phone.run { await app.pay() } == .missing("payment"))
        #expect(server.count("/validation") == 0)
        try openPost()
        phone.payments.callback = PaymentCallback(isSuccess: true, impUID: nil)
        #expect(try phone.run { await app.pay() } == .chargedTwice)
        #expect(server.requests.last?.body.text == #"{"imp_uid":"","post_id":"p1"}"#)
    }

    @Test("A question that did not load can be bought: for 1000, validated for no post")
    func unloadedPurchase() throws {
        try openPost()
        server.lostPaths = ["/v1/posts/"]
        server.serve("/validation", "{}", status: 410)
        let app = app
        let outcomes = try phone.run { [await app.openPost(row: 0), await app.pay()] }
        #expect(outcomes == [.missing("post"), .lost("payment")])
        #expect(server.requests.last?.body.text == #"{"imp_uid":"imp_1","post_id":""}"#)
        #expect(phone.payments.amounts == [1_000])
    }

    @Test("A question that was asked leads to the community at once, also when it was asked twice")
    func askLeadsOn() throws {
        let ask = try #require(ShareD.journeys.first { $0.name == "ask" })
        let place = try #require(ask.steps.firstIndex { $0.name == "ask" })
        #expect(ask.steps[place].leadsOn && ask.steps[place + 1].name == "community")
        #expect(StepOutcome.duplicates.isDone && !StepOutcome.toast("a").isDone)
    }

    @Test("A profile edit without an answer leaves the back button")
    func unansweredEdit() throws {
        server.lostPaths = ["/v1/users/me/profile"]
        let app = app
        let outcome = try phone.run { await app.editProfile() }
        #expect(outcome == .missing("editProfile") && outcome?.endsVisit == false)
    }
}

@Suite("OOTD's flows")
struct OOTDFlowTests {
    private let phone = Phone()
    private let app: OOTD

    init() { app = phone.install(OOTD.self) }

    @Test("OOTD asks every user to sign in at its start, also with tokens in the Keychain")
    func start() throws {
        try phone.walk("publish", of: OOTD.self, app)
        #expect(phone.server.calls.first == "POST /login")
        #expect(phone.server.log.last?.contains(" T1 POST /post") == true)
    }

    @Test("The refresh button throws the token away that it gets")
    func button() throws {
        let app = app
        #expect(try phone.run { await app.refresh() } == .rendered)
        #expect(phone.server.log == ["0.0 T0 GET /refresh"])
        #expect(app.keychain.read(.token) == "T0")
        _ = try phone.run { await app.openFeed() }
        #expect(phone.server.log[1].hasSuffix(" T0 GET /post"))
        #expect(phone.server.count("/refresh") == 2)
    }
}
