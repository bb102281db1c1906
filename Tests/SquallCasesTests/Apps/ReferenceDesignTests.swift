import SquallHTTP
import Testing

import SquallApps
@testable import SquallCases

@Suite("The reference design in every app")
struct ReferenceDesignTests {
    private let phone = Phone()

    private func install(_ app: AppDescription, _ design: String = "reference") -> any InstalledApp
    {
        let app = app.install(phone.device, design)
        app.restore(
            StoredAccount(
                userID: "me", email: "reader@books.example", nick: "nick", accessToken: "T0",
                refreshToken: "R"))
        return app
    }

    private func calls(_ count: Int, of app: any InstalledApp) throws -> [StepOutcome?] {
        try phone.run(Array(repeating: { await app.call(.model) }, count: count))
    }

    @Test(
        "Every app has the reference beside the design it was built with",
        arguments: AppRegistry.ofContract)
    func designs(app: AppDescription) {
        #expect(app.designs.prefix(2) == ["asBuilt", "reference"])
    }

    @Test(
        "A dead refresh token leads to the sign-in screen once", arguments: AppRegistry.ofContract)
    func deadRefresh(description: AppDescription) throws {
        phone.server.refresh = .status(418)
        let app = install(description)
        let outcomes = try calls(4, of: app)
        #expect(phone.server.count("/refresh") == 1 && app.needsSignIn)
        #expect(outcomes == Array(repeating: .loggedOut, count: 4))
        phone.server.goodTokens = ["T1"]
        #expect(try phone.run { await app.signIn() } == .rendered)
        #expect(!app.needsSignIn)
        #expect(try calls(1, of: app) == [.rendered])
    }

    @Test(
        "Only a dead refresh token signs a user out; after other failures the next call refreshes",
        arguments: AppRegistry.ofContract,
        [
            ScriptedServer.Refresh.status(429), .status(500), .status(403), .status(419), .isLost,
            .isGarbled,
        ])
    func transient(description: AppDescription, failure: ScriptedServer.Refresh) throws {
        phone.server.refresh = failure
        let app = install(description)
        let outcomes = try calls(3, of: app)
        #expect(phone.server.count("/refresh") == 1 && !app.needsSignIn)
        #expect(outcomes.allSatisfy { $0?.isSuccess == false && $0 != .loggedOut })
        phone.server.refresh = .succeeds
        #expect(try calls(1, of: app) == [.rendered])
    }

    @Test(
        "A sign-in of the reference design needs no signed-in user",
        arguments: AppRegistry.ofContract)
    func freshDevice(description: AppDescription) throws {
        phone.server.goodTokens = ["T1"]
        let app = description.install(phone.device, "reference")
        #expect(app.needsSignIn)
        #expect(try phone.run { await app.signIn() } == .rendered)
        #expect(!app.needsSignIn)
        #expect(try calls(1, of: app) == [.rendered])
    }

    @Test("A fresh OOTD checks e-mail addresses")
    func emailCheck() throws {
        let app = OOTD(device: phone.device, design: "reference")
        #expect(try phone.run { await app.validateEmail("o@ootd.example") } == .rendered)
    }

    @Test("Share.D's withdrawal carries the token that its storage has forgotten")
    func withdrawal() throws {
        let app = phone.install(ShareD.self, design: "reference")
        #expect(try phone.run { await app.openCommunity() } == .rendered)
        #expect(try phone.run { await app.withdraw() } == .rendered)
        #expect(phone.server.requests.last?.value(forHTTPHeaderField: "Authorization") == "T1")
        #expect(app.needsSignIn && app.storage.refresh.isEmpty)
    }

    static let journeys = AppRegistry.ofContract.flatMap { app in
        app.journeys.indices.map { Walk(app: app, journey: $0) }
    }

    struct Walk: Sendable, CustomTestStringConvertible {
        let app: AppDescription
        let journey: Int
        var testDescription: String { "\(app.name) \(app.journeys[journey].name)" }
    }

    @Test("On a good token both designs make the same calls on every journey", arguments: journeys)
    func sameCalls(walk: Walk) throws {
        let built = try Phone().calls(on: walk, design: "asBuilt")
        #expect(try phone.calls(on: walk, design: "reference") == built)
    }
}

extension Phone {
    /// What a journey asks for on a good token, refreshes left out.
    fileprivate func calls(
        on walk: ReferenceDesignTests.Walk, design: String
    ) throws -> [String] {
        server.goodTokens = ["T0"]
        let app = walk.app.install(device, design)
        app.restore(
            StoredAccount(
                userID: "me", email: "e@x.kr", nick: "nick", accessToken: "T0", refreshToken: "R"))
        for step in walk.app.journeys[walk.journey].steps.indices {
            try run { await app.perform(step: step, ofJourney: walk.journey) }
        }
        return server.calls.filter { !$0.hasSuffix("/refresh") }
    }
}
