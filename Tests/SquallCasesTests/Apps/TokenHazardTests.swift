import SquallHTTP
import SquallKernel
import Testing

import SquallApps
@testable import SquallCases

/// Whether the tests of hazards would notice if there were none: the same scenario on the reference
/// design.
///
/// The reference replaces an app's token design and nothing else, so this is about the hazards that
/// tokens make. Those of screens are the same on both; their tests vary the order of answers, and
/// show the good order beside the bad one.
@Suite("Hazards of token designs")
struct TokenHazardTests {
    @Test(
        "The app as built shows the hazard, the same scenario on the reference design does not",
        arguments: TokenHazard.all)
    func mutation(hazard: TokenHazard) throws {
        #expect(try hazard.isSeen(Phone(), "asBuilt"))
        #expect(try !hazard.isSeen(Phone(), "reference"))
    }
}

/// A scenario in which a design may go wrong, and how that is seen.
struct TokenHazard: Sendable, CustomTestStringConvertible {
    let name: String
    /// Plays the scenario; whether the hazard was seen.
    let isSeen: @Sendable (Phone, _ design: String) throws -> Bool

    init(_ name: String, isSeen: @escaping @Sendable (Phone, String) throws -> Bool) {
        self.name = name
        self.isSeen = isSeen
    }

    var testDescription: String { name }

    static let all = ofEveryApp + ofScrolly + ofThisBook + ofShareD + ofOOTD

    private static let ofEveryApp = AppRegistry.ofContract.flatMap { app in
        [
            TokenHazard("\(app.name): N expired answers refresh N times") { phone, design in
                try phone.modelCalls(4, of: app, design)
                return phone.server.count("/refresh") > 1
            },
            TokenHazard("\(app.name): a late 419 refreshes once more") { phone, design in
                phone.server.seconds = { call, _ in call == 1 ? 3.5 : 1 }
                try phone.modelCalls(2, of: app, design)
                return phone.server.count("/refresh") > 1
            },
            TokenHazard("\(app.name): a call goes round or hangs while 419 stays") {
                phone, design in
                phone.server.newTokensAreGood = false
                let outcomes = try phone.modelCalls(1, of: app, design)
                return outcomes == [nil] && phone.server.count("/refresh") > 1
            },
            TokenHazard("\(app.name): a refresh answered 419 refreshes itself") { phone, design in
                phone.server.refresh = .status(419)
                try phone.modelCalls(1, of: app, design)
                return phone.server.count("/refresh") > 1
            },
        ]
    }

    private static let ofScrolly = [
        TokenHazard("scrolly: one failed refresh replaces the screen by Splash and Main") {
            phone, design in
            phone.server.refresh = .inTurn([500, 200])
            let app = phone.install(Scrolly.self, design: design)
            try phone.run { await app.call(.model) }
            return phone.server.count("/likes-2/me") > 0
        },
        TokenHazard("scrolly: a failed refresh ends the session") { phone, design in
            phone.server.refresh = .status(500)
            let app = phone.install(Scrolly.self, design: design)
            try phone.run { await app.call(.model) }
            return app.needsSignIn
        },
        TokenHazard("scrolly: an expired document is never loaded") { phone, design in
            let app = phone.install(Scrolly.self, design: design)
            return try phone.run { await app.call(.bytes) } != .rendered
        },
        TokenHazard("scrolly: an expired deletion does nothing") { phone, design in
            let app = phone.install(Scrolly.self, design: design)
            try phone.run { await app.call(.status) }
            return phone.server.requests.count { $0.method == .delete } < 2
        },
        TokenHazard("scrolly: an expired cover stays empty") { phone, design in
            let app = phone.install(Scrolly.self, design: design)
            return try phone.run { await app.call(.picture) } != .rendered
        },
        TokenHazard("scrolly: a start on a slow refresh never gets past Splash") {
            phone, design in
            phone.server.seconds = { _, _ in 3 }
            let app = phone.install(Scrolly.self, design: design)
            return try phone.run { await app.launch() } == .stuck("splash")
        },
    ]

