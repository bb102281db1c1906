import SquallBackend
import SquallFormat
import SquallKernel
import TestSupport
import Testing

@testable import SquallRaces

@Suite("The catalogue of drills")
struct DrillCatalogueTests {
    private static let plan = ExplorationPlan.small(1, window: 100_000_000, shrinking: 0)

    private static func runner(
        _ slip: PocketClient.Slip, choices: [UInt16]? = nil, isStopped: Bool = false
    ) -> DrillRunner {
        var options = DrillOptions()
        options.choices = choices
        options.isStopped = { isStopped }
        return DrillRunner(client: PocketUnderTest(slip: slip), options: options, plan: plan)
    }

    /// What drills say of the pocket client with a slip where they do not pass, and which drills.
    private static func told(
        _ slip: PocketClient.Slip, before servers: [DrillServer]
    ) throws -> [(text: String, drill: String)] {
        let runner = runner(slip)
        let first = try runner.preparation(servers[0])
        // A slip that one drill was written for is asked that one, and no slip before it is.
        let own = DrillSlipTests.caught.values.map(\.id).filter { $0 != "writeOnExpired" }
        let drills = slip == .none ? Drill.all : Drill.all.filter { !own.contains($0.id) }
        return try drills.flatMap { drill in
            try servers.flatMap { server in
                let cell = try runner.cellUnlessStopped(drill, before: server, first)
                let texts = cell.passes ? [] : cell.reason.map { [$0] } ?? cell.findings
                let name = servers.count == 1 ? drill.id : "\(drill.id) \(server.name)"
                return texts.map { ($0, name) }
            }
        }
    }

    private static let unapplied = Result {
        try told(.none, before: [.strict]).map { "\($0.drill): \($0.text)" }
    }

    private static let slips = PocketClient.Slip.allCases.filter {
        DrillSlipTests.caught[$0] == nil
    }

    @Test(
        "Drills find which promises a slip breaks, and none of a careful client", arguments: slips)
    func slip(_ slip: PocketClient.Slip) throws {
        let told = try Self.told(slip, before: slip == .none ? DrillServer.all : [.strict])
        // A drill that cannot judge the careful client says of each other one that it cannot.
        let unapplied = slip == .none ? [] : try Self.unapplied.get()
        let own = told.filter { !unapplied.contains("\($0.drill): \($0.text)") }
        let groups = Dictionary(grouping: own, by: \.text).sorted { $0.key < $1.key }
        let text = groups.map { text, drills in
            let names = drills.map(\.drill).joined(separator: " ")
            return ([text] + WordWrap.lines(names, first: "    ", rest: "    "))
                .joined(separator: "\n")
        }.joined(separator: "\n")
        let differences = try GoldenFile.differences(
            of: text, from: slip.rawValue, of: "catalogue.txt")
        #expect(differences == [])
        #expect(slip == .none || !own.isEmpty)
    }

    @Test("Every accepted section belongs to a slip")
    func orphans() throws {
        let names = Self.slips.map(\.rawValue)
        let orphans = try GoldenFile.orphans(of: "catalogue.txt", beside: names)
        #expect(orphans == [])
    }

