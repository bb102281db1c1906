import Foundation
import SquallFormat
public import SquallKernel
import SquallRaces

/// Runs code in a world repeatedly, each time in another order of events, and keeps what breaks.
///
/// The next event is chosen each time, among all tasks that could go on, messages on their way,
/// timers and queues of Dispatch. The first run is first in, first out, as in
/// ``simulate(seed:schedule:window:for:_:)``. A finding is made as small as possible, and can be
/// played again.
///
/// ```swift
/// let races = try explore(schedules: 500) { world in
///     let server = world.mount(TokenService(.bearer, routes: [.get("/posts", json: "[]")]))
///     let api = MyAPI(URLSession(configuration: server.urlSessionConfiguration))
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
///   - schedules: how many orders are tried at most.
///   - seed: decides the orders and everything else that is random.
///   - window: how much later than due an event may happen, so that others overtake it; about a
///     round trip shows effects of a network, zero permutes only what happens at one instant.
///   - threads: how many worlds run at a time; all cores by default. Findings do not depend
///     on it.
///   - limit: how much virtual time each run may take.
///   - preemptions: how often a schedule may interrupt code that does not wait: before it reads a
///     clock or takes a lock of POSIX or Foundation, and after it has started a task.
///   - mustSee: what at least one schedule has to show: where none does, the code was not judged by
///     it, and ``WorldExploration/passed`` is false. By default a refresh, because
///     ``WorldRun/faults`` says whether a refresh was redundant.
///   - judge: what is wrong with a run, a sentence each; ``WorldRun/faults`` by default.
///   - body: the code, in a world of its own each time.
/// - Returns: what broke, and how much was explored.
/// - Throws: ``WorldError`` and `SimulationError` when a schedule cannot be played at all.
public func explore(
    schedules: Int, seed: UInt64 = 1, window: Duration = .milliseconds(100), threads: Int? = nil,
    for limit: Duration = .seconds(86_400), preemptions: Int = 0,
    mustSee: [WorldExploration.RequiredObservation] = [.refresh],
    judge: @escaping @Sendable (WorldRun) -> [String] = { $0.faults },
    _ body: @escaping @Sendable (TestWorld) async throws -> Void
) throws -> WorldExploration {
    try explore(
        schedules: schedules, seed: seed, window: window, threads: threads, for: limit,
        preemptions: preemptions, mustSee: mustSee, judge: { run, _ in judge(run) }, body)
}

/// Explores a body that returns its client's final state for the judge: whether a user is signed
/// in, what is stored.
///
/// ```swift
/// let races = try explore(schedules: 500) { run, isSignedIn in
///     run.faults + (isSignedIn == true ? ["a user is signed in after the sign-out"] : [])
/// } _: { world in
///     …
///     return await api.user != nil
/// }
/// ```
///
/// The judge gets a run and the body's result, or `nil` where the body did not return.
public func explore<State: Sendable>(
    schedules: Int, seed: UInt64 = 1, window: Duration = .milliseconds(100), threads: Int? = nil,
    for limit: Duration = .seconds(86_400), preemptions: Int = 0,
    mustSee: [WorldExploration.RequiredObservation] = [.refresh],
    judge: @escaping @Sendable (WorldRun, State?) -> [String],
    _ body: @escaping @Sendable (TestWorld) async throws -> State
) throws -> WorldExploration {
    let subject = WorldSubject(
        seed: seed, limit: limit, preemptions: preemptions, sights: mustSee, judge: judge,
        body: body)
    let windowNanoseconds = window.nanosecondsClamped
    TrapReport.name()
    // What worlds share would be used by two at once.
    let shared = threads == nil ? subject.sharedByWorlds(windowNanoseconds) : []
    let cores = shared.isEmpty ? ProcessInfo.processInfo.activeProcessorCount : 1
    let plan = ExplorationPlan(
        seed: seed, schedules: schedules, windowNanoseconds: windowNanoseconds,
        threads: threads ?? cores, findingsMax: 20, shrinkingPlaysMax: 500,
        preemptions: preemptions)
    let exploration = try Explorer(plan).explore(subject)
    return WorldExploration(exploration, shared) { choices in
        subject.run(ReplayedSchedule(choices), plan.windowNanoseconds)
    }
}

extension WorldRun {
    /// What is wrong in any code: redundant refreshes, failed expectations, tasks that never end,
    /// and an error that the body threw.
    public var faults: [String] {
        var faults = failedExpectations.map(\.description) + hangs.map { WorldRun.hangs + $0.what }
        if redundantRefreshes > 0 {
            faults.append("a token was refreshed again that had been refreshed already")
        }
        if let failure { faults.append("the body threw \(type(of: failure)): \(failure)") }
        return faults
    }

    fileprivate static let hangs = "hangs: "
}

/// What an exploration of a world found.
public struct WorldExploration: Sendable, CustomStringConvertible {
    /// What broke, each cause once.
    public let findings: [Finding]
    /// How many schedules were played.
    public let schedules: Int
    /// How many different views the services had.
    public let distinctViews: Int
    /// The claim that holds for all orders of events, as a sentence.
    public let statement: String
    /// What no schedule showed although one had to, so that it was not judged; a sentence each.
    public let notJudged: [String]
    /// What was varied between the schedules, and what was not; a sentence each.
    public let variation: [String]
    /// Actors, queues and sessions that worlds share, by name: their schedules were played one
    /// after the other, and each begins with what the last one left there.
    public let shared: [String]

