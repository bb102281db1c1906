import Squall
import Testing

/// Both calls take equally long, so only another order of events shows the race.
private let service = TokenService(
    .bearer, accessLifetime: .seconds(300), refresh: .rotatingStrict,
    routes: [
        .get("/posts", json: #"[{"id": 1, "title": "First"}]"#),
        .get("/profile", json: #"{"nick": "Kim"}"#),
    ])

@Sendable private func openMainScreen(_ world: TestWorld) async throws {
    try await openMainScreen(of: service, in: world, ordinaryStore)
}

@Sendable private func openMainScreenCarefully(_ world: TestWorld) async throws {
    try await openMainScreen(of: service, in: world, carefulStore)
}

@Suite("The main screen in many orders of events")
struct ExploredTests {
    @Test("A late refusal that refreshes again is found, with the order that it takes")
    func race() throws {
        #expect(try simulate(openMainScreen).redundantRefreshes == 0)
        let races = try explore(schedules: 60, threads: 1, openMainScreen)
        let finding = try #require(races.findings.first { $0.run.redundantRefreshes > 0 })
        #expect(finding.fifo.redundantRefreshes == 0)
        #expect(finding.orderThatMatters?.contains(" before ") == true)
        let again = try simulate(
            schedule: finding.replay, window: .milliseconds(100), openMainScreen)
        #expect("\(again)" == "\(finding.run)")
    }

    @Test("A store that looks again breaks nothing in any of them")
    func careful() throws {
        let races = try explore(schedules: 40, openMainScreenCarefully)
        #expect(races.passed, "\(races)")
        #expect(races.distinctViews > 1 && races.statement.hasPrefix("0 of 40 schedules"))
    }

    @Test("What is found does not depend on the number of threads")
    func threads() throws {
        let all = try [1, 3].map { threads in
            try explore(schedules: 40, threads: threads, openMainScreen).description
        }
        #expect(all[0] == all[1])
    }
}
