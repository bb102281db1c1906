import Foundation
import SquallFormat
public import SquallKernel
import SquallRaces

/// Runs code in a world again and again, each time in another order of events, and keeps what
/// breaks.
///
/// Tasks that could go on, messages that are on their way, timers and queues of Dispatch: whatever
/// could happen next is chosen anew. The first run is first in, first out, as
/// ``simulate(seed:schedule:window:for:_:)`` has it. What breaks is made as small as it can be, and
/// can be played again.
///
/// ```swift
/// let races = try explore(schedules: 500) { world in
///     let far = world.mount(TokenService(.bearer, routes: [.get("/posts", json: "[]")]))
///     let api = MyAPI(URLSession(configuration: far.urlSessionConfiguration))
///     async let first = api.posts()
///     async let second = api.posts()
///     _ = try await (first, second)
/// }
/// #expect(races.passed, "\(races)")
/// ```
///
/// The body must not expect anything by itself, or every schedule reports it: let `judge` say what
/// is wrong with a run.
///
/// - Parameters:
///   - schedules: how many orders are tried at the most.
///   - seed: decides the orders, and everything else that is left to chance.
///   - window: how much later than due something may happen, so that others overtake it; about a
///     round trip shows what a network does, zero permutes only what happens at one instant.
///   - threads: how many worlds run at a time; all cores by default. Nothing that is found depends
///     on it.
///   - limit: how much virtual time each run may take.
///   - preemptions: how often a schedule may interrupt code that does not wait: before it reads a
///     clock or takes a lock of POSIX or Foundation, and after it has started a task.
///   - mustSee: what a schedule has to show at least once: where none does, the code was not judged
///     by it, and ``WorldExploration/passed`` is false. A refresh by default, because of it
///     ``WorldRun/faults`` says whether it was one too many.
///   - judge: what is wrong with a run, a sentence each; ``WorldRun/faults`` by default.
///   - body: the code, in a world of its own each time.
/// - Returns: what broke, and how much was looked at.
/// - Throws: ``WorldError`` and `SimulationError` when a schedule cannot be played at all.
public func explore(
    schedules: Int, seed: UInt64 = 1, window: Duration = .milliseconds(100), threads: Int? = nil,
    for limit: Duration = .seconds(86_400), preemptions: Int = 0,
    mustSee: [WorldExploration.Sight] = [.refresh],
    judge: @escaping @Sendable (WorldRun) -> [String] = { $0.faults },
    _ body: @escaping @Sendable (TestWorld) async throws -> Void
) throws -> WorldExploration {
    try explore(
        schedules: schedules, seed: seed, window: window, threads: threads, for: limit,
        preemptions: preemptions, mustSee: mustSee, judge: { run, _ in judge(run) }, body)
}

/// The same for a body that returns what its client shows at the end, for the judge to see: whether
/// somebody is signed in, what is stored.
///
/// ```swift
/// let races = try explore(schedules: 500) { run, isSignedIn in
///     run.faults + (isSignedIn == true ? ["somebody is signed in after the sign-out"] : [])
/// } _: { world in
///     …
///     return await api.user != nil
/// }
/// ```
///
/// The judge is given a run and what its body returned, or `nil` where it never did.
public func explore<State: Sendable>(
    schedules: Int, seed: UInt64 = 1, window: Duration = .milliseconds(100), threads: Int? = nil,
    for limit: Duration = .seconds(86_400), preemptions: Int = 0,
    mustSee: [WorldExploration.Sight] = [.refresh],
    judge: @escaping @Sendable (WorldRun, State?) -> [String],
    _ body: @escaping @Sendable (TestWorld) async throws -> State
) throws -> WorldExploration {
    let subject = WorldSubject(
        seed: seed, limit: limit, preemptions: preemptions, sights: mustSee, judge: judge,
        body: body)
    let plan = ExplorationPlan(
        seed: seed, schedules: schedules, nanoseconds: nil, deviations: nil,
        windowNanoseconds: Int64(window / .nanoseconds(1)),
        strategies: ExplorationPlan.standardStrategies,
        threads: threads ?? ProcessInfo.processInfo.activeProcessorCount, findingsMax: 20,
        shrinkingPlaysMax: 500, preemptions: preemptions)
    let exploration = try Explorer(plan).explore(subject)
    return WorldExploration(exploration) { choices in
        subject.run(ReplayedSchedule(choices), plan.windowNanoseconds)
    }
}

extension WorldRun {
    /// What is wrong whatever the code is for: refreshes of a token that had been refreshed
    /// already, what was expected and not so, what never ends, and an error that the body threw.
    public var faults: [String] {
        var faults = disappointments.map(\.description) + hangs.map { "hangs: \($0.what)" }
        if redundantRefreshes > 0 {
            faults.append("a token was refreshed again that had been refreshed already")
        }
        if let failure { faults.append("the body threw \(type(of: failure)): \(failure)") }
        return faults
    }
}

