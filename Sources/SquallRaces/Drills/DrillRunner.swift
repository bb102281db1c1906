import Foundation
import SquallBackend
import SquallKernel
import Synchronization

/// The drills that a client is asked, for which servers, in how many orders of events.
public struct DrillOptions: Sendable {
    /// The drills to play.
    public var drills = Drill.all
    /// The servers to play them with.
    public var servers = DrillServer.all
    /// In how many orders of events each drill is played with each server.
    public var schedules = 8
    /// A single order of events to play instead, as a report tells it.
    public var choices: [UInt16]?
    /// Decides the orders and everything else that is random.
    public var seed: UInt64 = 1
    /// How much later than due an event may happen, so that others overtake it.
    public var window: Duration = .milliseconds(100)
    /// How often a schedule may interrupt code that does not wait, if the world can do so.
    public var preemptions = 0
    /// How many worlds run at a time; findings do not depend on it; `nil` for all cores.
    public var threads: Int?
    /// How long an app that goes to the background runs on before it is suspended.
    public var backgroundGrace: Duration = ServerConfiguration.usualGrace
    /// Told after each drill with a server, on the thread that played it: how many are done.
    public var progress: @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
    /// Asked repeatedly; once it returns true, the report lacks what was not played.
    public var isStopped: @Sendable () -> Bool = { false }

    /// All drills with all servers.
    public init() {}

    /// Plays the drills with a client.
    ///
    /// - Precondition: a drill is played at least once.
    /// - Throws: what makes its worlds useless.
    public func run(on client: any ClientUnderTest) throws -> DrillReport {
        precondition(schedules > 0, "a drill is played at least once, got \(schedules) schedules")
        try ExecutorSelfTest.run()
        let count = threads ?? ProcessInfo.processInfo.activeProcessorCount
        let plan = ExplorationPlan(
            seed: seed, schedules: schedules, windowNanoseconds: window.nanosecondsClamped,
            findingsMax: .max, shrinkingPlaysMax: 80, preemptions: preemptions)
        let runner = DrillRunner(client: client, options: self, plan: plan)
        let first = try runner.preparation(servers.first ?? .lenient)
        let cells = drills.flatMap { drill in servers.map { (drill, $0) } }
        let done = Mutex(0)
        // What worlds share would be used by two at once.
        let isApart = first.isRepeatable && first.leakedAcrossRuns.isEmpty
        let results = try WorkerThreads(count: isApart ? count : 1).map(cells.count) {
            defer {
                progress(
                    done.withLock { done in
                        done += 1
                        return done
                    }, cells.count)
            }
            return try runner.cellUnlessStopped(cells[$0].0, before: cells[$0].1, first)
        }
        return DrillReport(
            cells: results, plan: plan, client: client, isReplay: choices != nil,
            preparation: first)
    }
}

/// Plays the drills of a report.
struct DrillRunner: Sendable {
    let client: any ClientUnderTest
    let options: DrillOptions
    let plan: ExplorationPlan

    /// The result of a sign-in and a call before any drill.
    struct Preparation: Sendable {
        var abilities: Set<Drill.Ability> = []
        /// The reason for which no drill can be played; `nil` when the client can be judged.
        var problem: String?
        /// The fault of the simulation that ended it; `nil` without one.
        var fault: String?
        /// False if a second world with the same seed saw other requests than the first.
        var isRepeatable = true
        /// Objects that code of both worlds has used: a singleton's actor or queue, a session.
        var leakedAcrossRuns: [String] = []
    }

    private var nameBefore: String { client.name.map { "\($0), " } ?? "" }

    private func subject(_ drill: Drill, _ server: DrillServer) -> DrillSubject {
        DrillSubject(
            drill: drill, server: server, client: client, plan: plan,
            backgroundGrace: options.backgroundGrace)
    }

    /// Signs in and makes a call, twice, in worlds of their own.
    func preparation(_ server: DrillServer) throws -> Preparation {
        var result = Preparation()
        let work = "\(nameBefore)first sign-in and call, server \(server.name)"
        if let fault = Containment.fault(of: work) {
            result.fault = fault
            return result
        }
        let subject = subject(.preparation, server)
        do {
            let plays = try Containment.perform(work, within: plan.processorSeconds(for: 2)) {
                try (0..<2).map { _ in
                    let played = try subject.play(
                        Schedule(FirstInFirstOut(), windowNanoseconds: plan.windowNanoseconds))
                    // That the call failed tells more than what its requests broke.
                    let violation =
                        played.violations.first { $0.invariant == "expected" }
                        ?? played.violations.first
                    result.problem = result.problem ?? violation?.text
                    result.abilities.formUnion(subject.notes.abilities)
                    return played.digest
                }
            }
            result.isRepeatable = plays[0] == plays[1]
            result.leakedAcrossRuns = client.leakedAcrossRuns
        } catch DrillWorld.Stop.cannotSignIn(let error) {
            result.problem = "signing in failed with \(error)"
        }
        if let problem = result.problem,
            let lack = client.endpoints.lacks(subject.notes.unknownCalls)
        {
            result.problem = "\(problem); \(lack)"
        }
        return result
    }

