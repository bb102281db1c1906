import SquallHTTP
import SquallKernel
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

/// What 이책저책's screens do after an answer.
@Suite("이책저책's flows")
struct ThisBookFlowTests {
    let openingSeconds = 1.0
    let phone = Phone()
    let app: ThisBookThatBook

    init() {
        app = phone.install(ThisBookThatBook.self)
        phone.server.goodTokens = ["T0"]
    }

    @Test("A payment is validated first, and the feed reloads when that has succeeded")
    func paymentSequence() throws {
        try openFeed([Answers.post(1, price: 500)])
        let app = app
        _ = try phone.run { await app.payForLockedPost() }
        #expect(
            server.log == [
                "0.0 T0 GET /v1/posts", "1.0 T0 POST /v1/payments/validation",
                "2.0 T0 GET /v1/posts",
            ])
    }

    @Test("A failed validation leaves the payment page open: nothing reloads behind it")
    func failedValidation() throws {
        try openFeed([Answers.post(1, price: 500)])
        server.serve("/validation", "{}", status: 500)
        let app = app
        #expect(try phone.run { await app.payForLockedPost() } == .missing("payment"))
        #expect(server.log.dropFirst() == ["1.0 T0 POST /v1/payments/validation"])
    }

    @Test("A payment that the provider never reports asks for nothing and leaves its page open")
    func silentProvider() throws {
        try openFeed([Answers.post(1, price: 500)])
        phone.payments.callback = PaymentCallback(isSuccess: nil, impUID: nil)
        let app = app
        #expect(try phone.run { await app.payForLockedPost() } == .missing("payment"))
        #expect(server.calls == ["GET /v1/posts"])
        #expect(try phone.run { await app.closePayment() } == .rendered)
        #expect(server.calls == ["GET /v1/posts", "GET /v1/posts"])
    }

    @Test("A reload that fails leaves rows and cursor as they were")
    func failedReload() throws {
        try openFeed((0..<10).map { Answers.post($0) }, next: "p9")
        server.serve("next=p9", Answers.page(10..<20, next: "p19"))
        server.body = { call, _ in call == 1 ? #"{"data":"# : nil }
        let app = app
        let outcomes = try phone.run {
            [await app.openFeed(tab: 0), await app.scrollFeed()]
        }
        #expect(outcomes?.last == .rendered)
        let cursors = server.requests.compactMap(\.url.query).map { $0.split(separator: "&")[1] }
        #expect(cursors == ["next=", "next=", "next=p9"])
        #expect(rows.count == 20)
    }

    @Test("The search button begins at the first page whatever the cursor was")
    func searchButton() throws {
        server.serve("next=&hashTag", Answers.page(0..<10, next: "p9"))
        let app = app
        let outcomes = try phone.run { [await app.search("a"), await app.search("b")] }
        #expect(outcomes == [.rendered, .rendered])
        #expect(
            server.requests.compactMap(\.url.query) == [
                "limit=10&next=&hashTag=a", "limit=10&next=&hashTag=b",
            ])
    }

    @Test("An answer of 200 that does not decode emits nothing: the screen waits for ever")
    func garbledAnswer() throws {
        server.serve("/v1/posts?", "{}")
        server.serve("/profile", "{}")
        let app = app
        let outcomes = try phone.together(
            { await app.openFeed(tab: 0) }, { await app.openProfile() })
        #expect(outcomes == [.stuck("feed"), .missing("profile")])
    }

    @Test(
        "Any refusal of a comment but an expired session closes the post with the wrong alert",
        arguments: [400, 410, 445, 500])
    func refusedComment(status: Int) throws {
        try openFeed([Answers.post(1)])
        server.serve("/comments", "{}", status: status)
        server.serve("/v1/posts/p1", Answers.post(1))
        let app = app
        let outcomes = try phone.run { [await app.openPost(row: 0), await app.comment("a")] }
        #expect(outcomes == [.rendered, .alert("invalidPost")])
        #expect(server.calls.suffix(2) == ["POST /v1/posts/p1/comments", "GET /v1/posts"])
        #expect(app.screen.withLock { $0.detail } == nil)
    }

    @Test("A heart and a bookmark tapped in one second both change the row tapped last")
    func sharedRow() throws {
        try openFeed((0..<10).map { Answers.post($0) })
        let app = app
        _ = try phone.together({ await app.like(row: 3) }, { await app.bookmark(row: 7) })
        #expect(rows.indices.filter { rows[$0].isLiked } == [7])
        #expect(rows.indices.filter { rows[$0].isBookmarked } == [7])
        #expect(
            server.log.suffix(2) == [
                "1.0 T0 POST /v1/posts/p3/like", "1.0 T0 POST /v1/posts/p7/like-2",
            ])
    }

    @Test("A heart whose answer finds fewer rows than were there ends the app")
    func vanishedRow() throws {
        try openFeed((0..<10).map { Answers.post($0) })
        server.seconds = { _, request in request.url.path.hasSuffix("/like") ? 3 : 1 }
        server.body = { call, request in
            request.url.path == "/v1/posts" && call > 0 ? Answers.page(0..<2) : nil
        }
        let app = app
        let outcomes = try phone.together(
            { await app.like(row: 7) }, { await app.openFeed(tab: 0) })
        #expect(outcomes == [.crashed("feed"), .rendered])
    }

    @Test("A step ends when its page is there; pictures come beside it, for the rows in sight")
    func picturesBeside() throws {
        let posts = (0..<10).map { Answers.post($0, files: ["uploads/\($0).png"]) }
        server.serve("/v1/posts?limit=10&next=&", Answers.page(posts))
        server.seconds = { _, request in request.url.path.hasSuffix(".png") ? 30 : 1 }
        let (app, simulation) = (app, phone.simulation)
        let end = try phone.run {
            _ = await app.openFeed(tab: 0)
            return simulation.now.nanoseconds
        }
        #expect(end == 1_000_000_000)
        let pictures = server.log.filter { $0.hasSuffix(".png") }
        #expect((1...4).contains(pictures.count))
        #expect(pictures.first == "1.0 T0 GET /v1/uploads/0.png")
    }

    @Test("A return from a post loads the feed again")
    func returnReloads() throws {
        server.serve("/v1/posts?", Answers.page((0..<3).map { Answers.post($0) }))
        server.serve("/v1/posts/p", Answers.post(1))
        try phone.walk("browse", of: ThisBookThatBook.self, app)
        let log = server.requests.map { "\($0.method) \($0.url.path)?\($0.url.query ?? "")" }
        let opened = try #require(log.firstIndex { $0.hasPrefix("GET /v1/posts/p") })
        #expect(
            log.dropFirst(opened + 1).first
                == "GET /v1/posts?limit=10&next=&product_id=tbtb_recommend")
    }
}