    private static let ofThisBook = [
        TokenHazard("thisBookThatBook: a lost refresh leaves its call for ever") { phone, design in
            phone.server.refresh = .isLost
            let app = phone.install(ThisBookThatBook.self, design: design)
            return try phone.run { await app.openFeed(tab: 0) } == nil
        },
        TokenHazard("thisBookThatBook: one 500 wipes everything") { phone, design in
            phone.server.refresh = .status(500)
            let app = phone.install(ThisBookThatBook.self, design: design)
            try phone.run { await app.openFeed(tab: 0) }
            return app.storage.refresh.isEmpty
        },
        TokenHazard("thisBookThatBook: a session without an owner") { phone, design in
            phone.server.refresh = .inTurn([500, 200])
            let app = phone.install(ThisBookThatBook.self, design: design)
            try phone.run { await app.openProfile() }
            return app.snapshot.hasOrphanedSession
        },
        TokenHazard("thisBookThatBook: a call is sent with an empty token") { phone, design in
            phone.server.refresh = .inTurn([200, 500])
            let app = phone.install(ThisBookThatBook.self, design: design)
            try phone.together({ await app.openFeed(tab: 0) }, { await app.openFeed(tab: 1) })
            return phone.server.requests.contains { $0.token.isEmpty }
        },
        TokenHazard("thisBookThatBook: an expired deletion signs out") { phone, design in
            phone.server.serve("/v1/posts?", Answers.page([Answers.post(1, by: "me")]))
            let app = phone.install(ThisBookThatBook.self, design: design)
            try phone.run { [await app.openFeed(tab: 0), await app.deleteOwnPost()] }
            return app.needsSignIn
        },
        TokenHazard("thisBookThatBook: an expired upload loses the post") { phone, design in
            phone.server.serve("/v1/posts?", Answers.page([]))
            let app = phone.install(ThisBookThatBook.self, design: design)
            try phone.run {
                await app.write(photos: [Photo(.png, kilobytes: 1...2, choices: app.choices)])
            }
            return !phone.server.calls.contains("POST /v1/posts")
        },
    ]

    private static let ofShareD = [
        TokenHazard("shareD: a dead session costs three calls for every tap") { phone, design in
            phone.server.refresh = .status(418)
            let app = phone.install(ShareD.self, design: design)
            try phone.run { [await app.openCommunity(), await app.openCommunity()] }
            return phone.server.count("/refresh") > 1 && !app.needsSignIn
        },
        TokenHazard("shareD: a wrong password erases a valid session") { phone, design in
            phone.server.serve("/login", "{}", status: 401)
            let app = phone.install(ShareD.self, design: design)
            try phone.run { await app.signIn(email: "a@b.kr", password: "mistyped") }
            return app.storage.access.isEmpty
        },
        TokenHazard("shareD: an expired profile edit empties the name") { phone, design in
            let app = phone.install(ShareD.self, design: design)
            try phone.run { await app.editProfile() }
            return app.storage.nick.isEmpty
        },
        TokenHazard("shareD: a withdrawal carries the token wiped after it") { phone, design in
            phone.server.goodTokens = ["T0"]
            let app = phone.install(ShareD.self, design: design)
            _ = try phone.run { [await app.openCommunity(), await app.withdraw()] }
            return phone.server.requests.last?.token.isEmpty == true
        },
        TokenHazard("shareD: an expired portrait stays empty") { phone, design in
            let app = phone.install(ShareD.self, design: design)
            return try phone.run { await app.image("a.png") } != true
        },
    ]

    private static let ofOOTD = [
        TokenHazard("ootd: a late 419 fails a call that was fine") { phone, design in
            phone.server.refusesEarlyRefreshes = true
            phone.server.seconds = { call, _ in call == 1 ? 3.5 : 1 }
            let app = phone.install(OOTD.self, design: design)
            let outcomes = try phone.together({ await app.openFeed() }, { await app.openFeed() })
            return outcomes != [.rendered, .rendered]
        },
        TokenHazard("ootd: without tokens a call never ends") { phone, design in
            let app = OOTD(device: phone.device, design: design)
            return try phone.run { await app.openFeed() } == nil
        },
        TokenHazard("ootd: a call that starts while a token is written never ends") {
            phone, design in
            let (app, simulation) = (phone.install(OOTD.self, design: design), phone.simulation)
            let outcomes = try phone.together(
                { await app.openFeed() },
                {
                    try? await simulation.sleep(nanoseconds: 2_000_500_000)
                    return await app.openFeed()
                })
            return outcomes[1] == nil
        },
        TokenHazard("ootd: the e-mail check of a fresh device never ends") { phone, design in
            let app = OOTD(device: phone.device, design: design)
            return try phone.run { await app.validateEmail("a@b.kr") } == nil
        },
        TokenHazard("ootd: an undecodable refresh leaves its call for ever") { phone, design in
            phone.server.refresh = .isGarbled
            let app = phone.install(OOTD.self, design: design)
            return try phone.run { await app.openFeed() } == nil
        },
        TokenHazard("ootd: the button throws a token away") { phone, design in
            let app = phone.install(OOTD.self, design: design)
            _ = try phone.run { [await app.refresh(), await app.openFeed()] }
            return phone.server.count("/refresh") > 1
        },
    ]
}