    /// Plays a drill with a server; not played once a stop is requested.
    func cellUnlessStopped(
        _ drill: Drill, before server: DrillServer, _ first: Preparation
    ) throws -> DrillReport.Cell {
        let subject = subject(drill, server)
        let outcome = try outcomeUnlessStopped(of: subject, first)
        return DrillReport.Cell(
            drill: drill, server: server, outcome: outcome,
            unknownCalls: subject.notes.unknownCalls, isRepeatable: subject.notes.isRepeatable)
    }

    private func outcomeUnlessStopped(
        of subject: DrillSubject, _ first: Preparation
    ) throws -> DrillOutcome<DrillReport.Broken> {
        let work = "\(nameBefore)drill \(subject.drill.id), server \(subject.server.name)"
        if let fault = Containment.fault(of: work) { return .fault(fault) }
        guard !options.isStopped() else { return .notPlayed(DrillReport.interrupted) }
        do {
            let seconds = plan.processorSeconds(for: plan.schedules)
            return try Containment.perform(work, within: seconds) {
                try reason(against: subject, first) ?? outcome(of: subject)
            }
        } catch is StopRequested {
            return .notPlayed(DrillReport.interrupted)
        } catch DrillWorld.Stop.cannotSignIn(let text) {
            return .notJudged("signing in failed with \(text)")
        }
    }

    private func reason(
        against subject: DrillSubject, _ first: Preparation
    ) -> DrillOutcome<DrillReport.Broken>? {
        if let fault = first.fault { return .fault(fault) }
        if first.problem != nil { return .notAsked("sign-in or the first call failed") }
        return subject.drill.reason(against: subject.server, first.abilities).map { .notAsked($0) }
    }

    private func outcome(of subject: DrillSubject) throws -> DrillOutcome<DrillReport.Broken> {
        if let choices = options.choices { return try replayed(subject, choices) }
        var plan = plan
        if subject.drill.hasOneOrder { plan.schedules = 1 }
        // What the first order shows needs no rare one: the others would only say so again.
        plan.findingsMax = 1
        let exploration = try Explorer(plan, isStopped: options.isStopped).explore(subject)
        if exploration.findings.isEmpty, !exploration.isWhole { throw StopRequested() }
        let again = try subject.play(
            Schedule(
                FirstInFirstOut(), windowNanoseconds: plan.windowNanoseconds, keepsHistory: true))
        guard let fifo = exploration.fifo, fifo.digest != again.digest else {
            return try outcome(
                of: subject, exploration,
                kept: subject.notes.kept.map { try replay(subject, $0) })
        }
        let plays = try [again] + (0..<Self.playsOfVarying).map { _ in try replay(subject, []) }
        guard Set(plays.map(\.digest)).count > 1 else {
            return .notJudged("state persists between worlds: a singleton, or a clock of its own")
        }
        subject.notes.noteVariation()
        return try outcome(
            of: subject, exploration, and: plays, kept: plays.first { $0.violations.isEmpty })
    }

    /// So many plays more tell what varies by itself from what the first world left to all others.
    ///
    /// State that persists makes the first world another one than all later ones, which then are
    /// alike: they show a client that no fresh process has. An order by the addresses of objects,
    /// as sets of them have, differs between any two: an app may have each, and each counts.
    private static let playsOfVarying = 7

    /// The outcome of an exploration, and of further plays of its first schedule.
    private func outcome(
        of subject: DrillSubject, _ exploration: Exploration, and plays: [Played] = [],
        kept: @autoclosure () throws -> Played?
    ) throws -> DrillOutcome<DrillReport.Broken> {
        let broken = plays.filter { !$0.violations.isEmpty }
        guard !exploration.findings.isEmpty || !broken.isEmpty else {
            return subject.notes.unseen.map { .notJudged($0) } ?? .passes
        }
        let kept = try kept()
        let shown = broken.first.map { findings(in: $0, of: subject, [], beside: kept ?? $0) }
        return .broken(
            DrillReport.Broken(
                findings: shown ?? exploration.findings.sorted { $0.schedule < $1.schedule },
                count: exploration.coverage.broken + broken.count,
                schedules: exploration.coverage.schedules + plays.count, kept: kept))
    }

    private func replay(_ subject: DrillSubject, _ choices: [UInt16]) throws -> Played {
        try subject.play(
            Schedule(
                ReplayedSchedule(choices), windowNanoseconds: plan.windowNanoseconds,
                keepsHistory: true))
    }

    private func replayed(
        _ subject: DrillSubject, _ choices: [UInt16]
    ) throws -> DrillOutcome<DrillReport.Broken> {
        let played = try replay(subject, choices)
        guard !played.violations.isEmpty else {
            return subject.notes.unseen.map { .notJudged($0) } ?? .passes
        }
        let fifo = try replay(subject, [])
        let findings = findings(in: played, of: subject, choices, beside: fifo)
        return .broken(
            DrillReport.Broken(
                findings: findings, count: 1, schedules: 1,
                kept: fifo.violations.isEmpty ? fifo : nil))
    }

