import SquallHTTP
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

@Suite("이책저책's hazards")
struct ThisBookHazardTests {
    let openingSeconds = 100.0
    let phone = Phone()
    let app: ThisBookThatBook

    init() {
        app = phone.install(ThisBookThatBook.self)
        phone.server.goodTokens = ["T0"]
    }

    @Test("TB-6: a refused refresh wipes, a sibling's good one leaves a session without an owner")
    func zombie() throws {
        server.goodTokens = []
        server.refresh = .inTurn([500, 200])
        let app = app
        #expect(try phone.run { await app.openProfile() } == .toast("expiredToken"))
        #expect(app.storage.access == "T3" && app.storage.refresh.isEmpty)
        #expect(app.storage.userID.isEmpty && !app.needsSignIn && app.snapshot.hasOrphanedSession)
        // A post the person once bought asks for money again.
        try openFeed([Answers.post(1, price: 500, buyers: ["me"])])
        #expect(rows[0].isLocked(for: app.storage.userID) && !rows[0].isLocked(for: "me"))
    }

    @Test("TB-7: a call that is sent again after a sibling's wipe carries an empty token")
    func emptyToken() throws {
        server.goodTokens = []
        server.refresh = .inTurn([200, 500])
        let app = app
        let call = { @Sendable in
            app.shown(await app.api.fetch(.post(id: "p"), as: ThisBookPost.self), on: "post")
        }
        #expect(try phone.together(call, call) == [.toast("default"), .loggedOut])
        #expect(server.requests.last?.value(forHTTPHeaderField: "Authorization") == "")
    }

    @Test("TB-10: every stream that fails asks for an alert, and only the first may be presented")
    func alertPile() throws {
        server.goodTokens = []
        server.refresh = .status(418)
        let app = app
        let outcomes = try phone.together(
            { await app.openFeed(tab: 0) }, { await app.openFeed(tab: 1) },
            { await app.search("책") })
        #expect(outcomes == [.loggedOut, .loggedOut, .loggedOut])
        #expect(app.screen.withLock { $0.expiryAlerts } == 1)
    }

    @Test("TB-11: the hearts of two rows tapped in one second both change the second row")
    func wrongRow() throws {
        try openFeed((0..<10).map { Answers.post($0) })
        let app = app
        #expect(try phone.run { await app.likeBurst(rows: [3, 7]) } == .wrong("row"))
        #expect(rows.allSatisfy { !$0.isLiked })
        #expect(server.calls.suffix(2) == ["POST /v1/posts/p3/like", "POST /v1/posts/p7/like"])
    }

    @Test("Hearts tapped further apart than an answer takes change the rows they are in")
    func rightRow() throws {
        try openFeed((0..<10).map { Answers.post($0) })
        let app = app
        let outcome = try phone.run {
            await app.likeBurst(rows: [3, 7], pauseNanoseconds: 1_500_000_000)
        }
        #expect(outcome == .rendered)
        #expect(rows.indices.filter { rows[$0].isLiked } == [3, 7])
    }

    @Test("TB-12: of two authors followed in one second the second is turned round twice")
    func wrongUser() throws {
        try openFeed([Answers.post(0, by: "a"), Answers.post(1, by: "b")])
        let app = app
        let outcomes = try phone.together(
            { await app.follow(row: 0) }, { await app.follow(row: 1) })
        #expect(outcomes == [.wrong("user"), .wrong("user")])
        #expect(app.storage.followings == [])
        #expect(server.calls.suffix(2) == ["POST /v1/follow/a", "POST /v1/follow/b"])
    }

    @Test("TB-13: a page that arrives after the feed was reloaded is appended to the new rows")
    func stalePage() throws {
        try openFeed((0..<10).map { Answers.post($0) }, next: "p9")
        server.serve("next=p9", Answers.page(10..<20, next: "p19"))
        server.seconds = { _, request in request.url.query?.contains("p9") == true ? 3 : 1 }
        let app = app
        _ = try phone.run { await app.scrollAndReturn() }
        #expect(rows.count == 20)
        #expect(app.screen.withLock { $0.feeds[0].cursor } == "p19")
    }

    @Test("TB-13: scrolling back and forth asks for one page twice and shows it twice")
    func duplicates() throws {
        try openFeed((0..<10).map { Answers.post($0) }, next: "p9")
        server.serve("next=p9", Answers.page(10..<20, next: "p19"))
        let app = app
        let outcomes = try phone.together(
            { await app.scrollFeed() }, { await app.scrollFeed() })
        #expect(outcomes == [.rendered, .duplicates])
        #expect(rows.count == 30)
    }

