import Foundation
import Squall
import Testing

extension Drill {
    static let startedMidway = Drill(
        "startedMidway", "a start in the middle of a token's life",
        promise: "A token that is older than the app's start is renewed in time.",
        source: "joinmarket-webui/jam #1469",
        fix: "Store when the token expires beside it, and let a 401 refresh.", needs: [.restart]
    ) { world in
        try await world.signIn()
        await world.sleep(world.setting.lifetime / 2)
        world.kill()
        try world.restart()
        await world.sleep(world.setting.lifetime / 2 + .seconds(5))
        try await world.succeed("a call succeeds when the token has expired")
    }
}

@Suite("Drills of one's own")
struct OwnDrillTests {
    private func report(_ fault: ReportedClient.Fault?) throws -> DrillReport {
        try drill(over: ReportTests.service, asking: [.startedMidway], schedules: 2) {
            ReportTests.client(on: $0, with: fault)
        }
    }

    @Test("A drill of one's own has the table, the fix and the line that plays it again")
    func own() throws {
        #expect(try report(nil).passes)
        let broken = try report(.timerOnly)
        #expect(broken.broken.map(\.id) == ["startedMidway"])
        #expect(broken.cells.first?.firstSchedule == 1)
        for part in [
            "a start in the middle of a token's life", "joinmarket-webui/jam #1469",
            "Store when the token expires", "asking: [.startedMidway]",
        ] { #expect(broken.description.contains(part), "\(broken)") }
    }

    @Test("A drill sets faults by one call each, and plays people, clocks and storage")
    func abilities() throws {
        let own = Drill(
            "own", "of all kinds", promise: "All is well.", source: "", fix: "",
            needs: [.signOut, .storage],
            setting: { setting in
                let stale = setting.stale
                setting.tokens.refreshRevokesAccessTokens = true
                setting.strike(
                    setting.refreshes,
                    .failing(status: 503).between(stale, and: stale + .seconds(9)))
                setting.goOffline(from: stale + .seconds(100), for: .seconds(10))
            }
        ) { world in
            try await world.signIn(world.ben)
            await world.wait(until: world.setting.stale)
            let call = world.beginCall()
            try await world.finish(call)
            world.expect(call.error != nil, "the refresh fails")
            world.setClock(aheadBy: .seconds(-60))
            world.lockStorage()
            await world.wait(until: world.setting.stale + .seconds(20))
            try await world.succeed("two calls succeed", times: 2)
            world.unlockStorage()
            world.need(world.refreshesSent == 2, "it refreshes twice")
            await world.wait(until: world.setting.stale + .seconds(105))
            let offline = try await world.call()
            world.expect(offline.error != nil, "the device is offline")
            try await world.signOut()
            try await world.expectSignedIn(false, "nobody is signed in")
        }
        let report = try drill(over: ReportTests.service, asking: [own], schedules: 2) {
            ReportTests.client(on: $0, with: nil)
        }
        #expect(report.passes)
    }

    @Test("A world has devices too: what the storage kept is there after a kill, and nothing else")
    func devices() throws {
        let run = try simulate { world in
            var conditions = NetworkConditions()
            conditions.users = 2
            let far = world.mount(ReportTests.service, over: conditions)
            let device = DrillDevice(far)
            let api = ReportedClient(device, with: nil)
            let (email, password) = far.credentials()
            let ada = DrillPerson("Ada", account: 0, credentials: (email, password)) {
                far.tokens()
            }
            try await api.signIn(ada)
            let next = device.restarted()
            try device.storage.set(nil, for: "pair 0")
            let again = ReportedClient(next, with: nil)
            world.expect(await again.isSignedIn, "the tokens were kept")
            try await again.call("posts")
        }
        let paths = run.log.map(\.path).filter { $0 != "/oauth/token" }
        #expect(paths == ["/posts"], "\(run)")
    }
}
