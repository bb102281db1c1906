import Testing

import SquallApps
@testable import SquallCases

@Suite("Share.D's tokens")
struct ShareDTokenTests {
    private let phone = Phone()
    private let app: ShareD

    init() { app = phone.install(ShareD.self) }

    private func posts(_ count: Int) -> [@Sendable () async -> Int] {
        let app = app
        return Array(
            repeating: { await app.api.post(.post(id: "p"), as: ShareDPost.self)?.status ?? 0 },
            count: count)
    }

    @Test(
        "A refused refresh is asked for twice by each call, and nobody is signed out",
        arguments: [418, 401, 403, 429, 500])
    func refusedRefresh(status: Int) throws {
        phone.server.refresh = .status(status)
        #expect(try phone.run(posts(3)) == [419, 419, 419])
        #expect(phone.server.count("/refresh") == 6)
        #expect(phone.server.count("/p") == 3)
        #expect(app.storage.refresh == "R" && !app.needsSignIn)
    }

    @Test("SD-2: after the refresh token's death every tap costs three calls, for ever")
    func permanentStorm() throws {
        phone.server.refresh = .status(418)
        let app = app
        for taps in 1...5 {
            #expect(try phone.run { await app.openCommunity() } == .missing("community"))
            #expect(phone.server.calls.count == 3 * taps)
        }
        #expect(!app.needsSignIn)
    }

    @Test("A second refresh that succeeds where the first did not saves the call")
    func secondChance() throws {
        phone.server.refresh = .inTurn([500, 200])
        #expect(try phone.run(posts(1)) == [200])
        #expect(phone.server.count("/refresh") == 2 && phone.server.count("/p") == 2)
    }

    @Test("A refresh without an answer leaves the 419 in place, twice, and nothing hangs")
    func lostRefresh() throws {
        phone.server.refresh = .isLost
        #expect(try phone.run(posts(1)) == [419])
        #expect(phone.server.count("/refresh") == 2 && phone.parked.isEmpty)
    }

    @Test("Without an answer a call about the person never emits, a profile's is 0, a post's 500")
    func silence() throws {
        phone.server.lostPaths = ["/v1/users", "/v1/posts"]
        phone.server.serve("/v1/search", #"{"total":0,"items":[]}"#)
        let app = app
        let outcomes = try phone.together(
            { await app.openHome() }, { await app.openCommunity() }, { await app.joinAnew() })
        #expect(outcomes == [.missing("profile"), .missing("community"), .stuck("join")])
    }

    @Test("An upload and an image answered 'expired' refresh nothing")
    func besideTheInterceptor() throws {
        let app = app
        #expect(try phone.run { await app.editProfile() } == .lost("profile"))
        #expect(try phone.run { await app.image("uploads/profiles/me.png") } == false)
        #expect(phone.server.count("/refresh") == 0 && app.snapshot.expiredPictures == 1)
    }

    @Test(
        "No screen ever reads 418: after a dead refresh each shows its own text for the 419",
        arguments: [
            (ShareDText.Screen.post, ShareDText.unknown), (.settings, .unknown),
            (.other, .tokenExpired),
        ])
    func deadBranch(place: ShareDText.Screen, text: ShareDText) {
        #expect(app.toast(419, on: place) == .toast(text.rawValue) && !app.needsSignIn)
        #expect(app.toast(418, on: place) == .loggedOut && app.needsSignIn)
    }

    @Test("A user of Share.D who logs out by hand and signs in again has a session that works")
    func logOut() throws {
        phone.server.refresh = .status(418)
        let app = app
        _ = try phone.run { await app.openCommunity() }
        #expect(try phone.run { await app.logOut() } == .rendered)
        #expect(app.needsSignIn && phone.server.calls.count == 3)
        phone.server.goodTokens = ["T1"]
        let outcomes = try phone.run { [await app.signIn(), await app.openCommunity()] }
        #expect(outcomes == [.rendered, .rendered])
        #expect(phone.server.log.last?.hasSuffix(" T1 GET /v1/posts") == true)
    }
}

@Suite("Share.D's earlier designs")
struct ShareDDesignTests {
    private let phone = Phone()

    @Test("A refresh whose subscription died stores its token, and the call never answers")
    func disposed() throws {
        let app = phone.install(ShareD.self, design: "disposedRefresh")
        #expect(try phone.run { await app.openCommunity() } == .stuck("community"))
        #expect(phone.server.calls == ["GET /v1/posts", "GET /v1/auth/refresh"])
        #expect(app.storage.access == "T1")
        #expect(try phone.run { await app.openCommunity() } == .rendered)
    }

    @Test("A token stored under the old one as its key is never read: two calls a round, for ever")
    func wrongKey() throws {
        let app = phone.install(ShareD.self, design: "tokenUnderItself")
        #expect(try phone.run(seconds: 9.5) { await app.openCommunity() } == nil)
        #expect(phone.server.count("/posts") == 5 && phone.server.count("/refresh") == 5)
        #expect(app.storage.access == "T0")
    }

    @Test("Where nothing refreshes whoever is answered 'expired' has to sign in again")
    func nobodyRefreshes() throws {
        let app = phone.install(ShareD.self, design: "signInAgain")
        #expect(try phone.run { await app.openCommunity() } == .loggedOut)
        #expect(app.needsSignIn && phone.server.calls == ["GET /v1/posts"])
        phone.server.goodTokens = ["T1"]
        let outcomes = try phone.run { [await app.signIn(), await app.openCommunity()] }
        #expect(outcomes == [.rendered, .rendered] && phone.server.count("/refresh") == 0)
    }

    @Test(
        "On a good token all earlier designs of Share.D make the same calls",
        arguments: ShareD.designs)
    func goodToken(design: String) throws {
        phone.server.goodTokens = ["T0"]
        let app = phone.install(ShareD.self, design: design)
        #expect(try phone.run { await app.openCommunity() } == .rendered)
        #expect(phone.server.calls == ["GET /v1/posts"])
    }
}
