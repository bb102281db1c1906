import SquallHTTP
import SquallKernel
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

@Suite("Scrolly's hazards")
struct ScrollyHazardTests {
    private let phone = Phone()
    private let app: Scrolly

    init() {
        app = phone.install(Scrolly.self)
        phone.server.goodTokens = ["T0"]
    }

    private var server: ScriptedServer { phone.server }
    private let episode = ScrollyEpisode(postID: "p1", document: "uploads/a.pdf", price: 100)

    /// Makes the lists of viewed episodes that are asked for before the mark take so long.
    private func delayEarlyLists(seconds: Double) {
        let early = EarlyCalls()
        server.seconds = { [unowned server] call, request in
            let isMarked = server.answered.contains { $0.url.path.hasSuffix("/like-2") }
            guard request.url.path.hasSuffix("/likes-2/me"), !isMarked else { return 1 }
            early.insert(call)
            return seconds
        }
        server.body = { call, request in
            guard request.url.path.hasSuffix("/likes-2/me") else { return nil }
            return Answers.page(early.contains(call) ? [] : [1])
        }
    }

    @Test(
        "SC-R1: a list asked for before the mark and answered after it takes the mark away",
        arguments: [(1.0, StepOutcome.rendered), (5, .stale("viewed"))])
    func mark(seconds: Double, expected: StepOutcome) throws {
        delayEarlyLists(seconds: seconds)
        let (app, episode) = (app, episode)
        app.screen.withLock { $0.freeEpisode = episode }
        #expect(try phone.run { await app.openFreeEpisode() } == expected)
        // Seven calls at once, and the list once more behind the mark.
        #expect(server.calls.count == 8)
    }

    @Test(
        "SC-R2: the header shows an episode in the novel's place when the lists come first",
        arguments: [(0.5, StepOutcome.rendered), (3, .wrong("header"))])
    func header(seconds: Double, expected: StepOutcome) throws {
        server.seconds = { _, request in request.url.path.hasSuffix("/p9") ? seconds : 1 }
        server.serve("/v1/posts/p9", Answers.post(9))
        let app = app
        app.screen.withLock { $0.recent = ScrollyRecent(parentID: "p9", tag: "novel") }
        #expect(try phone.run { await app.openRecent() } == expected)
    }

    @Test("SC-R3: after the first load every answer draws all four sections, old beside new")
    func draws() throws {
        let app = app
        #expect(try phone.run { await app.loadMain() } == .rendered)
        #expect(app.screen.withLock { $0.main.draws } == 1)
        #expect(try phone.run { await app.loadMain() } == .rendered)
        #expect(app.screen.withLock { $0.main.draws } == 1 + 4)
    }

    @Test(
        "SC-R3: of two reloads the one that is answered last stays, also when it is the older one",
        arguments: [(1.0, StepOutcome.rendered), (5, .stale("main"))])
    func reloads(seconds: Double, older: StepOutcome) throws {
        // Of the older load's calls the first takes so long, or a second as all others do.
        server.seconds = { call, _ in call == 0 ? seconds : 1 }
        let (app, simulation) = (app, phone.simulation)
        let outcomes = try phone.together(
            { await app.loadMain() },
            {
                try? await simulation.sleep(nanoseconds: 500_000_000)
                return await app.loadMain()
            })
        #expect(outcomes == [older, .rendered])
    }

    @Test(
        "SC-R4: beyond a page of viewed episodes a bought one is sold again",
        arguments: [("0", StepOutcome.nothingToDo), ("c2", .chargedTwice)])
    func cursor(next: String, again: StepOutcome) throws {
        server.serve("likes-2/me?limit=50&next=c2", Answers.page([Int]()))
        server.serve("likes-2/me", Answers.page([1], next: next))
        let (app, episode) = (app, episode)
        app.screen.withLock { $0.novelTag = "novel" }
        #expect(try phone.run { await app.openNovel() } == .rendered)
        app.screen.withLock { $0.paidEpisode = episode }
        #expect(try phone.run { await app.buyEpisode() } == .charged)
        #expect(try phone.run { await app.buyAgain() } == again)
        #expect(server.count("/payments/validation") == (again == .chargedTwice ? 2 : 1))
    }