/// What reaches the person, and what does not.
extension ThisBookFlowTests {
    @Test("A payment on a dead session signs nobody out: every call is 401 until the next start")
    func paymentOnDeadSession() throws {
        try openFeed([Answers.post(1, price: 500)])
        server.goodTokens = []
        server.refresh = .status(418)
        let app = app
        #expect(try phone.run { await app.payForLockedPost() } == .missing("payment"))
        #expect(app.storage.access.isEmpty && !app.needsSignIn)
        server.goodTokens = [""]
        server.forget("/v1/posts?limit=10&next=&")
        server.serve("/v1/posts?", "{}", status: 401)
        #expect(try phone.run { await app.closePayment() } == .toast("default"))
        #expect(server.log.last?.contains("  GET /v1/posts") == true && !app.needsSignIn)
        app.processStarted()
        #expect(app.needsSignIn)
    }

    @Test("A like, a comment or a detail without an answer leaves the back button")
    func unanswered() throws {
        try openFeed([Answers.post(1)])
        let app = app
        server.serve("/v1/posts/p1?", Answers.post(1))
        _ = try phone.run { await app.openPost(row: 0) }
        server.lostPaths = ["/v1/posts/"]
        let outcomes = try phone.run {
            [await app.likeDetail(), await app.comment("a"), await app.openPost(row: 0)]
        }
        #expect(outcomes == Array(repeating: .missing("post"), count: 3))
        #expect(outcomes?.contains(where: \.endsVisit) == false)
        #expect(try phone.run { await app.like(row: 0) } == .missing("feed"))
    }

    @Test("A profile tab without an answer leaves the tab bar")
    func unansweredProfile() throws {
        server.lostPaths = ["/v1/users/me/profile"]
        let app = app
        let outcomes = try phone.run { [await app.openProfile(), await app.openFeed(tab: 0)] }
        #expect(outcomes == [.missing("profile"), .rendered])
        #expect(outcomes?.contains(where: \.endsVisit) == false)
    }