    @Test(
        "TB-14: a page of requests is written behind all requests into the recommendations",
        arguments: [(1.0, ["p0", "p1", "p9"]), (3.0, ["p0", "p1", "p9", "p8"])])
    func mixedLists(seconds: Double, given: [String]) throws {
        let own = (0..<4).map { Answers.post($0, by: "me") }
        server.serve(
            "next=&product_id=tbtb_recommended", Answers.page(Array(own.prefix(2)), next: "r"))
        server.serve(
            "next=&product_id=tbtb_recommend", Answers.page(Array(own.suffix(2)), next: "g"))
        server.serve("next=g", Answers.page([Answers.post(8, by: "me")]))
        server.serve("next=r", Answers.page([Answers.post(9, by: "me")]))
        server.seconds = { _, request in
            request.url.query?.contains("next=g") == true ? seconds : 1
        }
        let app = app
        _ = try phone.run { await app.openProfile() }
        #expect(try phone.run { await app.scrollProfile() } == .wrong("list"))
        let page = app.screen.withLock { $0[.own] }
        // Answered in order the page of recommendations is lost; otherwise it comes last.
        #expect(page.give.map(\.postID) == given)
        #expect(page.receive.map(\.postID) == ["p0", "p1"])
    }

    @Test("TB-15: fewer than four own posts in a page of everybody's, and no further page comes")
    func starvation() throws {
        let mixed = (0..<10).map { Answers.post($0, by: $0 < 3 ? "me" : "author") }
        server.serve("next=&product_id=tbtb_recommended", Answers.page([], next: "r"))
        server.serve("next=&product_id=tbtb_recommend", Answers.page(mixed, next: "g"))
        let app = app
        _ = try phone.run { await app.openProfile() }
        let calls = server.calls.count
        #expect(try phone.run { await app.scrollProfile() } == .nothingToDo)
        #expect(server.calls.count == calls)
    }