    /// Of each drill of a careful client: requests, choices, events, the sum of the events' times
    /// and the end, both in milliseconds.
    private static let courses: [String: [Int]] = [
        "expiredToken": [26, 122, 110, 31_032_600, 303_480],
        "fullPool": [62, 305, 254, 74_463_000, 303_960],
        "nextExpiries": [16, 60, 74, 40_666_760, 905_800],
        "noNewRefreshToken": [7, 0, 36, 13_255_560, 604_560],
        "lateRefusal": [6, 7, 31, 1_448_240, 62_760],
        "revokedUnderWay": [4, 2, 24, 1_027_630, 62_760],
        "refreshFailsOnce": [12, 49, 57, 19_867_200, 422_240],
        "refreshWithoutToken": [12, 49, 57, 19_867_200, 422_240],
        "waitersOfFailure": [11, 41, 55, 18_681_520, 422_240],
        "refreshRetried": [4, 13, 22, 5_403_360, 362_160],
        "refreshRefused": [7, 20, 44, 11_147_200, 303_400],
        "refreshUnauthorized": [7, 19, 40, 12_864_520, 432_160],
        "refreshAnswerLost": [8, 13, 45, 13_734_720, 364_480],
        "outage": [10, 41, 52, 120_185_840, 4_022_240],
        "retryAfter": [9, 23, 48, 15_803_400, 422_240],
        "forbidden": [4, 11, 25, 1_187_960, 77_080],
        "otherRefusal": [7, 21, 36, 1_850_080, 77_080],
        "cachedRefusal": [8, 31, 41, 2_465_280, 97_080],
        "redirectDropsToken": [4, 11, 24, 1_023_840, 62_160],
        "redirectLeaksToken": [4, 11, 24, 1_023_840, 62_160],
        "revokedElsewhere": [8, 18, 48, 2_713_280, 77_480],
        "signOutDuringRefresh": [5, 13, 32, 9_021_280, 365_660],
        "signOutOffline": [3, 1, 23, 1_362_960, 202_000],
        "timerAfterSignOut": [3, 0, 22, 2_714_080, 604_240],
        "nextPerson": [8, 20, 47, 14_441_480, 366_140],
        "timerOfBefore": [11, 0, 59, 20_320_360, 754_880],
        "switchAccounts": [8, 1, 49, 12_656_080, 364_680],
        "twoScopes": [6, 22, 32, 7_531_800, 303_320],
        "scopeMeanwhile": [10, 8, 50, 10_101_060, 363_320],
        "callerCancels": [8, 28, 41, 12_253_500, 362_720],
        "screenGivesUp": [4, 3, 24, 6_127_600, 362_640],
        "dayAway": [26, 122, 115, 9_072_040_000, 86_402_480],
        "monthAway": [7, 18, 44, 44_064_019_560, 1_296_002_400],
        "killedDuringRefresh": [8, 11, 44, 13_381_120, 364_670],
        "killedAfterRefresh": [10, 20, 51, 17_775_800, 604_640],
        "startAfterSignOut": [3, 0, 22, 5_080, 2_240],
        "startOffline": [9, 27, 48, 14_285_960, 432_240],
        "updated": [10, 0, 58, 19_589_240, 604_800], "reinstalled": [9, 0, 54, 4_535_120, 303_720],
        "suspendedInRefresh": [8, 32, 43, 13_508_820, 387_320],
        "wokenInBackground": [9, 0, 55, 20_325_280, 723_720],
        "otherProcess": [12, 18, 57, 18_084_560, 604_800],
        "frozenInRefresh": [9, 1, 47, 14_576_400, 370_400],
        "storageFails": [9, 20, 45, 15_966_240, 604_560],
        "storageSlow": [8, 30, 41, 10_249_660, 303_820],
        "lockedAtStart": [3, 0, 25, 85_240, 12_240],
        "lockedThenKilled": [9, 0, 52, 18_494_880, 619_720],
        "clockAhead": [8, 0, 51, 160_560, 9_640], "clockBehind": [10, 0, 60, 12_224_000, 310_800],
        "clockSetBack": [10, 0, 60, 12_226_240, 310_800], "shortToken": [6, 20, 29, 6_800, 2_320],
        "shortLived": [6, 0, 38, 81_360, 7_480], "alwaysExpired": [6, 21, 30, 1_385_040, 62_240],
        "writeOnExpired": [6, 20, 30, 6_929_880, 303_320],
        "writeAnswerLost": [2, 1, 14, 422_560, 62_080], "pages": [32, 19, 129, 7_387_980, 305_560],
        "reconnect": [9, 0, 46, 14_766_880, 604_720],
        "handoverInRefresh": [9, 47, 50, 13_055_780, 307_850],
        "handoverInWrite": [2, 15, 15, 483_320, 62_050],
        "refreshOnDeadConnection": [9, 21, 51, 13_297_000, 305_640],
        "refreshOnDeadStreams": [9, 19, 51, 13_294_760, 305_640],
        "goAwayInRefresh": [10, 56, 49, 12_710_840, 305_770],
    ]