    @Test(
        "A sign-in whose profile fails leaves the person outside, until the next start",
        arguments: [419, 500])
    func signInWithoutProfile(status: Int) throws {
        app.storage.wipe()
        server.goodTokens = status == 500 ? ["T1"] : []
        server.refresh = .status(500)
        if status == 500 { server.serve("/profile", "{}", status: 500) }
        let (app, error) = (app, status == 500 ? "default" : "expiredToken")
        #expect(try phone.run { await app.signIn() } == .toast(error))
        #expect(app.needsSignIn && app.storage.access.isEmpty == (status == 419))
        app.processStarted()
        #expect(app.needsSignIn == (status == 419))
    }

    @Test("An expired reload wipes what is stored by itself, also where no interceptor has done so")
    func secondWipe() throws {
        server.goodTokens = []
        server.refresh = .status(418)
        let app = phone.install(ThisBookThatBook.self, design: "recursiveRefresh")
        #expect(try phone.run { await app.openFeed(tab: 0) } == .loggedOut)
        #expect(app.storage.access.isEmpty && app.storage.refresh.isEmpty)
    }

    @Test("An expired deletion wipes what is stored on the profile, and not in the feed")
    func expiredDeletion() throws {
        try openFeed([Answers.post(1, by: "me")])
        server.serve("/v1/posts?limit=10&next=&", Answers.page([Answers.post(1, by: "me")]))
        let app = app
        let delete = { @Sendable (goes: Bool) in
            if goes { _ = await app.openProfile() }
            return await app.deleteOwnPost()
        }
        server.serve("/v1/posts/p1", "{}", status: 419)
        #expect(try phone.run { await delete(false) } == .loggedOut)
        #expect(app.storage.refresh == "R")
        #expect(try phone.run { await delete(true) } == .loggedOut)
        #expect(app.storage.refresh.isEmpty)
    }

    @Test("Following and its opposite have a throttle each, new whenever the list is drawn")
    func followThrottles() throws {
        try openFeed([Answers.post(0, by: "a"), Answers.post(1, by: "a")])
        let app = app
        let follow = { @Sendable in await app.follow(row: 0) }
        // Drawn again by its own success, the row's other button passes at once.
        let turns = try phone.run(seconds: 4) { [await follow(), await follow(), await follow()] }
        #expect(turns == [.rendered, .rendered, .rendered])
        #expect(
            server.log.suffix(3) == [
                "1.0 T0 POST /v1/follow/a", "2.0 T0 DELETE /v1/follow/a",
                "3.0 T0 POST /v1/follow/a",
            ])
        // Nothing draws the list after a failure: the same button waits for its window's end, and
        // the other row of the same author has its own.
        server.serve("/v1/follow", "{}", status: 500)
        _ = try phone.run { [await follow(), await follow(), await app.follow(row: 1)] }
        #expect(
            server.log.suffix(3) == [
                "4.0 T0 DELETE /v1/follow/a", "9.0 T0 DELETE /v1/follow/a",
                "10.0 T0 DELETE /v1/follow/a",
            ])
    }

    @Test("The editor of requests offers neither books nor a price")
    func request() throws {
        let app = app
        _ = try phone.run {
            _ = await app.openFeed(tab: 1)
            app.screen.withLock { $0.books = [] }
            return await app.write(photos: [])
        }
        let bodies = server.requests.filter { $0.method == .post }.map(\.body.text)
        #expect(bodies.count == 1 && bodies[0].contains(#""price":0"#))
    }

    @Test(
        "A status that a call does not expect shows the default error: 400 of lists, 410 of a post",
        arguments: [
            (AppCall<ThisBookThatBook>.posts(next: "", productID: "p"), 400),
            (.hashtags(next: "", hashTag: "h"), 400), (.post(id: "p"), 410),
        ])
    func defaults(target: AppCall<ThisBookThatBook>, status: Int) {
        #expect(ThisBookError(status: status, of: target) == .standard)
    }

    @Test("A profile that was edited closes its editor at once, whatever is in the 200")
    func edit() throws {
        server.body = { _, request in request.method == .put ? "{}" : nil }
        let app = app
        _ = try phone.run {
            _ = await app.openProfile()
            return await app.editProfile()
        }
        #expect(
            server.log.suffix(4) == [
                "1.0 T0 PUT /v1/users/me/profile", "2.0 T0 GET /v1/users/me/profile",
                "2.0 T0 GET /v1/posts", "2.0 T0 GET /v1/posts",
            ])
    }
}