    @Test("TB-16: the feed reloads beside the upload of a new post and does not show it")
    func reloadRace() throws {
        server.serve("/v1/posts?limit=10&next=&", Answers.page(0..<10))
        let app = app
        let photo = Photo(.png, kilobytes: 1...2, choices: app.choices)
        #expect(try phone.run { await app.write(photos: [photo]) } == .stale("feed"))
        #expect(
            server.calls == ["POST /v1/posts/files", "GET /v1/posts", "POST /v1/posts"]
                || server.calls == ["GET /v1/posts", "POST /v1/posts/files", "POST /v1/posts"])
    }

    @Test("TB-17: the second tap on a throttled button fires when its window ends")
    func throttleTail() throws {
        app.storage.wipe()
        server.serve("/login", "{}", status: 401)
        let app = app
        _ = try phone.together(
            { await app.signIn() }, { await app.signIn() }, { await app.signIn() })
        // The first tap at once, of the other two only the later one, five seconds on.
        #expect(server.count("/login") == 2)
    }

    @Test("TB-17: after a successful sign-in its screen is gone, and the second tap with it")
    func throttleDisposed() throws {
        app.storage.wipe()
        let app = app
        let outcomes = try phone.together(
            { await app.signIn() }, { await app.signIn() })
        #expect(outcomes == [.rendered, .nothingToDo])
        #expect(server.count("/login") == 1)
    }

    @Test("TB-18: coming back to a search shows its next page, and after the last the first")
    func searchCursor() throws {
        server.serve("next=&hashTag=a", Answers.page(0..<10, next: "p9"))
        server.serve("next=p9", Answers.page(10..<12))
        server.serve("next=0", Answers.page(0..<10, next: "p9"))
        let app = app
        let outcomes = try phone.run {
            [await app.search("a"), await app.openSearch(), await app.openSearch()]
        }
        #expect(outcomes == [.rendered, .stale("search"), .rendered])
        let cursors = server.requests.compactMap(\.url.query).map { $0.split(separator: "&")[1] }
        #expect(cursors == ["next=", "next=p9", "next=0"])
    }

    @Test("A search that appears asks for an empty word, and scrolling on pages with the cursor")
    func searchPages() throws {
        server.serve("hashTag=a", Answers.page(0..<10, next: "p9"))
        server.serve("hashTag=", Answers.page([Int]()))
        let app = app
        let outcomes = try phone.run {
            [await app.openSearch(), await app.search("a"), await app.scrollSearch()]
        }
        #expect(outcomes == [.rendered, .rendered, .rendered])
        #expect(
            server.requests.compactMap(\.url.query) == [
                "limit=10&next=&hashTag=", "limit=10&next=&hashTag=a", "limit=10&next=p9&hashTag=a",
            ])
        #expect(app.screen.withLock { $0.found.rows.count } == 20)
    }

    @Test("TB-19: paying for a post that was searched opens an empty page and asks for nothing")
    func searchPays() throws {
        server.serve("hashTag=a", Answers.page([Answers.post(1, price: 500)]))
        let app = app
        let outcomes = try phone.run { [await app.search("a"), await app.payFromSearch()] }
        #expect(outcomes == [.rendered, .missing("paymentPage")])
        // Closed, the empty page leads back to the search, which asks again.
        #expect(server.calls == Array(repeating: "GET /v1/posts/hashtags", count: 2))
        #expect(phone.payments.merchantUIDs.isEmpty)
        // The same post, paid for from the feed.
        server.serve("/v1/posts?limit=10&next=&", Answers.page([Answers.post(1, price: 500)]))
        _ = try phone.run { [await app.openFeed(tab: 0), await app.payForLockedPost()] }
        #expect(phone.payments.merchantUIDs.count == 1 && server.count("/validation") == 1)
    }

    @Test("A post whose validation failed is still locked, and takes the money again")
    func paidTwice() throws {
        try openFeed([Answers.post(1, price: 500)])
        server.serve("/validation", "{}", status: 500)
        let app = app
        let outcomes = try phone.run { [await app.payForLockedPost(), await app.payAgain()] }
        #expect(outcomes == [.missing("payment"), .chargedTwice])
        // The payment page is closed first, and so the feed is loaded again.
        #expect(
            server.calls == [
                "GET /v1/posts", "POST /v1/payments/validation", "GET /v1/posts",
                "POST /v1/payments/validation",
            ])
        #expect(phone.payments.merchantUIDs.count == 2)
        #expect(phone.payments.merchantUIDs[0].hasPrefix("ios_"))
    }

    @Test("A post whose validation succeeded is not offered again")
    func paidOnce() throws {
        try openFeed([Answers.post(1, price: 500)])
        server.body = { call, request in
            request.url.path == "/v1/posts" && call > 0
                ? Answers.page([Answers.post(1, price: 500, buyers: ["me"])]) : nil
        }
        let app = app
        let outcomes = try phone.run { [await app.payForLockedPost(), await app.payAgain()] }
        #expect(outcomes == [.charged, .nothingToDo])
        #expect(phone.payments.merchantUIDs.count == 1)
    }

    @Test("The liked page reloads behind a heart, the own page changes its row alone")
    func profilePages() throws {
        let mine = Answers.post(1, by: "me", likes: ["me"])
        server.serve("product_id=tbtb_recommended", Answers.page([Int]()))
        server.serve("product_id=tbtb_recommend", Answers.page([mine]))
        let app = app
        _ = try phone.run { await app.openProfile() }
        #expect(server.calls.count { !$0.hasSuffix(".png") } == 3)
        #expect(try phone.run { await app.like(row: 0) } == .rendered)
        #expect(server.calls.suffix(1) == ["POST /v1/posts/p1/like"])
        #expect(try phone.run { await app.openPage(.liked) } == .rendered)
        #expect(try phone.run { await app.like(row: 0) } == .rendered)
        #expect(
            server.calls.suffix(3) == ["POST /v1/posts/p1/like", "GET /v1/posts", "GET /v1/posts"])
    }

    @Test("Scrolling the books found asks for the second page, and then for the second page again")
    func secondPage() throws {
        server.serve("/book.json", Answers.products("book", count: 10))
        let app = app
        let outcomes = try phone.run {
            [await app.searchBooks("a"), await app.scrollBooks(), await app.scrollBooks()]
        }
        #expect(outcomes == [.rendered, .rendered, .duplicates])
        let starts = server.requests.compactMap { $0.url.query?.split(separator: "&").last }
        #expect(starts == ["start=1", "start=11", "start=11"])
    }

    @Test("A withdrawal during another call's refresh leaves a token that nobody owns")
    func withdrawalDuringRefresh() throws {
        server.goodTokens = []
        // Both calls meet a 419 after a second; the feed's refresh is the slower one.
        server.seconds = { call, _ in call == 2 ? 5 : 1 }
        let app = app
        let outcomes = try phone.together(
            { await app.openFeed(tab: 0) }, { await app.withdraw() })
        #expect(outcomes == [.rendered, .rendered])
        #expect(server.answered.filter { $0.url.path.hasSuffix("/withdraw") }.count == 2)
        #expect(!app.storage.access.isEmpty && app.storage.userID.isEmpty)
        #expect(app.snapshot.hasOrphanedSession)
    }

    @Test("A refused empty comment shows the alert for a missing post and closes the screen")
    func emptyComment() throws {
        try openFeed([Answers.post(1)])
        server.serve("/comments", "{}", status: 400)
        server.serve("/v1/posts/p1", Answers.post(1))
        let app = app
        let outcomes = try phone.run { [await app.openPost(row: 0), await app.comment("")] }
        #expect(outcomes == [.rendered, .alert("invalidPost")])
        #expect(app.screen.withLock { $0.detail } == nil)
    }

    @Test("Somebody new has the address checked and signs up with it")
    func joinAnew() throws {
        let app = app
        #expect(try phone.run { await app.joinAnew() } == .rendered)
        #expect(server.calls == ["POST /v1/validation/email", "POST /v1/users/join"])
    }
}
