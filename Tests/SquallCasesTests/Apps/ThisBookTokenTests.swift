import SquallHTTP
import Testing

import SquallApps
@testable import SquallCases

@Suite("이책저책's tokens")
struct ThisBookTokenTests {
    private let phone = Phone()
    private let app: ThisBookThatBook

    init() { app = phone.install(ThisBookThatBook.self) }

    private func profiles(_ count: Int) -> [@Sendable () async -> ThisBookError?] {
        let app = app
        return Array(
            repeating: { await app.api.fetch(.myProfile, as: ThisBookProfile.self).error },
            count: count)
    }

    @Test(
        "Any refused refresh ends the session: N calls refresh N times and everything is wiped",
        arguments: [418, 401, 403, 429, 500, 503])
    func refusedRefresh(status: Int) throws {
        phone.server.refresh = .status(status)
        let errors = try phone.run(profiles(3))
        #expect(phone.server.count("/refresh") == 3)
        #expect(phone.server.count("/profile") == 3)
        #expect(errors == [.expiredToken, .expiredToken, .expiredToken])
        #expect(app.storage.access.isEmpty && app.storage.refresh.isEmpty)
        #expect(app.storage.userID.isEmpty && app.needsSignIn)
    }

    @Test(
        "A refresh without an answer, or with one that does not decode, leaves its call for ever",
        arguments: [ScriptedServer.Refresh.isLost, .isGarbled])
    func hang(refresh: ScriptedServer.Refresh) throws {
        phone.server.refresh = refresh
        #expect(try phone.run(profiles(2)) == [nil, nil])
        #expect(phone.parked == Array(repeating: "ThisBookAuthInterceptor.retry", count: 2))
        #expect(app.storage.refresh == "R")
    }

    @Test("A deletion answered 'expired' refreshes nothing and ends a session that was fine")
    func deletion() throws {
        phone.server.serve("/v1/posts?", Answers.page([Answers.post(1, by: "me")]))
        let app = app
        let outcome = try phone.run {
            _ = await app.openFeed(tab: 0)
            return await app.deleteOwnPost()
        }
        #expect(phone.server.calls.last == "DELETE /v1/posts/p1")
        #expect(phone.server.count("/refresh") == 0)
        #expect(outcome == .loggedOut && app.storage.refresh == "R")
    }

    @Test("Uploads answered 'expired' refresh nothing: a post is lost, a profile edit signs out")
    func uploads() throws {
        phone.server.serve("/v1/posts?", Answers.page([]))
        let app = app
        let outcomes = try phone.together(
            { await app.write(photos: [Photo(.png, kilobytes: 1...2, choices: app.choices)]) },
            { await app.editProfile() })
        #expect(outcomes == [.lost("post"), .loggedOut])
        #expect(phone.server.count("/refresh") == 0 && phone.server.count("/files") == 1)
        #expect(phone.server.calls.count { $0 == "POST /v1/posts" } == 0)
    }

    @Test("Before a sign-in every call carries an empty token; a refresh then both of them empty")
    func emptyTokens() throws {
        app.storage.wipe()
        phone.server.serve("/profile", "{}", status: 419)
        phone.server.refresh = .status(401)
        try phone.run(profiles(1))
        let refresh = try #require(phone.server.requests.last)
        #expect(refresh.url.path == "/v1/auth/refresh")
        #expect(refresh.value(forHTTPHeaderField: "Authorization") == "")
        #expect(refresh.value(forHTTPHeaderField: "Refresh") == "")
    }

    @Test(
        "A call without an answer emits an error for lists and deletions, and nothing otherwise",
        arguments: [
            (AppCall<ThisBookThatBook>.posts(next: "", productID: "p"), ThisBookError.standard),
            (.hashtags(next: "", hashTag: "t"), .standard), (.myProfile, nil), (.withdraw, nil),
            (.post(id: "p"), nil), (.like(postID: "p", true), nil),
        ] as [(AppCall<ThisBookThatBook>, ThisBookError?)])
    func silence(target: AppCall<ThisBookThatBook>, error: ThisBookError?) throws {
        phone.server.lostPaths = ["/v1"]
        let app = app
        let emission = try #require(
            try phone.run { await app.api.fetch(target, as: ThisBookPage.self) })
        #expect(emission.error == error)
        #expect(app.shown(emission, on: "s") == error.map { .toast($0.rawValue) } ?? .stuck("s"))
    }
}