    @Test("SC-R5: when the mark fails after the payment nobody is told; the episode is sold again")
    func ownership() throws {
        server.serve("/like-2", status: 500)
        server.serve("likes-2/me", Answers.page([Int]()))
        let (app, episode) = (app, episode)
        app.screen.withLock { $0.paidEpisode = episode }
        #expect(try phone.run { await app.buyEpisode() } == .charged)
        #expect(
            server.calls == [
                "POST /v1/payments/validation", "POST /v1/posts/p1/like-2", "GET /v1/uploads/a.pdf",
            ])
        #expect(try phone.run { await app.buyAgain() } == .chargedTwice)
        #expect(server.count("/payments/validation") == 2)
        #expect(phone.payments.merchantUIDs.count == 2)
    }

    @Test("SC-R6: a tab that failed stays empty: tapping it again asks for nothing")
    func tabs() throws {
        server.serve("/hashtags", status: 500)
        let app = app
        #expect(try phone.run { await app.openTab(2) } == .toast("serverError"))
        #expect(server.log == Array(repeating: "0.0 T0 GET /v1/posts/hashtags", count: 3))
        #expect(try phone.run { await app.openTab(2) } == .missing("tab"))
        #expect(server.calls.count == 3)
        #expect(server.requests.allSatisfy { $0.url.query?.hasPrefix("hashTag=fantasy") == true })
    }

    @Test("SC-R6: one failed call of three leaves two sections and a toast")
    func tabOfTwoSections() throws {
        server.serve("/hashtags", Answers.page([1]))
        server.body = { call, _ in call == 1 ? "{" : nil }
        let app = app
        #expect(try phone.run { await app.openTab(2) } == .toast("invalidData"))
        #expect(app.screen.withLock { $0.novelTag } != nil || server.calls.count == 3)
        #expect(try phone.run { await app.openTab(2) } == .nothingToDo)
    }

    @Test("A payment whose validation failed closes its page without a word, and is charged again")
    func secondCharge() throws {
        server.serve("/validation", "{}", status: 500)
        let (app, episode) = (app, episode)
        app.screen.withLock { $0.paidEpisode = episode }
        let outcomes = try phone.run { [await app.buyEpisode(), await app.buyAgain()] }
        #expect(outcomes == [.missing("payment"), .chargedTwice])
        #expect(server.calls == Array(repeating: "POST /v1/payments/validation", count: 2))
        #expect(phone.payments.merchantUIDs.count == 2)
    }

    @Test("A deletion that fails is a toast")
    func failedDeletion() throws {
        server.serve("/comments/", "{}", status: 500)
        let (app, episode) = (app, episode)
        app.screen.withLock { screen in
            screen.freeEpisode = episode
            screen.comment = "c1"
        }
        #expect(try phone.run { await app.deleteComment() } == .toast("serverError"))
    }

    @Test("A page of episodes that fails empties the list")
    func failedPage() throws {
        server.serve("limit=50&next=0", Answers.page(0..<20, next: "c2"))
        server.serve("limit=50&next=c2&product", "{}", status: 500)
        let app = app
        app.screen.withLock { $0.novelTag = "novel" }
        _ = try phone.run { [await app.openNovel(), await app.scrollEpisodes()] }
        #expect(app.screen.withLock { !$0.hasLongList && $0.paidEpisode == nil })
    }

    @Test("A chosen tab is loaded once, and each has its own word")
    func chosenTabs() throws {
        let app = app
        let outcomes = try phone.run {
            [await app.openTab(3), await app.openTab(0), await app.openTab(3)]
        }
        #expect(outcomes == [.rendered, .rendered, .nothingToDo])
        let words = server.requests.compactMap { $0.url.query?.split(separator: "&").first }
        #expect(
            words == ["hashTag=romance", "hashTag=romance", "hashTag=romance"]
                + ["hashTag=male", "hashTag=male", "hashTag=male"])
    }

    @Test("The screen at an episode's end asks for the cover alone, and for nothing twice")
    func finish() throws {
        let app = app
        app.screen.withLock { screen in
            screen.readEpisode = ScrollyEpisode(
                postID: "p1", document: "a.pdf", price: 100, cover: "uploads/a.jpg")
        }
        #expect(try phone.run { await app.finishEpisode() } == .rendered)
        #expect(try phone.run { await app.finishEpisode() } == .nothingToDo)
        #expect(server.calls == ["GET /v1/uploads/a.jpg"])
    }

    @Test("SC-R7: after the last page its cursor stays, and every scroll asks for that page again")
    func lastPage() throws {
        server.serve("limit=50&next=0", Answers.page(0..<20, next: "c2"))
        server.serve("limit=50&next=c2&product", Answers.page(20..<40))
        let app = app
        app.screen.withLock { $0.novelTag = "novel" }
        #expect(try phone.run { await app.openNovel() } == .rendered)
        for _ in 1...3 { _ = try phone.run { await app.scrollEpisodes() } }
        let cursors = server.requests.filter { $0.url.path.hasSuffix("/hashtags") }
            .compactMap { $0.url.query?.split(separator: "&")[2] }
        #expect(cursors == ["next=0", "next=c2", "next=c2", "next=c2"])
    }

    @Test("Covers carry the token, are loaded once, and stay empty on an expired one")
    func covers() throws {
        server.serve("/v1/posts", Answers.page([Answers.post(1, files: ["uploads/a.jpg"])]))
        let app = app
        app.storage.access = "T9"
        #expect(try phone.run { await app.loadMain() } == .rendered)
        #expect(server.count("/a.jpg") == 1 && app.snapshot.expiredPictures == 1)
        app.storage.access = "T0"
        for _ in 1...2 { #expect(try phone.run { await app.loadMain() } == .rendered) }
        #expect(server.count("/a.jpg") == 2 && server.count("/refresh") == 0)
        #expect(
            server.requests.last { $0.url.path.hasSuffix("/a.jpg") }?
                .value(forHTTPHeaderField: "Authorization") == "T0")
    }

    @Test("A sign-up that succeeded is reported as a failure")
    func join() throws {
        let app = app
        #expect(try phone.run { await app.joinAnew() } == .toast("invalidData"))
        #expect(server.calls == ["POST /v1/validation/email", "POST /v1/users/join"])
        let body = try #require(server.requests.last?.body.text)
        #expect(
            body.contains(#""birthDay":"Optional("#) && body.contains(#/"phoneNum":"[0-9]{8}"/#))
    }

    @Test(
        "The sign-up screen asks for eight characters, a phone, seventeen years and a name",
        arguments: [
            ("novel-123", "12345678", 17, "n", true), ("novel-1", "12345678", 17, "n", false),
            ("novel-123", "123456", 17, "n", false), ("novel-123", "01012345678", 17, "n", false),
            ("novel-123", "12345678", 16, "n", false), ("novel-123", "12345678", 17, "", false),
        ])
    func rules(password: String, phone: String, age: Int, nick: String, isFine: Bool) {
        let account = ["email": "n@x.kr", "password": password, "nick": nick, "phoneNum": phone]
        #expect(Scrolly.isComplete(account, age: age) == isFine)
    }
}

/// The numbers of calls that were sent before something happened.
private final class EarlyCalls: Sendable {
    private let calls = Mutex<Set<Int>>([])

    func insert(_ call: Int) { calls.withLock { _ = $0.insert(call) } }
    func contains(_ call: Int) -> Bool { calls.withLock { $0.contains(call) } }
}
