import Foundation
import SquallBackend
import SquallFormat
import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import TestSupport
import Testing

@testable import SquallRaces

@Suite("The races of the field")
struct RaceCaseTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Profiles/races").standardizedFileURL

    /// The cases, by the names of their profiles, and the invariant that each breaks.
    static let cases = [
        ("scrolly-storm", "S1"), ("scrolly-hang", "S13"), ("scrolly-reload", "S19"),
        ("book-pages", "S14"), ("book-likes", "S19"), ("book-wipe", "S7"), ("book-zombie", "S5"),
        ("book-log-out", "S6"), ("book-withdraw", "S6"), ("gift-pages", "S14"),
        ("gift-storm", "L4"), ("gift-withdraw", "S19"), ("gift-log-out", "S6"),
        ("gift-comments", "S19"), ("gift-buy", "S10"), ("outfit-gap", "S13"),
        ("outfit-late", "S15"), ("outfit-storm", "S1"),
    ]

    static let semanticsCases = ["coexist", "early409", "leeway", "one-shot", "replay", "strict"]

    static func scenario(_ name: String, _ overrides: String...) throws -> RaceScenario {
        let file = folder.appending(path: name + ".json")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let profile = try Profile.read(
            Array(text.utf8), file: name, vocabulary: .installed,
            overrides: overrides.compactMap { ProfileOverride(setting: $0) })
        return try RaceScenario(
            profile, source: SavedScenario(profile: name, text: text, overrides: overrides))
    }

    /// Three calls with an expired token, of the reference design unless overrides say otherwise.
    static func calls(_ overrides: String...) throws -> RaceScenario {
        let names = ["populations[0].design=reference"] + overrides
        let profile = try Profile.read(
            Array(try Data(contentsOf: folder.appending(path: "scrolly-storm.json"))),
            file: "scrolly-storm", vocabulary: .installed,
            overrides: names.compactMap { ProfileOverride(setting: $0) })
        var scenario = RaceScenario(
            WorldPlan(profile), acts: (0..<3).map { _ in ScenarioAct(.call, "model") },
            invariants: try RaceScenario.invariants(["S1"]))
        scenario.namesInvariants = true
        return scenario
    }

    static func explore(
        _ scenario: RaceScenario, _ schedules: Int, shrinking: Int = 0
    ) throws -> Exploration {
        try Explorer(
            .small(
                schedules, window: scenario.roundTripNanoseconds, findingsMax: 1,
                shrinking: shrinking)
        ).explore(scenario)
    }

    @Test("An exploration plays as many schedules as its profile says")
    func plan() throws {
        let file = Self.folder.appending(path: "scrolly-storm.json")
        let profile = try Profile.read(
            Array(try Data(contentsOf: file)), file: "scrolly-storm", vocabulary: .installed,
            overrides: [try #require(ProfileOverride(setting: "explore.schedules=7"))])
        let plan = try ExplorationPlan(profile, of: Self.scenario("scrolly-storm"), threads: 1)
        #expect(plan.schedules == 7)
    }

    @Test("The case's client breaks the case's invariant", arguments: cases)
    func isFound(name: String, invariant: String) throws {
        let exploration = try Self.explore(try Self.scenario(name), 33)
        #expect(exploration.findings.contains { $0.violation.invariant == invariant })
        for finding in exploration.findings {
            let needs = RaceInvariant.named(finding.violation.invariant)?.needs ?? []
            let missing = needs.subtracting(finding.played.evidence)
            #expect(missing == [], "\(finding.violation): \(missing.words)")
        }
    }

    @Test("The page of a finding names the program that plays it again")
    func replayOnPage() throws {
        let exploration = try Self.explore(try Self.scenario("scrolly-storm"), 33)
        let result = ExplorationResult(
            exploration, profile: "scrolly-storm", experiment: "", replayBuild: "this",
            program: "own")
        let page = try #require(result.files.first { $0.name == "report.html" }).text
        #expect(page.contains("own replay findings/S1-1.json"))
        let text = result.document(in: "a/").text(TerminalStyle(isOn: false))
        #expect(text.contains("own replay a/findings/"))
        #expect(text.contains("S1 singleFlight"))
    }

    @Test("A promise that nothing could break is not judged, and fails who names it")
    func notJudged() throws {
        let clean = try Self.calls()
        #expect(try Self.explore(clean, 12).verdict == .passed)
        var fresh = try Self.calls("populations[0].initialTokens=fresh")
        let named = try Self.explore(fresh, 12)
        #expect(named.verdict == .notJudged)
        #expect(named.headline.contains("S1 singleFlight: no schedule shows"))
        (fresh.invariants, fresh.namesInvariants) = (RaceInvariant.all, false)
        let standing = try Self.explore(fresh, 12).notJudged.filter(\.question.isAskedFor)
        #expect(standing.map(\.question.invariant.id) == ["S1"])
        fresh.invariants = try RaceScenario.invariants(["S8"])
        #expect(try Self.explore(fresh, 12).verdict == .passed)
        fresh.namesInvariants = true
        #expect(try Self.explore(fresh, 12).verdict == .notJudged)
    }

    @Test("A promise not judged stands in text, page, summary and test report with its reason")
    func toldEverywhere() throws {
        let scenario = try Self.calls("populations[0].initialTokens=fresh")
        let exploration = try Self.explore(scenario, 12)
        let result = ExplorationResult(
            exploration, profile: "calls", experiment: "", replayBuild: "this", program: "own")
        let reason = "no schedule shows which token a refresh replaces"
        let text = result.document().text(TerminalStyle(isOn: false))
        #expect(text.hasPrefix("NOT JUDGED  calls: 0 of 12 schedules"))
        #expect(text.contains("not judged: S1 singleFlight: \(reason)"))
        #expect(text.contains("not varied: the order in which acts begin"))
        #expect(result.exploration.verdict == .notJudged)
        #expect(result.exploration.notJudged.map(\.question.invariant.id) == ["S1"])
        let files = Dictionary(uniqueKeysWithValues: result.files.map { ($0.name, $0.text) })
        #expect(files["summary.json"]?.contains("\"verdict\" : \"notJudged\"") == true)
        #expect(files["summary.json"]?.contains("\"invariant\" : \"S1\"") == true)
        #expect(files["report.html"]?.contains(reason) == true)
        #expect(files["junit.xml"]?.contains("<skipped message=\"\(reason)") == true)
        #expect(files["junit.xml"]?.contains("skipped=\"1\"") == true)
    }

    @Test("Every profile of a race is one of the cases")
    func allCases() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        let known =
            Self.cases.map(\.0) + Self.semanticsCases.map { "semantics-\($0)" }
        // Takes more schedules than a test has time for; the table of the article on races has it.
        #expect(Set(files) == Set((known + ["gift-loop", "scrolly-mark"]).map { $0 + ".json" }))
    }

    @Test("A token that is stored under the old one makes a call that never ends, another does not")
    func loop() throws {
        let design = "populations[0].design=tokenUnderItself"
        #expect(try Self.explore(try Self.scenario("gift-loop"), 4).findings.isEmpty)
        let loop = try Self.explore(try Self.scenario("gift-loop", design), 4)
        #expect(loop.findings.contains { $0.violation.invariant == "L2" })
    }

    @Test(
        "The reference design keeps every promise, however refresh tokens are handled",
        arguments: semanticsCases)
    func referenceSemantics(name: String) throws {
        let exploration = try Self.explore(try Self.scenario("semantics-" + name), 12)
        #expect(exploration.findings.map(\.violation.text) == [])
    }

    @Test("A call that is refused twice may give up beside a refresh that others wait for")
    func refusedTwice() throws {
        var scenario = try Self.scenario("semantics-leeway")
        scenario.invariants = [.waitersGoOn]
        // The order comes up in the 288th schedule, and in about one of 450.
        #expect(try Self.explore(scenario, 300).findings.isEmpty)
    }

    @Test(
        "A refresh token shown twice signs out only where that ends the session",
        arguments: [
            ("coexist", false), ("leeway", false), ("replay", false), ("strict", true),
            ("one-shot", true),
        ])
    func tokenShownTwice(name: String, isEnd: Bool) throws {
        var scenario = try Self.scenario(
            "semantics-" + name, "populations[0].design=asBuilt")
        scenario.acts = [ScenarioAct(.call, "model"), ScenarioAct(.call, "model")]
        scenario.plan.backend.faults = []
        let sessionLives = RaceInvariant("X1", "The server never ends the session.") { history in
            history.events.indices.filter { history.events[$0].meaning == .signedOut }.prefix(1)
                .map { ("the session is over", [$0]) }
        }
        let made = RaceScenario(scenario.plan, acts: scenario.acts, invariants: [sessionLives])
        let exploration = try Self.explore(made, 20)
        #expect(exploration.findings.isEmpty == !isEnd)
    }

    @Test("A saved finding is repeated exactly, and says when the build is another")
    func replay() throws {
        let exploration = try Self.explore(try Self.scenario("outfit-gap"), 129, shrinking: 150)
        let finding = try #require(exploration.findings.first)
        let saved = try #require(FindingFile(finding, seed: 1, build: "this"))
        let text = JSONDocument.text(Checksummed(saved))
        let file = try FindingFile.read(Data(text.utf8))
        #expect(JSONDocument.text(Checksummed(file)) == text && file.departures <= 12)
        let replay = try Replay(file, build: "this", vocabulary: .installed, searchMax: 60)
        #expect(replay.isExact && replay.isStillThere && replay.isSameBuild)
        #expect(replay.finding.violation.text == finding.violation.text)
        let other = try Replay(file, build: "that", vocabulary: .installed, searchMax: 60)
        #expect(other.isExact && other.statement.hasPrefix("the build differs"))
    }

    @Test("A finding of a client that has been mended since is said to be gone")
    func mended() throws {
        let exploration = try Self.explore(try Self.scenario("outfit-gap"), 129, shrinking: 100)
        let finding = try #require(exploration.findings.first)
        let saved = try #require(FindingFile(finding, seed: 1, build: "this"))
        let text = JSONDocument.text(saved).replacing("asBuilt", with: "reference")
        let file = try JSONDocument.read(FindingFile.self, from: Data(text.utf8))
        let replay = try Replay(file, build: "that", vocabulary: .installed, searchMax: 60)
        #expect(!replay.isStillThere && replay.search?.coverage.schedules == 60)
        #expect(replay.finding.violation.text == "nothing is wrong")
        #expect(replay.statement.hasSuffix("the finding is gone as far as can be seen"))
    }

    @Test("A finding that needs another schedule in another build is still there")
    func moved() throws {
        let exploration = try Self.explore(try Self.scenario("outfit-gap"), 129, shrinking: 100)
        let finding = try #require(exploration.findings.first)
        var saved = try #require(FindingFile(finding, seed: 1, build: "this"))
        saved.choices = []
        let replay = try Replay(saved, build: "that", vocabulary: .installed, searchMax: 60)
        #expect(replay.isStillThere && replay.statement.contains("of a new search"))
    }

    @Test("The explanation names the order that matters, and the twin keeps the promise")
    func explanation() throws {
        let exploration = try Self.explore(try Self.scenario("outfit-gap"), 129, shrinking: 150)
        let finding = try #require(exploration.findings.first)
        let order = try #require(finding.orderThatMatters)
        #expect(order.contains(" before "))
        let rows = Timeline(finding.played, of: finding.violation).rows
        #expect(rows.contains(where: \.isCritical) && rows.contains(where: \.isContradiction))
        #expect(!finding.needsNoOrder && finding.twin.violations.isEmpty)
    }

    /// Two calls, the app in the background while they are under way, and a call when it is back.
    private static let background = [
        ScenarioAct(.call, "model"), ScenarioAct(.call, "model"),
        ScenarioAct(at: 30_000_000, .suspend), ScenarioAct(at: 60_000_000, .resume),
        ScenarioAct(at: 70_000_000, .call, "model"),
    ]

    @Test("Acts begin in their order in every schedule, however late messages are")
    func orderOfActs() throws {
        let scenario = try Self.calls()
        let made = RaceScenario(scenario.plan, acts: Self.background)
        let exploration = try Self.explore(made, 150)
        #expect(exploration.findings.map(\.violation.text) == [])
        for seed in 1...40 as ClosedRange<UInt64> {
            let schedule = Schedule(
                RandomSchedule(seed: seed), windowNanoseconds: 500_000_000, keepsHistory: true)
            let history = try #require(try made.play(schedule).history)
            let acts = history.events.filter { [.meanwhile, .cameBack].contains($0.kind) }
            #expect(acts.map(\.kind) == [.meanwhile, .cameBack])
        }
    }

    @Test("An act that closes a pair is left out only together with the one that opens it")
    func pairs() throws {
        let scenario = try Self.scenario("semantics-coexist")
        let acts =
            Self.background + [
                ScenarioAct(at: 1_000_000_000, .step, "logOut.logOut"),
                ScenarioAct(at: 2_000_000_000, .signIn),
            ]
        let made = RaceScenario(scenario.plan, acts: acts)
        let left = made.simpler.compactMap { ($0 as? RaceScenario)?.reduced.acts }
        #expect(left.contains { $0.count == acts.count - 2 })
        for acts in left {
            #expect(
                acts.contains { $0.kind == .suspend } == acts.contains { $0.kind == .resume })
            #expect(
                acts.contains { $0.kind == .signIn }
                    == acts.contains { $0.name == "logOut.logOut" })
        }
    }

    @Test("The last of simpler scenarios has latencies constant at their means, and no other has")
    func latencies() throws {
        var plan = try Self.calls().plan
        plan.backend.network.up = .uniform(low: 10, high: 30)
        plan.backend.network.down = .exponential(mean: 50)
        plan.backend.server.serviceTime = .erlang(stages: 2, mean: 70)
        plan.backend.server.serviceTimes = ["model": .constant(nanoseconds: 9)]
        let scenario = RaceScenario(plan, acts: Self.background)
        let simpler = scenario.simpler.compactMap { $0 as? RaceScenario }
        let last = try #require(simpler.last)
        let (even, uneven) = (last.reduced.plan.backend, plan.backend)
        #expect(even.network.up == .constant(nanoseconds: 20))
        #expect(even.network.down == .constant(nanoseconds: 50))
        #expect(even.server.serviceTime == .constant(nanoseconds: 70))
        #expect(even.server.serviceTimes.isEmpty && last.simpler.count == simpler.count - 1)
        for other in simpler.dropLast() + [scenario] {
            let backend = other.reduced.plan.backend
            #expect(backend.network == uneven.network && backend.server == uneven.server)
        }
    }

    @Test("Names that nothing is called are refused with what is meant")
    func names() throws {
        let error = #expect(throws: ExplorationError.self) {
            _ = try RaceScenario.invariants(["S1", "noZombi"])
        }
        #expect(error?.description.contains("noZombie") == true)
    }

    @Test(
        "A world and its simulation are gone when a schedule has been played",
        arguments: ["scrolly-storm", "outfit-gap"])
    func gone(name: String) throws {
        let scenario = try Self.scenario(name)
        weak var world: RaceWorld?
        weak var simulation: Simulation?
        do {
            let played = RaceWorld(
                scenario, Schedule(FirstInFirstOut(), windowNanoseconds: 1_000))
            _ = try played.run()
            (world, simulation) = (played, played.simulation)
        }
        #expect(world == nil && simulation == nil)
    }
}
