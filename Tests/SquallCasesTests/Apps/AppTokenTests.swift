import SquallApps
import Testing

@testable import SquallCases

/// What the apps' own token designs have in common, as each of them was built.
@Suite("Tokens of every app")
struct AppTokenTests {
    private static let apps = AppRegistry.ofContract.map(\.name)
    /// Scrolly gives up after three sends; the others send as long as the server says so.
    private static let endless = apps.filter { $0 != "scrolly" }

    private let phone = Phone()

    /// Calls of a model on an expired token: what became of them, and what was sent.
    private func calls(
        _ count: Int, of app: String
    ) throws -> (outcomes: [StepOutcome?], refreshes: Int, sends: Int) {
        let description = try #require(AppRegistry.app(named: app))
        let outcomes = try phone.modelCalls(count, of: description, "asBuilt")
        let refreshes = phone.server.count("/refresh")
        return (outcomes, refreshes, phone.server.calls.count - refreshes)
    }

    @Test("N calls answered 'expired' together refresh N times", arguments: apps, 1...6)
    func stampede(app: String, count: Int) throws {
        let (outcomes, refreshes, sends) = try calls(count, of: app)
        #expect(outcomes.allSatisfy { $0?.isSuccess == true })
        #expect(refreshes == count && sends == 2 * count)
    }

    @Test("A 419 that arrives after a new token was stored refreshes once more", arguments: apps)
    func lateExpiry(app: String) throws {
        phone.server.seconds = { call, _ in call == 1 ? 3.5 : 1 }
        let (outcomes, refreshes, _) = try calls(2, of: app)
        #expect(outcomes.allSatisfy { $0?.isSuccess == true })
        // The first call is over at 3 seconds, with T1 stored since 2.
        #expect(refreshes == 2 && phone.server.requests.last?.token == "T2")
    }

    @Test(
        "While new tokens are answered 'expired' a call is sent without end or pause",
        arguments: endless)
    func hotLoop(app: String) throws {
        phone.server.newTokensAreGood = false
        let (outcomes, refreshes, sends) = try calls(1, of: app)
        // Sent at 0, 2, 4, 6 and 8 seconds, refreshed at 1, 3, 5, 7 and 9.
        #expect(outcomes == [nil] && refreshes == 5 && sends == 5)
    }

    @Test("A refresh answered 'expired' refreshes again, without end", arguments: apps)
    func recursion(app: String) throws {
        phone.server.refresh = .status(419)
        let (outcomes, refreshes, sends) = try calls(1, of: app)
        #expect(outcomes == [nil] && refreshes == 9 && sends == 1)
    }
}
