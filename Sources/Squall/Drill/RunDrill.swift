import Foundation
import SquallKernel
import SquallRaces
public import SquallServices

/// Asks a client everything that refresh code is known to get wrong.
///
/// Each ``Drill`` is played before servers that treat refresh tokens in different ways, each time
/// in several orders of events, in worlds of their own.
///
/// ```swift
/// @Test func tokens() throws {
///     let report = try drill(over: service) { device in
///         let api = MyAPI(base: device.url, session: device.session)
///         return DrillClient(
///             signIn: { try await api.signIn($0.email, $0.password) },
///             call: { try await api.posts() }, signOut: { await api.signOut() })
///     }
///     #expect(report.passes, "\(report)")
/// }
/// ```
///
/// The same service, seed and client give the same report, whatever the number of threads.
///
/// - Parameters:
///   - service: the API; its semantics of refreshing and its lifetimes are changed by drills.
///   - drills: what is asked; everything unless told.
///   - servers: before which servers.
///   - schedules: in how many orders of events each drill is played before each server.
///   - choices: one order of events in place of those, as a report tells it.
///   - seed: decides the orders, and everything else that is left to chance.
///   - window: how much later than due something may happen, so that others overtake it.
///   - threads: how many worlds run at a time; all cores by default.
///   - client: makes the client for a start of the app on a device.
/// - Returns: what it keeps and what it breaks.
/// - Throws: ``WorldError`` and `SimulationError` when the client's code cannot be played at all.
public func drill(
    over service: TokenService, asking drills: [Drill] = Drill.all,
    before servers: [DrillServer] = DrillServer.all, schedules: Int = 8,
    choices: [UInt16]? = nil, seed: UInt64 = 1, window: Duration = .milliseconds(100),
    threads: Int? = nil, client: @escaping @Sendable (DrillDevice) throws -> DrillClient
) throws -> DrillReport {
    precondition(schedules > 0, "a drill is played at least once, got \(schedules) schedules")
    let count = threads ?? ProcessInfo.processInfo.activeProcessorCount
    let plan = ExplorationPlan(
        seed: seed, schedules: schedules, nanoseconds: nil, deviations: nil,
        windowNanoseconds: Int64(window / .nanoseconds(1)),
        strategies: ExplorationPlan.standardStrategies, threads: 1, findingsMax: .max,
        shrinkingPlaysMax: 80)
    let round = DrillRound(
        service: service, plan: plan, choices: choices, makeClient: client)
    let first = try round.preparation(servers.first ?? .lenient)
    let cells = drills.flatMap { drill in servers.map { (drill, $0) } }
    let results = try WorkerThreads(count: first.isRepeatable ? count : 1).map(cells.count) {
        try round.cell(cells[$0].0, before: cells[$0].1, first)
    }
    return DrillReport(
        cells: results, plan: plan, isReplay: choices != nil, preparation: first)
}

/// What all drills of a report have in common.
struct DrillRound: Sendable {
    let service: TokenService
    let plan: ExplorationPlan
    let choices: [UInt16]?
    let makeClient: @Sendable (DrillDevice) throws -> DrillClient

    /// What a client shows before it is asked anything.
    struct Preparation: Sendable {
        var abilities: Set<Drill.Ability> = []
        /// Why nothing can be asked.
        var problem: String?
        /// Whether a second world saw the same as the first.
        var isRepeatable = true
    }

    private func subject(_ drill: Drill, _ server: DrillServer) -> DrillSubject {
        DrillSubject(
            drill: drill, server: server, service: service, seed: plan.seed, makeClient: makeClient)
    }

