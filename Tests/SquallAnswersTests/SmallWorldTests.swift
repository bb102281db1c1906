import Foundation
import SquallApps
import SquallBackend
import SquallClient
import SquallFormat
import SquallHTTP
import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import Synchronization
import TestSupport
import Testing

@testable import SquallRaces

@Suite("The worlds of an exploration and of a drill of an app")
struct SmallWorldTests {
    private static let second: Int64 = 1_000_000_000

    /// Calls, one of which fails; a kill, a pause and a wrong clock; a log-out and a sign-in.
    private static let acts = [
        ScenarioAct(.call, "model"), ScenarioAct(at: 50_000_000, .call, "model"),
        ScenarioAct(at: second, .kill), ScenarioAct(at: second + 10_000_000, .call, "model"),
        ScenarioAct(at: second + 20_000_000, .suspend),
        ScenarioAct(at: 2 * second, .resume),
        ScenarioAct(at: 3 * second, .clock, "1s"),
        ScenarioAct(at: 4 * second, .call, "model"), ScenarioAct(at: 4 * second + 1, .cancel),
        ScenarioAct(at: 5 * second, .step, "logOut.logOut"),
        ScenarioAct(at: 6 * second, .signIn), ScenarioAct(at: 7 * second, .call, "model"),
    ]

    private static func played() throws -> Played {
        let scenario = try RaceCaseTests.scenario("semantics-coexist")
        var plan = scenario.plan
        plan.backend.faults = [
            Fault.outage(status: 500, from: .milliseconds(40), for: .milliseconds(100))
        ]
        return try RaceScenario(plan, acts: acts).play(
            Schedule(FirstInFirstOut(), windowNanoseconds: 1_000, keepsHistory: true))
    }

    @Test("The history has every event with its user and the tokens it carried")
    func history() throws {
        let history = try #require(try Self.played().history)
        let lines = history.events.map { event in
            var words = ["\(event.at / 1_000_000) \(event.kind)"]
            if let call = event.request { words.append("call \(call).\(event.attempt)") }
            words += [history.name(event.endpoint), history.name(event.text)]
            if let status = event.status { words.append("\(status)") }
            let tokens = [event.access, event.refresh].compactMap(\.self)
            words += tokens.map { history.name(ofToken: $0) }
            return words.filter { !$0.isEmpty }.joined(separator: " ")
        }
        let text = lines.joined(separator: "\n") + "\n"
        let differences = try GoldenFile.differences(of: text, from: "history.txt")
        #expect(differences == [])
    }

