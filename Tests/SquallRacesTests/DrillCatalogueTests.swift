import SquallBackend
import SquallKernel
import TestSupport
import Testing

@testable import SquallRaces

@Suite("The catalogue of drills")
struct DrillCatalogueTests {
    private static let none = "does not apply to this server"
    private static let plan = ExplorationPlan.small(1, window: 100_000_000, shrinking: 0)

    private static func runner(
        _ slip: PocketClient.Slip, choices: [UInt16]? = nil, isStopped: Bool = false
    ) -> DrillRunner {
        var options = DrillOptions()
        options.choices = choices
        options.isStopped = { isStopped }
        return DrillRunner(client: PocketGround(slip: slip), options: options, plan: plan)
    }

    /// What drills say of the pocket client with a slip, where they do not pass.
    private static func told(_ slip: PocketClient.Slip) throws -> [String] {
        let servers = slip == .none ? DrillServer.all : [.strict]
        let runner = runner(slip)
        let first = try runner.preparation(servers[0])
        // A slip that one drill was written for is asked that one, and no slip before it is.
        let own = DrillSlipTests.caught.values.map(\.id).filter { $0 != "writeOnExpired" }
        let drills = slip == .none ? Drill.all : Drill.all.filter { !own.contains($0.id) }
        let asked = try drills.flatMap { drill in
            try servers.map { try runner.cellUnlessStopped(drill, before: $0, first) }
        }
        let cells = asked.compactMap { cell -> String? in
            if cell.passes || slip != .none && cell.reason == Self.none { return nil }
            let name = "\(cell.drill.id) \(cell.server.name):"
            return ([name] + (cell.reason.map { [$0] } ?? cell.findings)).joined(
                separator: "\n    ")
        }
        return ["## \(slip)"] + cells
    }

    @Test("Each drill passes a careful client, and says of each slip which promise it breaks")
    func slips() throws {
        let slips = PocketClient.Slip.allCases.filter { DrillSlipTests.caught[$0] == nil }
        let text = try slips.flatMap(Self.told).joined(separator: "\n") + "\n"
        #expect(try text == GoldenFile.accepted("catalogue.txt", for: text))
    }

    @Test("A drill of a careful client sends so many requests, until such a moment")
    func course() throws {
        let lines = try Drill.all.map { drill in
            let subject = DrillSubject(
                drill: drill, server: .strict, client: PocketGround(), plan: Self.plan)
            let schedule = Schedule(
                FirstInFirstOut(), windowNanoseconds: 100_000_000, keepsHistory: true)
            let played = try subject.play(schedule)
            let history = try #require(played.history)
            let sent = history.events.count { $0.kind == .sent }
            let moments = history.events.reduce(0) { $0 + $1.at / 1_000_000 }
            return "\(drill.id): \(sent) requests, \(schedule.choices.count) choices,"
                + " \(history.events.count) events at \(moments) ms together,"
                + " the end at \(history.endedAt / 1_000_000) ms"
        }
        let text = lines.joined(separator: "\n") + "\n"
        #expect(try text == GoldenFile.accepted("courses.txt", for: text))
    }

    @Test("One order that is played again is judged as it was, or says that nothing was seen")
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

    @Test("Nothing passes where nothing was judged, something is broken, or worlds differ")
    func passes() {
        func passes(_ outcomes: DrillReport.Outcome..., isRepeatable: Bool = true) -> Bool {
            DrillReport(
                cells: outcomes.map {
                    .init(drill: .expiredToken, server: .strict, outcome: $0)
                }, plan: Self.plan, client: PocketGround(), isReplay: false,
                preparation: .init(isRepeatable: isRepeatable)
            ).passes
        }
        let broken = DrillReport.Outcome.broken(
            .init(findings: [], count: 1, schedules: 1, kept: nil))
        #expect(passes(.passes) && passes(.passes, .notAsked("")))
        #expect(!passes() && !passes(.notAsked("")) && !passes(.notJudged("")))
        #expect(!passes(.passes, broken) && !passes(.passes, isRepeatable: false))
    }

    @Test("Of plays that have not seen it the first says what, unless another one has")
    func notes() throws {
        let notes = DrillObservations()
        func note(_ missing: [String], _ choices: [UInt16], isBroken: Bool = false) throws {
            let setting = ServerConfiguration(PocketGround(), .strict)
            let stage = PocketStage(
                .none, setting, Schedule(FirstInFirstOut(), windowNanoseconds: 0))
            let world = try DrillWorld(setting, on: stage)
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