/// What an exploration of a world found.
public struct WorldExploration: Sendable, CustomStringConvertible {
    /// What broke, each cause once.
    public let findings: [Finding]
    /// How many schedules were played.
    public let schedules: Int
    /// How many different things the services saw.
    public let distinctViews: Int
    /// What may be claimed of all orders of events.
    public let statement: String
    /// What no schedule showed and one had to, so that it was not judged; a sentence each.
    public let notJudged: [String]
    /// What was varied between the schedules, and what was not; a sentence each.
    public let variation: [String]

    /// Whether nothing broke, and everything was seen that had to be.
    public var passed: Bool { findings.isEmpty && notJudged.isEmpty }

    /// Something that breaks in some order of events.
    public struct Finding: Sendable {
        /// What is wrong, as the judge said it.
        public let text: String
        /// The how-manieth schedule was the first to show it, from 1.
        public let schedule: Int
        /// How many showed it.
        public let count: Int
        /// The choices that show it: 0 for what first in, first out would run.
        public let choices: [UInt16]
        /// Whether every schedule with fewer other choices was played, and is right.
        public let isFewest: Bool
        /// What it takes for it to break, in a sentence.
        public let conditions: String
        /// The order without which it does not happen; `nil` when it needs none.
        public let orderThatMatters: String?
        /// What happens then.
        public let run: WorldRun
        /// What happens in first in, first out.
        public let fifo: WorldRun

        /// Plays it again: `try simulate(seed: 1, schedule: finding.replay, window: …)`.
        public var replay: ReplayedSchedule { ReplayedSchedule(choices) }
    }

    init(_ exploration: Exploration, play: ([UInt16]) -> WorldRun) {
        schedules = exploration.coverage.schedules
        distinctViews = exploration.coverage.distinctViews
        statement = exploration.statement
        notJudged = exploration.notJudged.map {
            "not judged: \($0.question.invariant.claim) (\($0.reason))"
        }
        variation = exploration.variation.sentences
        findings = exploration.findings.map { found in
            Finding(
                text: found.violation.text, schedule: found.schedule, count: found.count,
                choices: found.choices, isFewest: found.isFewest, conditions: found.conditions,
                orderThatMatters: found.orderThatMatters,
                run: play(found.choices), fifo: play([]))
        }
    }

    /// What broke, in which order, beside the order in which it does not.
    public var description: String {
        let details = findings.flatMap { finding in
            [
                "✗ \(finding.text), first in schedule \(finding.schedule), in \(finding.count)",
                finding.conditions,
                "choices\(finding.isFewest ? ", the fewest departures" : ""): \(finding.choices)",
                "\(finding.run)",
            ] + (finding.choices.isEmpty ? [] : ["in first in, first out:", "\(finding.fifo)"])
        }
        let remarks = notJudged + (findings.isEmpty ? variation : [])
        return ([statement] + remarks + details).joined(separator: "\n")
    }
}

/// A body, its judge and what a world of it starts from.
private struct WorldSubject<State: Sendable>: RaceSubject {
    let seed: UInt64
    let limit: Duration
    let preemptions: Int
    let sights: [WorldExploration.Sight]
    let judge: @Sendable (WorldRun, State?) -> [String]
    let body: @Sendable (TestWorld) async throws -> State

    func play(_ schedule: Schedule) throws -> Played {
        let kept = Kept()
        let run = run(schedule.policy, schedule.windowNanoseconds, kept)
        if !run.escapes.isEmpty { throw WorldError.escaped(run.escapes) }
        if let failure = run.failure as? WorldError { throw failure }
        // What happens in a run is what its services saw, in order; its text says all of it.
        let view = StableHash(of: run.log.map(\.description).joined().utf8).value
        let violations = judge(run, kept.state).map { text in
            Violation("judge", text, cause: String(text.filter { !$0.isNumber }))
        }
        return Played(
            schedule, violations: violations, evidence: run.evidence, serverView: view,
            digest: view)
    }

    var questions: [RaceQuestion] {
        sights.map { RaceQuestion($0.invariant, isAskedFor: true) }
    }

    var variation: ScheduleVariation {
        let places = "\(preemptions) preemptions at clocks, locks and starts of tasks"
        let fixed =
            preemptions > 0
            ? "preemption anywhere else"
            : "preemption between two awaits, locks or calls of Dispatch"
        return ScheduleVariation(
            varied: [
                "the order of tasks", "of messages", "of timers", "of queues of Dispatch",
                "of hops to actors", "of continuations that were resumed",
            ] + (preemptions > 0 ? [places] : []), fixed: [fixed])
    }

    func run(
        _ policy: any SchedulingPolicy, _ windowNanoseconds: Int64, _ kept: Kept = Kept()
    ) -> WorldRun {
        observe(
            TestWorld(
                seed: seed, schedule: policy, window: .nanoseconds(windowNanoseconds),
                preemptions: preemptions),
            for: limit
        ) { world in kept.state = try await body(world) }
    }

    /// What a body returned.
    final class Kept: @unchecked Sendable {
        // Safe because it is touched on the world's thread only.
        var state: State?
    }
}
