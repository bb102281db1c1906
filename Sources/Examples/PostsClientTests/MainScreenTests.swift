import Squall
import Testing

/// The server of the tests; a profile takes it longer than posts.
private let service = TokenService(
    .bearer, accessLifetime: .seconds(300), refresh: .rotatingStrict,
    routes: [
        .get("/posts", json: #"[{"id": 1, "title": "First"}]"#),
        .get("/profile", json: #"{"nick": "Kim"}"#).costing(.milliseconds(200)),
    ])

@Suite("The main screen of an ordinary client")
struct MainScreenTests {
    @Test("Who is told late that the token has expired refreshes again: the race of TokenStore")
    func race() throws {
        let run = try simulate(seed: 1) { world in
            try await openMainScreen(of: service, in: world, ordinaryStore)
        }
        #expect(run.refreshes == 2)
        #expect(run.redundantRefreshes == 1)
        #expect("\(run)".hasPrefix("race: 1 refresh of a token that had been refreshed already"))
        #expect(run.expired == 2)
    }

    @Test("A store that looks again refreshes once", arguments: UInt64(1)...10)
    func careful(seed: UInt64) throws {
        let run = try simulate(seed: seed) { world in
            try await openMainScreen(of: service, in: world, carefulStore)
        }
        #expect(run.refreshes == 1)
        #expect(run.redundantRefreshes == 0)
    }
}