    @Test("A trace has a span for each send, from the device's hand and back")
    func trace() throws {
        let played = try Self.played()
        let finding = Finding(
            violation: Violation("S1", "wrong", events: [3]), schedule: 1, count: 1,
            windowNanoseconds: 1, choices: [], choicesBefore: 0, isFewest: false,
            needsNoOrder: true, subject: ClosureSubject { _ in played }, played: played,
            twin: played)
        let trace = try JSONParser.parse(Array(finding.trace.document.utf8))
        let events = try #require(trace.at("traceEvents")).list
        let spans = events.filter { $0.at("ph")?.string == "X" }.map { span in
            [
                span.at("name")?.string, span.at("cat")?.string,
                span.at("ts")?.number.map { "\($0 / 1_000)" },
                span.at("dur")?.number.map { "\($0 / 1_000)" }, span.at("args.token")?.string,
                span.at("args.status")?.number.map { "\(Int($0))" },
            ].map { $0 ?? "?" }.joined(separator: " ")
        }
        let text = spans.prefix(spans.count / 2).joined(separator: "\n") + "\n"
        let differences = try GoldenFile.differences(of: text, from: "spans.txt")
        #expect(differences == [])
        #expect(
            spans.count % 2 == 0 && spans.prefix(spans.count / 2) == spans.suffix(spans.count / 2))
    }

    @Test(
        "Drills of an app find the same faults before a strict server",
        arguments: [
            ("ootd", "asBuilt"), ("ootd", "reference"), ("thisBookThatBook", "asBuilt"),
        ])
    func drills(name: String, design: String) throws {
        let app = try #require(AppRegistry.app(named: name))
        let client = AppUnderTest(app, design: design, program: "own")
        var experiment = DrillOptions()
        (experiment.schedules, experiment.servers, experiment.threads) = (1, [.strict], 1)
        experiment.drills = [
            .expiredToken, .lateRefusal, .refreshRefused, .signOutDuringRefresh, .nextPerson,
            .killedDuringRefresh, .killedAfterRefresh, .startAfterSignOut, .clockAhead,
        ]
        let lines = try experiment.run(on: client).cells.map { cell in
            let told = cell.reason.map { [$0] } ?? (cell.passes ? ["passes"] : cell.findings)
            return "\(cell.drill.id): \(told.joined(separator: "; "))"
        }
        let section = "\(name) \(design)"
        let text = lines.joined(separator: "\n")
        let differences = try GoldenFile.differences(of: text, from: section, of: "app-drills.txt")
        #expect(differences == [])

        var plan = ExplorationPlan.small(1)
        let own = "own drill \(name)" + (design == "asBuilt" ? "" : " --design \(design)")
        #expect(
            client.replay(.outage, before: .strict, choices: [], plan)
                == own + " --drill outage --server strict --choices none")
        (plan.seed, plan.preemptions) = (2, 3)
        #expect(
            client.replay(.outage, before: .oneShot, choices: [1, 0], plan)
                == own + " --drill outage --server oneShot --choices '1,0' --seed 2 --preemptions 3"
        )
    }

    @Test("A profile's overrides and design stand in the line that plays a drill again")
    func clients() throws {
        let text = """
            { "schemaVersion": 1, "populations": [
              { "name": "a", "app": "scrolly", "users": 2, "journeys": { "read": 1 } },
              { "name": "b", "app": "scrolly", "users": 2, "journeys": { "read": 1 } },
              { "name": "c", "app": "scrolly", "users": 2, "journeys": { "read": 1 },
                "design": "reference" } ] }
            """
        let read = try Profile.read(Array(text.utf8), file: "x", vocabulary: .installed)
        let clients = AppUnderTest.all(
            of: read, source: "x.json", overrides: ["seed=7", "a b=1"], program: "own")
        #expect(clients.map(\.design) == ["asBuilt", "reference"])
        #expect(
            clients.map { $0.replay(.outage, before: .strict, choices: [2], .small(1)) } == [
                "own drill x.json --set seed=7 --set 'a b=1' --drill outage --server strict"
                    + " --choices 2",
                "own drill x.json --design reference --set seed=7 --set 'a b=1' --drill outage"
                    + " --server strict --choices 2",
            ])
    }

    @Test(
        "An app that was killed starts with the whole account that it had, though a token is gone",
        arguments: ["look", "loseAccess", "loseRefresh"])
    func restoredAccount(before: String) throws {
        let plan = WorldPlan(
            populations: [
                PopulationPlan(AppDescription(Keeping.self), users: 1, journeys: ["use": 1])
            ])
        let scenario = RaceScenario(
            plan,
            acts: [
                ScenarioAct(.step, "use.\(before)"), ScenarioAct(at: Self.second, .kill),
                ScenarioAct(at: 2 * Self.second, .step, "use.look"),
            ])
        let schedule = Schedule(
            FirstInFirstOut(), windowNanoseconds: 1_000, keepsHistory: true)
        let history = try #require(try scenario.play(schedule).history)
        let shown = history.events.filter { $0.kind == .actEnded }.map { history.name($0.text) }
        // The server does not tell the expiry that the app keeps with its tokens.
        #expect(shown.count == 2 && shown.last == shown.first.map { $0 + " until 77" })
        #expect(shown.first?.contains("@") == true)
    }

    /// Answers everything at once, and keeps what it was sent.
    private final class Wire: Transport {
        let causes = Mutex<[RequestCause]>([])

        func send(
            _ request: URLRequest, cause: RequestCause
        ) async throws(TransportError) -> TransportResponse {
            causes.withLock { $0.append(cause) }
            return TransportResponse(
                head: HTTPURLResponse(url: request.url, statusCode: 200), body: .empty)
        }
    }

    @Test("A start of the app that was killed hears nothing until its world is closed, nor sends")
    func killedStart() throws {
        let simulation = Simulation()
        let wire = Wire()
        let network = DrilledNetwork(wire)
        let told = Mutex<[String]>([])
        let note: @Sendable (String) -> Void = { word in
            told.withLock { $0.append(word) }
        }
        let request = URLRequest(url: WebURL(origin: "http://h", path: "/"))
        func send(_ life: UInt64, _ number: UInt32) {
            let cause = RequestCause(user: life, request: number, refreshFor: 3)
            let start = LifeTransport(network, life: Int(life))
            simulation.spawn {
                do {
                    note("\(try await start.send(request, cause: cause).head.statusCode)")
                } catch { note((error as? TransportError).map { "\($0.code)" } ?? "?") }
            }
        }
        send(0, 7)
        _ = try simulation.run(until: Instant(nanoseconds: 10))
        network.disconnect(1)
        send(1, 8)
        send(2, 9)
        simulation.spawn {
            await network.park()
            note("parked")
        }
        _ = try simulation.run(until: Instant(nanoseconds: 20))
        #expect(told.withLock { $0 } == ["200", "200"])
        simulation.spawn { network.close() }
        _ = try simulation.run(until: Instant(nanoseconds: 30))
        send(0, 1)
        simulation.spawn {
            await network.park()
            note("goes on")
        }
        _ = try simulation.run(until: Instant(nanoseconds: 40))
        #expect(
            told.withLock { $0.dropFirst(2).sorted() } == [
                "goes on", "notConnectedToInternet", "notConnectedToInternet", "parked",
            ])
        #expect(wire.causes.withLock { $0.map(\.request) } == [7, 20_009])
        #expect(wire.causes.withLock { $0.map(\.refreshFor) } == [3, 20_003])
    }
}

