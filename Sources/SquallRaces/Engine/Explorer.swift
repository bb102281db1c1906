public import SquallKernel

/// Plays a subject under one schedule after another and keeps those that break a promise.
public struct Explorer {
    /// The plan.
    public let plan: ExplorationPlan
    /// The threads that play.
    let threads: WorkerThreads
    /// Real time elapsed, in nanoseconds.
    private let elapsed: @Sendable () -> Int64
    /// Asked before each schedule and during it; once it returns true, the exploration ends with
    /// what it has.
    let isStopped: @Sendable () -> Bool
    /// Told what is done now, on the thread that explores, about ten times a second.
    private let progress: (Progress) -> Void

    /// What is done now.
    public enum Progress {
        /// Schedules are played; so many were.
        case schedules(Int)
        /// A finding is made smaller: its number, from 1, and how many there are.
        case reduction(Int, of: Int)
    }

    /// The number of schedules in a round, after `played` schedules: lessons are used between
    /// rounds.
    ///
    /// Longer rounds waste less time on waiting for the slowest thread, but their lessons come
    /// later; very long schedules are played few at a time.
    static func round(after played: Int, longest: Int = 1) -> Int {
        min(1_024, max(128, played / 2), max(1, choicesAtOnce / max(1, longest)))
    }

    /// The most choices that a round may keep; they are kept until all its schedules are played.
    private static let choicesAtOnce = 8 << 20

    /// An explorer with a plan.
    ///
    /// - Parameters:
    ///   - plan: how much to explore, and how.
    ///   - elapsed: a clock for plans with a limit of real time.
    ///   - isStopped: returns true to end soon, with the results so far; asked on all threads.
    ///   - progress: told what is done now, on the calling thread.
    public init(
        _ plan: ExplorationPlan,
        elapsed: @escaping @Sendable () -> Int64 = { RealClock.nanoseconds },
        isStopped: @escaping @Sendable () -> Bool = { false },
        progress: @escaping (Progress) -> Void = { _ in }
    ) {
        self.plan = plan
        threads = WorkerThreads(count: max(1, plan.threads))
        self.elapsed = elapsed
        self.isStopped = isStopped
        self.progress = progress
    }

    /// Explores a subject, and makes its findings as small as it can.
    ///
    /// Where real time is limited, making them smaller takes at most the same time again.
    ///
    /// - Throws: what keeps a subject from being played.
    public func explore(_ subject: any RaceSubject) throws -> Exploration {
        try ExecutorSelfTest.run()
        var state = ExplorationState(plan, of: subject)
        let start = elapsed()
        if let deviations = plan.deviations {
            try exhaust(subject, deviations, since: start, &state)
        } else {
            try sample(subject, since: start, &state)
        }
        var exploration = state.exploration
        let reduction = Reduction(after: exploration.coverage)
        var findings: [Finding] = []
        do {
            for broken in state.broken.sorted(by: { $0.schedule < $1.schedule }) {
                progress(.reduction(findings.count + 1, of: state.broken.count))
                findings.append(
                    try finding(of: broken, in: subject, exploration.fifo, reduction))
            }
        } catch is StopRequested {
            exploration.isWhole = false
        }
        exploration.wasInterrupted = !exploration.isWhole && isStopped()
        exploration.reduction = reduction
        exploration.findings = findings.mergedByCause
        return exploration
    }

    /// A finding made as small as the budget allows; as it was found where that traps.
    private func finding(
        of broken: BrokenSchedule, in subject: any RaceSubject, _ fifo: Played?,
        _ reduction: Reduction
    ) throws -> Finding {
        var plan = plan
        let work = "reduction of schedule \(broken.schedule), \(broken.violation.invariant)"
        if Containment.fault(of: work) != nil { plan.shrinkingPlaysMax = 0 }
        let seconds = plan.processorSeconds(for: plan.shrinkingPlaysMax)
        return try Containment.perform(work, within: seconds) {
            try Shrinker(plan, reduction, isOver: isOver(since: elapsed()))
                .finding(of: broken, in: subject, fifo: fifo)
        }
    }

    /// Says whether the time from a moment on is over.
    private func isOver(since start: Int64) -> @Sendable () -> Bool {
        { [limit = plan.nanoseconds, elapsed, isStopped] in
            isStopped() || limit.map { elapsed() - start >= $0 } ?? false
        }
    }