    @Test("A drill of a careful client takes its known course", arguments: Drill.all.map(\.id))
    func course(of id: String) throws {
        let drill = try #require(Drill.all.first { $0.id == id })
        let subject = DrillSubject(
            drill: drill, server: .strict, client: PocketUnderTest(), plan: Self.plan)
        let schedule = Schedule(
            FirstInFirstOut(), windowNanoseconds: 100_000_000, keepsHistory: true)
        let history = try #require(try subject.play(schedule).history)
        let course = [
            history.events.count { $0.kind == .sent }, schedule.choices.count,
            history.events.count, Int(history.events.reduce(0) { $0 + $1.at / 1_000_000 }),
            Int(history.endedAt / 1_000_000),
        ]
        #expect(course == Self.courses[drill.id])
    }

    @Test("Every known course belongs to a drill")
    func courseNames() {
        #expect(Set(Self.courses.keys) == Set(Drill.all.map(\.id)))
    }

    @Test("A replayed schedule of a drill is judged as before, or says what was not seen")
    func replays() throws {
        func cell(_ slip: PocketClient.Slip) throws -> DrillReport.Cell {
            let runner = Self.runner(slip, choices: [])
            let first = try runner.preparation(.strict)
            return try runner.cellUnlessStopped(.expiredToken, before: .strict, first)
        }
        #expect(try cell(.none).passes)
        #expect(try cell(.signsInAgain).reason == "the client never refreshed")
        let broken = try cell(.refreshesBeside)
        #expect(broken.findings.first?.hasPrefix("redundant refresh: R0") == true)
        #expect(broken.brokenSchedules == 1 && broken.firstSchedule == 1)
        let stopped = Self.runner(.none, isStopped: true)
        let unplayed = try stopped.cellUnlessStopped(.expiredToken, before: .strict, .init())
        #expect(!unplayed.wasPlayed && unplayed.reason == "interrupted before it was played")
    }

    @Test("A report on drills passes only if one was judged, none is broken and worlds agree")
    func passes() {
        typealias Outcome = DrillOutcome<DrillReport.Broken>
        func passes(_ outcomes: Outcome..., isRepeatable: Bool = true) -> Bool {
            DrillReport(
                cells: outcomes.map {
                    .init(drill: .expiredToken, server: .strict, outcome: $0)
                }, plan: Self.plan, client: PocketUnderTest(), isReplay: false,
                preparation: .init(isRepeatable: isRepeatable)
            ).passes
        }
        let broken = Outcome.broken(
            .init(findings: [], count: 1, schedules: 1, kept: nil))
        #expect(passes(.passes) && passes(.passes, .notAsked("")))
        #expect(!passes() && !passes(.notAsked("")) && !passes(.notJudged("")))
        #expect(!passes(.passes, broken) && !passes(.passes, isRepeatable: false))
    }

    @Test("Plays of a drill report the first missing observation, unless another play has all")
    func notes() throws {
        let notes = DrillObservations()
        func note(_ missing: [String], _ choices: [UInt16], isBroken: Bool = false) throws {
            let setting = ServerConfiguration(PocketUnderTest(), .strict)
            let pocket = PocketWorld(
                .none, setting, Schedule(FirstInFirstOut(), windowNanoseconds: 0))
            let world = try DrillWorld(setting, on: pocket)
            for word in missing { world.need(false, word) }
            notes.note(world, choices, isBroken ? [Violation("x", "wrong")] : [])
        }
        try note(["one", "two"], [1], isBroken: true)
        try note(["three"], [2])
        try note(["four"], [3])
        #expect(notes.unseen == "one" && notes.kept == [2])
        try note([], [4])
        #expect(notes.unseen == nil && notes.kept == [2])
        #expect(notes.abilities.contains(.signOut) && !notes.abilities.contains(.storage))
    }

    @Test("Only refreshes that are refused count as refused ones")
    func refused() {
        let story = Story()
        story.happens(.served, .refresh, call: 1, .signedOut)
        story.happens(.served, .ordinary, call: 2, .signedOut)
        story.happens(.served, .refresh, call: 3, .success)
        story.happens(.answered, .refresh, call: 1, .signedOut)
        let history = story.recorder.history
        #expect(history.refusedRefreshes == 1 && history.refreshesReceived == 2)
        #expect(history.requestsSent == 0 && history.replies { $0.role == .ordinary } == 1)
    }
}
