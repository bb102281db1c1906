import Testing

@Suite("The reference design in the measured storms")
struct ReferenceStormTests {
    /// At 64 most refusals come after the refresh: they are sent again without another one.
    @Test(
        "One refresh serves any number of requests, whatever the server does with old tokens",
        arguments: stormSizes, [Scenario.coexist, .rotate, .oneShot])
    func oneRefresh(count: Int, scenario: Scenario) throws {
        let outcome = try StormWorld(scenario).storm(ReferenceVariant.self, count)
        #expect(outcome.refreshes == 1 && outcome.succeeded == count)
        #expect(outcome.retries == count && outcome.server.expiredResponses == count)
        #expect(outcome.server.dataRequests == 2 * count && outcome.consults == count)
    }

    @Test(
        "An expired refresh token is reported once, after one refresh", arguments: stormSizes)
    func expired(count: Int) throws {
        let outcome = try StormWorld(.refreshExpired).storm(ReferenceVariant.self, count)
        #expect(outcome.refreshes == 1 && outcome.reports == 1 && outcome.hung == 0)
        #expect(
            outcome.ended
                == Array(repeating: "requestRetryFailed.tokens.sessionExpired", count: count))
    }

    /// Up to 18 requests wait for the first refresh.
    ///
    /// Those refused later try again, each time for
    /// all that are refused meanwhile; at 64 that makes four, as for the gate.
    @Test(
        "A refresh that fails otherwise signs nobody out and is not asked for twice by anybody",
        arguments: [Scenario.refreshRefused, .connectionLost],
        [(1, 1), (2, 1), (8, 1), (16, 1), (64, 4)])
    func transient(scenario: Scenario, storm: (count: Int, refreshes: Int)) throws {
        let outcome = try StormWorld(scenario).storm(ReferenceVariant.self, storm.count)
        #expect(outcome.refreshes == storm.refreshes && outcome.reports == 0)
        let failure = "requestRetryFailed.tokens.refreshFailed"
        #expect(outcome.ended == Array(repeating: failure, count: storm.count))
    }

    @Test(
        "When no token is ever accepted, each request is sent twice and one refresh is made",
        arguments: stormSizes)
    func neverAccepted(count: Int) throws {
        let outcome = try StormWorld(.neverAccepted).storm(ReferenceVariant.self, count)
        #expect(outcome.refreshes == 1 && outcome.server.dataRequests == 2 * count)
        let failure = "requestRetryFailed.tokens.refusedAgain"
        #expect(outcome.ended == Array(repeating: failure, count: count))
    }
}