    /// Signs in and makes a call, twice, in worlds of their own.
    func preparation(_ server: DrillServer) throws -> Preparation {
        var result = Preparation()
        do {
            let plays = try (0..<2).map { _ in
                let subject = subject(.preparation, server)
                let played = try subject.play(
                    Schedule(FirstInFirstOut(), windowNanoseconds: plan.windowNanoseconds))
                result.problem = result.problem ?? played.violations.first?.text
                result.abilities.formUnion(subject.notes.abilities)
                return played.digest
            }
            result.isRepeatable = plays[0] == plays[1]
        } catch DrillRoom.Stop.cannotSignIn(let error) {
            result.problem = "signing in failed with \(error)"
        }
        return result
    }

    /// A drill before a server.
    func cell(
        _ drill: Drill, before server: DrillServer, _ first: Preparation
    ) throws -> DrillReport.Cell {
        func cell(_ outcome: DrillReport.Outcome) -> DrillReport.Cell {
            DrillReport.Cell(drill: drill, server: server, outcome: outcome)
        }
        if first.problem != nil { return cell(.notAsked("it cannot begin")) }
        if let servers = drill.servers, !servers.contains(server.name) {
            return cell(.notAsked("means nothing before this server"))
        }
        let missing = drill.needs.subtracting(first.abilities)
        guard missing.isEmpty else {
            let names = missing.sorted().map(\.rawValue).joined(separator: ", ")
            return cell(.notAsked("needs \(names)"))
        }
        do {
            return cell(try outcome(of: subject(drill, server)))
        } catch let error as DrillRoom.Stop {
            guard case .cannotSignIn(let text) = error else { throw error }
            return cell(.notJudged("signing in failed with \(text)"))
        }
    }

    private func outcome(of subject: DrillSubject) throws -> DrillReport.Outcome {
        if let choices { return try replayed(subject, choices) }
        let exploration = try Explorer(plan).explore(subject)
        let again = try subject.play(
            Schedule(FirstInFirstOut(), windowNanoseconds: plan.windowNanoseconds))
        if let fifo = exploration.fifo, fifo.digest != again.digest {
            return .notJudged("state outlives the world: a singleton, or a clock of its own")
        }
        guard !exploration.findings.isEmpty else {
            return subject.notes.unseen.map { .notJudged($0) } ?? .passes
        }
        let findings = exploration.findings.sorted { $0.schedule < $1.schedule }
        let kept = try subject.notes.kept.map { try replay(subject, $0) }
        return .broken(
            DrillReport.Broken(
                findings: findings, count: exploration.coverage.broken,
                schedules: exploration.coverage.schedules, kept: kept))
    }

    private func replay(_ subject: DrillSubject, _ choices: [UInt16]) throws -> Played {
        try subject.play(
            Schedule(
                ReplayedSchedule(choices), windowNanoseconds: plan.windowNanoseconds,
                keepsHistory: true))
    }

    private func replayed(
        _ subject: DrillSubject, _ choices: [UInt16]
    ) throws -> DrillReport.Outcome {
        let played = try replay(subject, choices)
        guard !played.violations.isEmpty else {
            return subject.notes.unseen.map { .notJudged($0) } ?? .passes
        }
        let fifo = try replay(subject, [])
        let findings = played.violations.map { violation in
            Finding(
                violation: violation, schedule: 1, count: 1,
                windowNanoseconds: plan.windowNanoseconds, choices: choices,
                choicesBefore: choices.count { $0 > 0 }, isFewest: false,
                needsNoOrder: fifo.violations.contains {
                    $0.invariant == violation.invariant && $0.cause == violation.cause
                }, subject: subject, played: played, twin: fifo)
        }
        return .broken(
            DrillReport.Broken(
                findings: findings, count: 1, schedules: 1,
                kept: fifo.violations.isEmpty ? fifo : nil))
    }
}

extension Drill {
    /// What comes before all others: whoever cannot do this cannot be asked anything.
    static let preparation = Drill(
        "preparation", "a sign-in and a call",
        promise: "A call of somebody who has just signed in succeeds.",
        source: "", cure: ""
    ) { room in
        try await room.signIn()
        let act = try await room.call()
        room.expectSuccess([act], "a call right after the sign-in")
    }
}
