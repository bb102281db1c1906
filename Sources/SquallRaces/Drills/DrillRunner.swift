import SquallKernel

/// What all drills of a report share.
struct DrillRunner: Sendable {
    let client: any ClientUnderTest
    let plan: ExplorationPlan
    let choices: [UInt16]?
    var backgroundGrace = ServerConfiguration.usualGrace
    let isStopped: @Sendable () -> Bool

    /// What a client shows before any drill.
    struct Preparation: Sendable {
        var abilities: Set<Drill.Ability> = []
        /// Why no drill can be played.
        var problem: String?
        /// What ended it, where a fault of the simulation did.
        var fault: String?
        /// Whether a second world saw the same as the first.
        var isRepeatable = true
        /// Objects that code of both worlds has used: a singleton's actor or queue, a session.
        var leakedAcrossRuns: [String] = []
    }

    private var nameBefore: String { client.name.map { "\($0), " } ?? "" }

    private func subject(_ drill: Drill, _ server: DrillServer) -> DrillSubject {
        DrillSubject(
            drill: drill, server: server, client: client, plan: plan,
            backgroundGrace: backgroundGrace)
    }

    /// Signs in and makes a call, twice, in worlds of their own.
    func preparation(_ server: DrillServer) throws -> Preparation {
        var result = Preparation()
        let work = "\(nameBefore)first sign-in and call, server \(server.name)"
        if let fault = Containment.fault(of: work) {
            result.fault = fault
            return result
        }
        do {
            let plays = try Containment.perform(work, within: plan.processorSeconds(for: 2)) {
                try (0..<2).map { _ in
                    let subject = subject(.preparation, server)
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
        return result
    }

    /// Plays a drill with a server; not played when it was stopped before anything was found.
    func cellUnlessStopped(
        _ drill: Drill, before server: DrillServer, _ first: Preparation
    ) throws -> DrillReport.Cell {
        func cell(_ outcome: DrillReport.Outcome) -> DrillReport.Cell {
            DrillReport.Cell(drill: drill, server: server, outcome: outcome)
        }
        let work = "\(nameBefore)drill \(drill.id), server \(server.name)"
        if let fault = Containment.fault(of: work) { return cell(.fault(fault)) }
        guard !isStopped() else { return cell(.notPlayed) }
        do {
            let seconds = plan.processorSeconds(for: plan.schedules)
            return try Containment.perform(work, within: seconds) {
                try self.cell(drill, before: server, first)
            }
        } catch is StopRequested { return cell(.notPlayed) }
    }

    private func cell(
        _ drill: Drill, before server: DrillServer, _ first: Preparation
    ) throws -> DrillReport.Cell {
        func cell(_ outcome: DrillReport.Outcome) -> DrillReport.Cell {
            DrillReport.Cell(drill: drill, server: server, outcome: outcome)
        }
        if let fault = first.fault { return cell(.fault(fault)) }
        if first.problem != nil { return cell(.notAsked("sign-in or the first call failed")) }
        if let servers = drill.servers, !servers.contains(server.name) {
            return cell(.notAsked("does not apply to this server"))
        }
        let missing = drill.needs.subtracting(first.abilities)
        guard missing.isEmpty else {
            let names = missing.sorted().map(\.words).joined(separator: ", ")
            return cell(.notAsked("needs \(names)"))
        }
        do {
            return cell(try outcome(of: subject(drill, server)))
        } catch let error as DrillWorld.Stop {
            guard case .cannotSignIn(let text) = error else { throw error }
            return cell(.notJudged("signing in failed with \(text)"))
        }
    }

    private func outcome(of subject: DrillSubject) throws -> DrillReport.Outcome {
        if let choices { return try replayed(subject, choices) }
        var plan = plan
        if subject.drill.hasOneOrder { plan.schedules = 1 }
        // What the first order shows needs no rare one: the others would only say so again.
        plan.findingsMax = 1
        let exploration = try Explorer(plan, isStopped: isStopped).explore(subject)
        if exploration.findings.isEmpty, !exploration.isWhole { throw StopRequested() }
        let again = try subject.play(
            Schedule(FirstInFirstOut(), windowNanoseconds: plan.windowNanoseconds))
        if let fifo = exploration.fifo, fifo.digest != again.digest {
            return .notJudged("state persists between worlds: a singleton, or a clock of its own")
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