    /// True if nothing broke and all that had to be shown was shown.
    public var passed: Bool { findings.isEmpty && notJudged.isEmpty }

    /// Something that breaks in some order of events.
    public struct Finding: Sendable {
        /// What is wrong, in the judge's words.
        public let text: String
        /// The number, from 1, of the first schedule that showed it.
        public let schedule: Int
        /// How many showed it.
        public let count: Int
        /// The choices that show it: 0 for what first in, first out would run.
        public let choices: [UInt16]
        /// True if every schedule with fewer other choices was played and broke nothing.
        public let isFewest: Bool
        /// What it needs to break, in a sentence.
        public let conditions: String
        /// The order that it needs; `nil` when it needs none.
        public let orderThatMatters: String?
        /// The run with these choices.
        public let run: WorldRun
        /// The run in first in, first out.
        public let fifo: WorldRun

        /// Plays it again: `try simulate(seed: 1, schedule: finding.replay, window: …)`.
        public var replay: ReplayedSchedule { ReplayedSchedule(choices) }
    }

    init(_ exploration: Exploration, _ shared: [String], play: ([UInt16]) -> WorldRun) {
        self.shared = shared
        schedules = exploration.coverage.schedules
        distinctViews = exploration.coverage.distinctViews
        statement = exploration.statement
        notJudged = exploration.notJudgedSentences
        variation = exploration.variation.sentences
        findings = exploration.findings.map { found in
            Finding(
                text: found.violation.text, schedule: found.schedule, count: found.count,
                choices: found.choices, isFewest: found.isFewest, conditions: found.conditions,
                orderThatMatters: found.orderThatMatters,
                run: play(found.choices), fifo: play([]))
        }
    }

    /// The findings with their orders of events, each beside an order that keeps the promise.
    public var description: String {
        let details = findings.flatMap { finding in
            [
                "✗ \(finding.text), first in schedule \(finding.schedule), in \(finding.count)",
                finding.conditions,
                "choices\(finding.isFewest ? ", minimal" : ""): \(finding.choices)",
                "\(finding.run)",
            ] + (finding.choices.isEmpty ? [] : ["in the default order:", "\(finding.fifo)"])
        }
        let remarks =
            [Exploration.warning(sharing: shared)].compactMap(\.self) + notJudged
            + (findings.isEmpty ? variation : [])
        return ([statement] + remarks + details).joined(separator: "\n")
    }
}

/// A body, its judge and the starting state of its world.
private struct WorldSubject<State: Sendable>: RaceSubject {
    let seed: UInt64
    let limit: Duration
    let preemptions: Int
    let sights: [WorldExploration.RequiredObservation]
    let judge: @Sendable (WorldRun, State?) -> [String]
    let body: @Sendable (TestWorld) async throws -> State

    func play(_ schedule: Schedule) throws -> Played {
        let kept = Box<State?>(nil)
        let run = run(schedule.policy, schedule.windowNanoseconds, kept)
        if !run.escapes.isEmpty { throw WorldError.escaped(run.escapes) }
        if let failure = run.failure as? WorldError { throw failure }
        // The services' log in order describes a run; its text contains everything.
        let view = StableHash(of: run.log.map(\.description).joined().utf8).value
        let violations = judge(run, kept.value).map { text in
            Violation(
                text.hasPrefix(WorldRun.hangs) ? Violation.hang : "judge", text,
                cause: String(text.filter { !$0.isNumber }))
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
        _ policy: any SchedulingPolicy, _ windowNanoseconds: Int64,
        _ kept: Box<State?> = Box(nil), watchedBy detector: SharedStateDetector? = nil
    ) -> WorldRun {
        let world = TestWorld(
            seed: seed, schedule: policy, window: .nanoseconds(windowNanoseconds),
            preemptions: preemptions)
        detector?.watch(world)
        return observe(world, for: limit) { world in kept.value = try await body(world) }
    }

    /// What two worlds, one after the other, both use.
    func sharedByWorlds(_ windowNanoseconds: Int64) -> [String] {
        let detector = SharedStateDetector()
        for _ in 0..<2 { _ = run(FirstInFirstOut(), windowNanoseconds, watchedBy: detector) }
        return detector.leakedAcrossRuns
    }
}

extension WorldExploration {
    /// What a schedule can show; without it "nothing broke" means nothing.
    public enum RequiredObservation: String, CaseIterable, Sendable {
        /// A call that a service answered.
        case call
        /// A call that was refused as expired.
        case refusal
        /// A refresh.
        case refresh
    }
}

extension WorldExploration.RequiredObservation {
    var invariant: RaceInvariant {
        let (id, claim, needs): (String, String, Evidence) =
            switch self {
            case .call: ("calls", "Calls come to a service.", .call)
            case .refusal: ("refusals", "A refused call goes on.", .refusal)
            case .refresh:
                (
                    "refreshes", "No token is refreshed that has been refreshed already.",
                    .refresh
                )
            }
        return RaceInvariant(id, claim, needs: needs) { _ in [] }
    }
}

extension WorldRun {
    var evidence: Evidence {
        var evidence: Evidence = []
        if calls > refreshes { evidence.insert(.call) }
        if expired > 0 { evidence.insert(.refusal) }
        if refreshes > 0 { evidence.insert(.refresh) }
        return evidence
    }
}