    /// What one play shows, as it was played.
    private func findings(
        in played: Played, of subject: DrillSubject, _ choices: [UInt16], beside twin: Played
    ) -> [Finding] {
        played.violations.map { violation in
            Finding(
                violation: violation, schedule: 1, count: 1,
                windowNanoseconds: plan.windowNanoseconds, choices: choices,
                choicesBefore: choices.count { $0 > 0 }, isFewest: false,
                needsNoOrder: choices.isEmpty || twin.breaks(violation), subject: subject,
                played: played, twin: twin)
        }
    }
}

extension Drill {
    /// Comes before all drills: a client that cannot do this cannot be judged.
    static let preparation = Drill(
        "preparation", "a sign-in and a call",
        promise: "A call right after sign-in succeeds.",
        source: "", fix: ""
    ) { world in
        try await world.signIn()
        let act = try await world.call()
        world.expectSuccess([act], "a call right after sign-in succeeds")
    }
}

/// A drill with a server, as explorations play it.
struct DrillSubject: RaceSubject {
    let drill: Drill
    let server: DrillServer
    let client: any ClientUnderTest
    let plan: ExplorationPlan
    var backgroundGrace = ServerConfiguration.usualGrace
    let notes = DrillObservations()

    /// How much virtual time a drill may take: more than a month.
    private static let limit: Duration = .seconds(40 * 86_400)

    func play(_ schedule: Schedule) throws -> Played {
        var setting = ServerConfiguration(client, server)
        setting.backgroundGrace = backgroundGrace
        drill.setting(&setting)
        let clientWorld = try client.world(setting, schedule, plan)
        defer {
            notes.note(unknown: clientWorld.tap.recorder.history.unknownCalls)
            clientWorld.end()
        }
        let kept = Box<DrillWorld?>(nil)
        let run = try clientWorld.run(for: DrillSubject.limit) { [setting] in
            let world = try DrillWorld(setting, on: clientWorld)
            kept.value = world
            do {
                try await drill.play(world)
                await world.sleep(.seconds(2))
            } catch DrillWorld.Stop.hung {}
            world.end()
        }
        if run.isSpinning { kept.value?.spins() }
        guard let world = kept.value else { throw AppNeverStarts(blocks: run.blocks) }
        clientWorld.tap.close(run.isWhole ? .still : .outOfTime)
        let history = clientWorld.tap.recorder.history
        (world.recording.history, world.recording.run) = (history, run)
        let violations = world.recording.violations
        notes.note(world, schedule.choices, violations)
        return Played(
            schedule, violations: violations, serverView: history.serverView,
            digest: history.digest, history: schedule.keepsHistory ? history : nil)
    }
}

/// The client's initialiser, or its first code, never returns.
struct AppNeverStarts: Error, CustomStringConvertible {
    /// What blocks it, where that is known.
    let blocks: String?

    var description: String {
        "the start of the app never returns" + (blocks.map { ": \($0)" } ?? "")
    }
}

/// The observations of a drill's plays, besides their findings.
final class DrillObservations: Sendable {
    private let state = Mutex(State())

    private struct State {
        var kept: [UInt16]?
        var unseen: String?
        var wasSeen = false
        var abilities: Set<Drill.Ability> = []
        var unknownCalls: Set<String> = []
        var isRepeatable = true
    }

    func note(_ world: DrillWorld, _ choices: [UInt16], _ violations: [Violation]) {
        state.withLock { state in
            if state.kept == nil, violations.isEmpty { state.kept = choices }
            if let unseen = world.recording.unseen { state.unseen = state.unseen ?? unseen }
            state.wasSeen = state.wasSeen || world.recording.unseen == nil
            state.abilities.formUnion(world.abilities)
            state.abilities.formUnion(world.setting.client.abilities)
            state.abilities.formUnion(Drill.Ability.simulated)
            if world.clientWorld.storage?.wasUsed == true {
                state.abilities.formUnion([.storage, .restart])
            }
        }
    }

    /// The choices of the first play that kept every promise.
    var kept: [UInt16]? { state.withLock { $0.kept } }
    /// The situation that no play has shown, without which the drill is not judged.
    var unseen: String? { state.withLock { $0.wasSeen ? nil : $0.unseen } }
    var abilities: Set<Drill.Ability> { state.withLock { $0.abilities } }

    /// False once two plays of one schedule were different.
    var isRepeatable: Bool { state.withLock { $0.isRepeatable } }
    func noteVariation() { state.withLock { $0.isRepeatable = false } }

    func note(unknown calls: [String]) { state.withLock { $0.unknownCalls.formUnion(calls) } }

    /// The requests that no service knew.
    var unknownCalls: [String] { state.withLock { $0.unknownCalls.sorted() } }
}