/// An app that shows the account that it was restored with.
private final class Keeping: MobileApp {
    static let name = "keeping"
    static let about = "Keeps."
    static let designs = ["plain"]
    static let callKinds: [CallKind] = []
    static let journeys = [
        Journey<Keeping>(
            "use", about: "Looks.",
            steps: [
                Step("look") { $0.look() }, Step("loseAccess") { $0.look(withoutAccess: true) },
                Step("loseRefresh") { $0.look(withoutRefresh: true) },
            ])
    ]
    let needsSignIn = false
    private let account = Mutex<StoredAccount?>(nil)
    private let lost = Mutex((access: false, refresh: false))

    init(device: Device, design: String) {}

    var storedTokens: TokenPair {
        let (account, lost) = (account.withLock(\.self), lost.withLock(\.self))
        return TokenPair(
            access: lost.access ? "" : account?.accessToken ?? "",
            refresh: lost.refresh ? "" : account?.refreshToken ?? "",
            accessExpiry: 77)
    }

    private func look(withoutAccess: Bool = false, withoutRefresh: Bool = false) -> StepOutcome {
        lost.withLock { $0 = (withoutAccess, withoutRefresh) }
        let account = account.withLock(\.self)
        return .toast(
            account.map {
                "\($0.userID) \($0.email) \($0.nick)"
                    + ($0.accessExpiry.map { " until \($0)" } ?? "")
            } ?? "no account")
    }

    func beginStep(_ ordinal: UInt32) {}
    func restore(_ account: StoredAccount) { self.account.withLock { $0 = account } }
    func signIn() async -> StepOutcome { .rendered }
    func call(_ kind: CallKind) async -> StepOutcome { .nothingToDo }
}
