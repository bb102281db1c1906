public import SquallKernel
import SquallLab

/// Plays a subject under one schedule after another and keeps what breaks.
public struct Explorer {
    /// The plan.
    public let plan: ExplorationPlan
    /// Who plays.
    let threads: WorkerThreads
    /// Real time elapsed, in nanoseconds; asked after each round.
    private let elapsed: () -> Int64
    /// Told after each round what there is; says whether to go on.
    private let goesOn: (Coverage, _ findings: Int) -> Bool

    /// How many schedules are played between two looks at what they taught, after so many.
    ///
    /// Longer rounds waste less on waiting for each other's end, and teach later.
    static func round(after played: Int) -> Int { min(1_024, max(128, played / 2)) }

    /// An explorer with a plan.
    ///
    /// - Parameters:
    ///   - plan: how much and how.
    ///   - elapsed: a clock for plans that go by real time.
    ///   - goesOn: is told of the progress, and says whether to go on.
    public init(
        _ plan: ExplorationPlan, elapsed: @escaping () -> Int64 = { RealClock.nanoseconds },
        goesOn: @escaping (Coverage, _ findings: Int) -> Bool = { _, _ in true }
    ) {
        self.plan = plan
        threads = WorkerThreads(count: max(1, plan.threads))
        self.elapsed = elapsed
        self.goesOn = goesOn
    }

    /// Explores a subject, and makes what it finds as small as it can.
    ///
    /// - Throws: what keeps a subject from being played.
    public func explore(_ subject: any RaceSubject) throws -> Exploration {
        var state = ExplorationState(plan)
        let start = elapsed()
        if let deviations = plan.deviations {
            try exhaust(subject, deviations, since: start, &state)
        } else {
            try sample(subject, since: start, &state)
        }
        var exploration = state.exploration
        exploration.findings = try state.broken.sorted { $0.schedule < $1.schedule }.map {
            try Shrinker(plan).finding(of: $0, in: subject)
        }.mergedByCause
        return exploration
    }

    private func sample(
        _ subject: any RaceSubject, since start: Int64, _ state: inout ExplorationState
    ) throws {
        let strategies = StrategyMix(plan.strategies)
        let schedules = RandomStream(seed: plan.seed).stream("races.schedule")
        var number = 0
        while number < plan.schedules {
            let round = number == 0 ? 1 : Explorer.round(after: number)
            let count = min(round, plan.schedules - number)
            let (lesson, first) = (state.lesson, number)
            let window = plan.windowNanoseconds
            let played = try threads.map(count) { offset in
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
            number += count
            guard isToGoOn(since: start, &state, whole: number >= plan.schedules) else { return }
        }
    }

    /// Whether to go on; says in the state whether everything was played.
    func isToGoOn(
        since start: Int64, _ state: inout ExplorationState, whole isDone: Bool
    ) -> Bool {
        let goesOn = goesOn(state.exploration.coverage, state.broken.count)
        let isLate = plan.nanoseconds.map { elapsed() - start >= $0 } ?? false
        let isEnough = state.broken.count >= plan.findingsMax
        if goesOn, !isLate, !isEnough { return true }
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

    init(_ plan: ExplorationPlan) { exploration = Exploration(plan) }

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
