import Foundation
import Squall
import Synchronization
import Testing

/// A client that keeps what it has read once, for all of the process.
private final class Cache: Sendable {
    static let shared = Cache()
    private let wasRead = Mutex(false)

    func first() -> Bool {
        wasRead.withLock { wasRead in
            defer { wasRead = true }
            return !wasRead
        }
    }
}

@Suite("What is expected of worlds and drills")
struct ExpectationTests {
    @Test("A sentence that is not true lands in the run and in findings, with its place")
    func sentences() throws {
        let body: @Sendable (TestWorld) async throws -> Void = { world in
            world.expect(1 + 1 == 2, "sums are right")
            world.expect(world.now > .seconds(1), "a second has passed")
        }
        let failure = try #require(throws: WorldFailure.self) { try simulate(body) }
        let run = failure.run
        #expect(run.failedExpectations.map(\.sentence) == ["a second has passed"])
        #expect("\(failure.cause)".hasPrefix("not so: a second has passed ("))
        #expect(run.faults.count == 1)
        #expect(run.faults[0].contains("/ExpectationTests.swift:"))
        #expect("\(run)".contains("not so: a second has passed"))
        let races = try explore(schedules: 3, threads: 1, body)
        #expect(races.findings.map(\.text) == run.faults)
    }

    @Test("An outage is timed from outside, and a clock that is set tells another day")
    func outage() throws {
        try simulate { world in
            var conditions = NetworkConditions()
            conditions.faults = [.outage("GET /posts", from: .seconds(10), for: .seconds(60))]
            let far = world.mount(
                TokenService(.bearer, routes: [.get("/posts").withoutToken()]), over: conditions)
            var statuses: [Int] = []
            for _ in 0..<3 {
                statuses.append(try await far.send("GET", "/posts").status)
                try await Task.sleep(for: .seconds(40))
            }
            #expect(statuses == [200, 503, 200])
            let now = Date()
            world.setClock(aheadBy: .seconds(-86_400))
            #expect(Date().timeIntervalSince(now) == -86_400)
        }
        try simulate { _ in #expect(Date().timeIntervalSince1970 > 1_000_000_000) }
    }

    @Test("A slow storage takes as long as it is told to, also longer than a second")
    func slowStorage() throws {
        try simulate { world in
            let storage = DrillStorage()
            storage.slowDown(to: .milliseconds(2_500))
            _ = storage["token"]
            #expect(world.now == .milliseconds(2_500))
        }
    }

    @Test("A client whose state outlives its world is named, and does not pass")
    func singleton() throws {
        let service = TokenService(.bearer, routes: [.get("/posts").withoutToken()])
        let report = try drill(
            over: service, asking: [.expiredToken], before: [.lenient], schedules: 1
        ) { device in
            DrillClient(signIn: { _ in }) {
                if Cache.shared.first() { _ = try await device.send("GET", "/posts") }
            }
        }
        #expect(!report.passes)
        #expect("\(report)".contains("state persists between worlds"), "\(report)")
    }

    @Test(
        "A client that goes otherwise each time is judged, and a replay is not promised",
        arguments: [nil, .oneRefreshAtATime] as [CarefulClient.Rule?])
    func varying(rule: CarefulClient.Rule?) throws {
        // Each fifth world is another one, as an order by addresses would be now and then: the
        // fifth is the first that is played again.
        let worlds = Mutex(0)
        let report = try drill(
            over: drilledService, asking: [.expiredToken], before: [.lenient], schedules: 2
        ) { device in
            let isFifth = worlds.withLock { worlds in
                worlds += 1
                return worlds.isMultiple(of: 5)
            }
            let api = CarefulClient(
                base: device.url, network: device.session,
                storage: DeviceTokens(storage: device.storage), without: isFifth ? rule : nil)
            return DrillClient(signIn: { try await api.signIn($0.email, $0.password) }) {
                if isFifth { try await Task.sleep(for: .milliseconds(5)) }
                _ = try await api.get("posts")
            }
        }
        let cell = report.cells[0]
        #expect(!cell.isRepeatable && cell.reason == nil && report.passes == (rule == nil))
        let (broken, all) = rule == nil ? (0, 0) : (2, 10)
        #expect((cell.brokenSchedules, cell.schedules) == (broken, all))
        #expect("\(report)".contains("1 of 1 cell went otherwise"), "\(report)")
    }

    @Test("A client that cannot sign in is asked nothing, and says why")
    func noSignIn() throws {
        let report = try drill(over: drilledService, asking: [.expiredToken]) { _ in
            DrillClient(signIn: { _ in throw CarefulClient.Failure.status(7) }, call: {})
        }
        #expect(!report.passes)
        #expect(
            "\(report)" == "NOT JUDGED  client: no drill was run: signing in failed with status(7)"
        )
    }

    @Test("A client that signs in where the service does not is told where it does")
    func unknownSignIn() throws {
        let report = try drill(over: drilledService, asking: [.expiredToken]) { device in
            DrillClient(
                signIn: { _ in
                    let response = try await device.send("POST", "/login")
                    throw CarefulClient.Failure.status(response.status)
                }, call: {})
        }
        let first = """
            NOT JUDGED  client: no drill was run: signing in failed with status(404); the service \
            has no POST
            """
        #expect("\(report)".hasPrefix(first), "\(report)")
        #expect("\(report)".contains("(sign-in)"))
    }

    @Test("A client that breaks much says so in sixty lines, and shows the simplest order")
    func brief() throws {
        let report = try drill(over: drilledService, before: [.lenient], schedules: 2) {
            carefulClient(on: $0, without: .looksAgain)
        }
        let (short, full) = ("\(report)".split(separator: "\n"), report.full)
        #expect(short.count <= 60 && full.split(separator: "\n").count > 60)
        #expect(short.contains { $0.hasPrefix("print(report.full) shows all") })
        #expect(full.contains("promise  ") && !"\(report)".contains("promise  "))
    }

    @Test("A broken drill replays by its line to the same finding, and stands in the XML")
    func replay() throws {
        let client: @Sendable (DrillDevice) -> DrillClient = {
            carefulClient(on: $0, without: .looksAgain)
        }
        let report = try drill(
            over: drilledService, asking: [.lateRefusal, .twoScopes], before: [.strict],
            client: client)
        let again = try drill(
            over: drilledService, asking: [.lateRefusal], before: [.strict], choices: [],
            client: client)
        #expect(report.cells[0].findings == again.cells[0].findings)
        #expect(report.cells[0].schedules == 1 && report.cells[0].firstSchedule == 1)
        #expect("\(report)".contains("asking: [.lateRefusal], before: [.strict], choices: []"))
        #expect(report.junit.contains(#"<testsuites name="squall" tests="2" failures="1""#))
        #expect(report.junit.contains(#"tests="1" failures="0" errors="0" skipped="1""#))
        #expect(report.junit.contains("<failure message=\"redundant refresh: the token"))
        #expect(report.junit.contains(#"<skipped message="needs a second scope (otherScope)""#))
    }
}