    /// Plays some schedules on all threads; fewer where the time is over, but always the very
    /// first.
    ///
    /// One that was ended by a fault of the simulation, in an earlier start of the process, is
    /// that fault.
    func play(
        _ count: Int, since start: Int64, after played: Int,
        _ play: @escaping @Sendable (Int) throws -> Played
    ) throws -> [Result<Played, ScheduleFault>] {
        let isOver = isOver(since: start)
        let (seed, end) = (plan.seed, ScheduleFault.end(seed: plan.seed))
        let seconds = plan.processorSeconds
        let body = { @Sendable (index: Int) throws -> Result<Played, ScheduleFault>? in
            let number = played + index + 1
            guard number == 1 || number <= end && !isOver() else { return nil }
            let work = ScheduleFault.work(schedule: number, seed: seed)
            if let fault = Containment.fault(of: work) {
                return .failure(ScheduleFault(schedule: number, reason: fault))
            }
            do {
                return .success(
                    try Containment.perform(work, within: seconds) { try play(index) })
            } catch is StopRequested { return nil }
        }
        let results: [Result<Played, ScheduleFault>?]
        if plan.threads > 1, count > 1 {
            results = try threads.map(count, meanwhile: { progress(.schedules(played + $0)) }) {
                index in Result { try body(index) }
            }.map { try $0?.get() }
        } else {
            results = try (0..<count).map { index in
                progress(.schedules(played + index))
                return try body(index)
            }
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

    /// False when the exploration ends; notes in the state if it was cut short.
    func isToGoOn(
        since start: Int64, _ state: inout ExplorationState, whole isDone: Bool
    ) -> Bool {
        let isEnough = state.broken.count >= plan.findingsMax
        let isFaulty = state.exploration.faults.count >= ScheduleFault.most
        if !isOver(since: start)(), !isEnough, !isFaulty { return true }
        state.exploration.isWhole = isDone || isEnough
        return false
    }
}

struct ExplorationState {
    var exploration: Exploration
    var lesson = Strategy.Lesson()
    /// The first schedule of each invariant and cause, and how many there are.
    private(set) var broken: [BrokenSchedule] = []

    init(_ plan: ExplorationPlan, of subject: any RaceSubject) {
        exploration = Exploration(plan, of: subject)
    }

    /// Notes a schedule that was played or ended by a fault; returns what was played.
    @discardableResult
    mutating func note(_ result: Result<Played, ScheduleFault>, number: Int) -> Played? {
        switch result {
        case .success(let played):
            note(played, number: number)
            return played
        case .failure(let fault):
            if exploration.faults.count < ScheduleFault.most { exploration.faults.append(fault) }
            return nil
        }
    }

    private mutating func note(_ played: Played, number: Int) {
        let isNew = exploration.coverage.note(played)
        if number == 0 { exploration.fifo = played }
        lesson.length = max(lesson.length, played.choices.count)
        if isNew { lesson.remember(played.choices, number: number) }
        for (index, violation) in played.violations.enumerated()
        where !played.violations[..<index].contains(where: violation.isLike) {
            if let place = broken.firstIndex(where: { $0.violation.isLike(violation) }) {
                broken[place].count += 1
            } else {
                broken.append(
                    BrokenSchedule(
                        violation: violation, choices: played.choices, schedule: number + 1))
            }
        }
    }
}

/// A schedule that breaks a promise.
struct BrokenSchedule {
    let violation: Violation
    let choices: [UInt16]
    /// Its number, from 1.
    let schedule: Int
    var count = 1
}

/// Strategies by their shares.
private struct StrategyMix: Sendable {
    private let parts: [(strategy: Strategy, end: Double)]

    init(_ shares: [ExplorationPlan.StrategyShare]) {
        var sum = 0.0
        parts = shares.map { share in
            guard let strategy = Strategy.named(share.name) else {
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

/// Plays every schedule up to a number of departures.
extension Explorer {
    /// A departure from first in, first out.
    private struct Step: Sendable {
        let position: Int
        let choice: UInt16
    }

    /// A schedule by its departures, none of which can be left out.
    private typealias Node = [Step]

    /// Plays all schedules without a departure, then all with one, and so on.
    ///
    /// Each is played once: it extends a schedule with one departure less, behind that one's last.
    func exhaust(
        _ subject: any RaceSubject, _ deviations: Int, since start: Int64,
        _ state: inout ExplorationState
    ) throws {
        var level: [Node] = [[]]
        var number = 0
        for depth in 0...deviations {
            var next: [Node] = []
            var begin = 0
            while begin < level.count {
                let round = Explorer.round(after: number, longest: state.lesson.length)
                let left = max(1, plan.schedules - number)
                let end = min(begin + min(round, left), level.count)
                let nodes = Array(level[begin..<end])
                let window = plan.windowNanoseconds
                let played = try play(nodes.count, since: start, after: number) { index in
                    try subject.play(
                        Schedule(
                            ReplayedSchedule(Explorer.choices(nodes[index])),
                            windowNanoseconds: window, keepsHistory: nodes[index].isEmpty))
                }
                for (node, played) in zip(nodes, played) {
                    let played = state.note(played, number: number)
                    number += 1
                    // One more than may ever be played, because a level that is cut never ends.
                    let room = plan.schedules - number - next.count + 1
                    if let played, depth < deviations, room > 0 {
                        next += children(of: node, played.widths).prefix(room)
                    }
                }
                begin += played.count
                let isLast = begin == level.count && next.isEmpty
                let goesOn = isToGoOn(since: start, &state, whole: isLast)
                if goesOn, number >= plan.schedules { state.exploration.isWhole = isLast }
                guard goesOn, number < plan.schedules else {
                    if isLast { state.exploration.exhausted = deviations }
                    return
                }
            }
            state.exploration.exhausted = depth
            level = next
        }
    }

    private func children(of node: Node, _ widths: [UInt16]) -> [Node] {
        let first = (node.last?.position ?? -1) + 1
        guard first < widths.count else { return [] }
        return (first..<widths.count).flatMap { position in
            (1..<max(1, widths[position]) as Range<UInt16>).map {
                node + [Step(position: position, choice: $0)]
            }
        }
    }

    private static func choices(_ node: Node) -> [UInt16] {
        var choices = Array(repeating: UInt16(0), count: (node.last?.position ?? -1) + 1)
        for step in node { choices[step.position] = step.choice }
        return choices
    }
}
