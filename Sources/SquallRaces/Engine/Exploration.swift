import SquallFormat
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
    /// The number of departures up to which every schedule was played; `nil` for not even 0.
    public internal(set) var exhausted: Int?

    init(_ plan: ExplorationPlan, of subject: any RaceSubject) {
        self.plan = plan
        questions = subject.questions
        variation = subject.variation
    }

    /// The first schedule, counted from 1, that broke something; `nil` when none did.
    public var firstBroken: Int? { findings.map(\.schedule).min() }

    /// What the run may claim.
    public var statement: String {
        if let exhausted, findings.isEmpty {
            return exhausted == 0
                ? "no violation in first in, first out"
                : "no violation in all \(coverage.schedules) schedules with ≤ \(exhausted)"
                    + " departures from first in, first out"
        }
        guard findings.isEmpty else {
            return "\(coverage.broken) of \(coverage.schedules) schedules break a promise"
        }
        guard coverage.schedules > 0 else { return "nothing was played" }
        // If a share p of all schedules broke it, none of n would with probability (1 − p)ⁿ.
        let bound = 1 - PortableMath.exp(PortableMath.log(0.05) / Double(coverage.schedules))
        return "0 of \(coverage.schedules) schedules: fewer than \(Units.percent(bound)) of"
            + " schedules break a promise (95 % confidence)"
    }
}

extension String {
    fileprivate subscript(digit digit: Character) -> Character {
        self[index(startIndex, offsetBy: digit.wholeNumberValue ?? 0)]
    }
}
