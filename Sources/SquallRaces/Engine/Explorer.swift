public import SquallKernel

/// Plays a subject under one schedule after another and keeps what breaks.
public struct Explorer {
    /// The plan.
    public let plan: ExplorationPlan
    /// Who plays.
    let threads: WorkerThreads
    /// Real time elapsed, in nanoseconds.
    private let elapsed: @Sendable () -> Int64
    /// Whether somebody wants to have done with it; asked before each schedule and within.
    private let isStopped: @Sendable () -> Bool

    /// How many schedules are played between two looks at what they taught, after so many.
    ///
    /// Longer rounds waste less on waiting for each other's end, and teach later; very long
    /// schedules are kept few at a time.
    static func round(after played: Int, longest: Int = 1) -> Int {
        min(1_024, max(128, played / 2), max(1, choicesAtOnce / max(1, longest)))
    }

    /// So many choices of the schedules of a round are kept until all of it is played.
    private static let choicesAtOnce = 8 << 20

    /// An explorer with a plan.
    ///
    /// - Parameters:
    ///   - plan: how much and how.
    ///   - elapsed: a clock for plans that go by real time.
    ///   - isStopped: whether to end as soon as can be, with what there is; asked on all threads.
    public init(
        _ plan: ExplorationPlan,
        elapsed: @escaping @Sendable () -> Int64 = { RealClock.nanoseconds },
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.plan = plan
        threads = WorkerThreads(count: max(1, plan.threads))
        self.elapsed = elapsed
        self.isStopped = isStopped
    }

    /// Explores a subject, and makes what it finds as small as it can.
    ///
    /// Where real time is limited, making things smaller takes as long again at most.
    ///
    /// - Throws: what keeps a subject from being played.
    public func explore(_ subject: any RaceSubject) throws -> Exploration {
        var state = ExplorationState(plan, of: subject)
        let start = elapsed()
        if let deviations = plan.deviations {
            try exhaust(subject, deviations, since: start, &state)
        } else {
            try sample(subject, since: start, &state)
        }
        var exploration = state.exploration
        let shrinker = Shrinker(plan, isOver: isOver(since: elapsed()))
        var findings: [Finding] = []
        do {
            for broken in state.broken.sorted(by: { $0.schedule < $1.schedule }) {
                findings.append(
                    try shrinker.finding(of: broken, in: subject, fifo: exploration.fifo))
            }
        } catch is StopRequested {
            exploration.isWhole = false
        }
        exploration.findings = findings.mergedByCause
        return exploration
    }

    /// Whether the time that there is from a moment on is over.
    private func isOver(since start: Int64) -> @Sendable () -> Bool {
        { [limit = plan.nanoseconds, elapsed, isStopped] in
            isStopped() || limit.map { elapsed() - start >= $0 } ?? false
        }
    }

    /// Plays some schedules on all threads; fewer than were asked for where the time was over, but
    /// always the very first.
    func play(
        _ count: Int, since start: Int64, after played: Int,
        _ play: @escaping @Sendable (Int) throws -> Played
    ) throws -> [Played] {
        let isOver = isOver(since: start)
        let results = try threads.map(count) { index -> Played? in
            guard played + index == 0 || !isOver() else { return nil }
            do { return try play(index) } catch is StopRequested { return nil }
        }
        return results.prefix { $0 != nil }.compactMap(\.self)
    }

    private func sample(
        _ subject: any RaceSubject, since start: Int64, _ state: inout ExplorationState
    ) throws {
        let strategies = StrategyMix(plan.strategies)
        let schedules = RandomStream(seed: plan.seed).stream("races.schedule")
        var number = 0
        while number < plan.schedules {
            let round =
                number == 0 ? 1 : Explorer.round(after: number, longest: state.lesson.length)
            let count = min(round, plan.schedules - number)
            let (lesson, first) = (state.lesson, number)
            let window = plan.windowNanoseconds
            let played = try play(count, since: start, after: first) { offset in
                let number = first + offset
                let draw = schedules.stream(number: UInt64(number))
                let policy: any SchedulingPolicy =
                    number == 0
                    ? FirstInFirstOut() : strategies.strategy(draw).policy(draw, lesson)
                return try subject.play(
                    Schedule(policy, windowNanoseconds: window, keepsHistory: number == 0))
            }
            for (offset, played) in played.enumerated() {
                state.note(played, number: first + offset)
            }
            number += played.count
            guard isToGoOn(since: start, &state, whole: number >= plan.schedules) else { return }
        }
    }

    /// Whether to go on; says in the state whether everything was played.
    func isToGoOn(
        since start: Int64, _ state: inout ExplorationState, whole isDone: Bool
    ) -> Bool {
        let isEnough = state.broken.count >= plan.findingsMax
        if !isOver(since: start)(), !isEnough { return true }
        state.exploration.isWhole = isDone || isEnough
        return false
    }
}

/// What an exploration knows so far.
struct ExplorationState {
    var exploration: Exploration
    var lesson = Strategy.Lesson()
    /// The first schedule of each invariant and cause, and how many there are.
    private(set) var broken: [BrokenSchedule] = []

    init(_ plan: ExplorationPlan, of subject: any RaceSubject) {
        exploration = Exploration(plan, of: subject)
    }

    mutating func note(_ played: Played, number: Int) {
        let isNew = exploration.coverage.note(played)
        if number == 0 { exploration.fifo = played }
        lesson.length = max(lesson.length, played.choices.count)
        if isNew { lesson.remember(played.choices, number: number) }
        var counted: Set<[String]> = []
        for violation in played.violations {
            let key = [violation.invariant, violation.cause]
            guard counted.insert(key).inserted else { continue }
            if let place = broken.firstIndex(where: { $0.key == key }) {
                broken[place].count += 1
            } else {
                broken.append(
                    BrokenSchedule(
                        key: key, violation: violation, choices: played.choices,
                        schedule: number + 1))
            }
        }
    }
}

/// A schedule that breaks a promise.
struct BrokenSchedule {
    let key: [String]
    let violation: Violation
    let choices: [UInt16]
    /// The how-manieth it was, from 1.
    let schedule: Int
    var count = 1
}

/// Strategies by their shares.
private struct StrategyMix: Sendable {
    private let parts: [(strategy: Strategy, end: Double)]

    init(_ shares: [ExplorationPlan.StrategyShare]) {
        var sum = 0.0
        parts = shares.map { share in
            guard let strategy = Strategies.named(share.name) else {
                preconditionFailure("there is no strategy \(share.name)")
            }
            sum += share.weight
            return (strategy, sum)
        }
        precondition(sum > 0, "an exploration needs a strategy")
    }

    func strategy(_ draw: RandomStream) -> Strategy {
        let target = draw.unit(at: 1 << 32) * (parts.last?.end ?? 0)
        return (parts.first { $0.end > target } ?? parts[parts.count - 1]).strategy
    }
}
