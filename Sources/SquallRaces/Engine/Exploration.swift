public import SquallFormat
import SquallKernel

/// What an exploration found.
public struct Exploration: Sendable {
    /// The plan that it followed.
    public let plan: ExplorationPlan
    /// The questions.
    public let questions: [RaceQuestion]
    /// What differed between the schedules, and what did not.
    public let variation: ScheduleVariation
    /// How much has been seen.
    public internal(set) var coverage = Coverage()
    /// What broke, each cause once, in the order of finding.
    public internal(set) var findings: [Finding] = []
    /// The run in first in, first out.
    public internal(set) var fifo: Played?
    /// Whether everything asked for was played, without running out of time or being stopped.
    public internal(set) var isWhole = true
    /// Whether it was asked to stop before that.
    public internal(set) var wasInterrupted = false
    /// The schedules that a fault of the simulation ended.
    public internal(set) var faults: [ScheduleFault] = []
    /// What was spent on making findings smaller.
    public internal(set) var reduction = Reduction(after: Coverage())
    /// The number of departures up to which every schedule was played; `nil` for not even 0.
    public internal(set) var exhausted: Int?

    /// How much of what was asked for it rests on.
    public var extent: Extent {
        let asked = plan.nanoseconds == nil && plan.deviations == nil ? plan.schedules : nil
        return Extent(
            coverage.schedules, of: isWhole ? coverage.schedules : asked, "schedule",
            wasInterrupted: wasInterrupted)
    }

    init(_ plan: ExplorationPlan, of subject: any RaceSubject) {
        self.plan = plan
        questions = subject.questions
        variation = subject.variation
    }

    /// The first schedule, counted from 1, that broke something; `nil` when none did.
    public var firstBroken: Int? { findings.map(\.schedule).min() }

    private var played: String { Units.grouped(Int64(coverage.schedules)) }

    /// What the run may claim.
    public var statement: String {
        if let exhausted, findings.isEmpty {
            return exhausted == 0
                ? "no violation in the default order"
                : "no violation in all \(played) schedules with ≤ \(exhausted)"
                    + " reorderings of the default order"
        }
        guard findings.isEmpty else {
            return "\(Units.grouped(Int64(coverage.broken))) of \(played) schedules break a promise"
        }
        guard coverage.schedules > 0 else { return "nothing was played" }
        // If a share p of all schedules broke it, none of n would with probability (1 − p)ⁿ.
        let bound = 1 - PortableMath.exp(PortableMath.log(0.05) / Double(coverage.schedules))
        return "0 of \(played) schedules: fewer than \(Units.percent(bound)) of"
            + " schedules break a promise (95 % confidence)"
    }
}

extension String {
    fileprivate subscript(digit digit: Character) -> Character {
        self[index(startIndex, offsetBy: digit.wholeNumberValue ?? 0)]
    }
}
