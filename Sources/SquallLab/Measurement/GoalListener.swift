import SquallApps
import SquallKernel
import SquallReport
import SquallServices

/// Counts the journeys that reached their goal, and how the tries ended in the others.
///
/// A journey counts once, however often its step succeeds; ``Goal/isDone(by:)`` decides. A journey
/// that began in the warm-up is not counted at all: it may have reached its goal before.
final class GoalListener: VisitListener, StepListener, BackendListener {
    static let metrics: [Metric] = [.journeyGoals]

    private let run: MeasuredRun
    /// One for each journey that has a goal, by population and position.
    @exclusivity(unchecked) private(set) var found: [GoalTally] = []
    @exclusivity(unchecked) private var slots: [Metrics.CounterSlot] = []
    /// By population and position of the journey, the position of its tally.
    @exclusivity(unchecked) private var positions: [[Int?]] = []
    /// The tally of each step that is a journey's goal, by the step's position in the run's steps.
    @exclusivity(unchecked) private var goals: [Int?]
    @exclusivity(unchecked) private var visits: [Visit]

    /// The journey that a user is on.
    private struct Visit {
        /// The position of its tally, or -1 for none.
        var tally: Int32 = -1
        var isDone = false
    }

    init(_ run: MeasuredRun) {
        self.run = run
        goals = Array(repeating: nil, count: run.steps.count)
        visits = Array(
            repeating: Visit(), count: run.users.count, unless: run.simulation.isStopped)
        for (index, population) in run.populations.enumerated() {
            positions.append(
                population.journeys.enumerated().map { add($0.element, at: $0.offset, of: index) })
        }
    }

    /// Adds the tally of a journey; `nil` when it has no goal.
    private func add(
        _ journey: JourneyDescription, at position: Int, of index: Int
    ) -> Int? {
        guard let goal = journey.goal else { return nil }
        let population = run.populations[index]
        for (step, known) in journey.steps.enumerated() where known.name == goal.step {
            let id = StepID.step(UInt16(step), ofJourney: UInt16(position))
            goals[run.number(of: id, in: index)] = found.count
        }
        let key = MetricKey(.journeyGoals, population.tags([.journey: journey.name]))
        slots.append(run.metrics.counter(key))
        found.append(GoalTally(population: population.name, journey: journey.name, goal: goal))
        return found.count - 1
    }

    func restart() {
        for index in found.indices { found[index].restart() }
        for index in visits.indices { visits[index].isDone = true }
    }

    func journeyBegan(_ user: User, journey: Int) {
        guard let tally = positions[user.population][journey] else {
            return visits[user.number] = Visit()
        }
        visits[user.number] = Visit(tally: Int32(tally))
        found[tally].begun += 1
    }

    func stepEnded(_ step: EndedStep) {
        guard let tally = goals[step.number] else { return }
        guard let outcome = step.outcome else { return found[tally].hung += 1 }
        if found[tally].goal.isDone(by: outcome) {
            done(tally, by: step.user.number)
        } else if outcome == .nothingToDo {
            found[tally].idle += 1
        } else {
            found[tally].failed += 1
        }
    }

    /// Money moved, whatever the step's outcome is.
    func paymentPageClosed(on user: User, _ answer: PaymentAnswer) {
        let tally = Int(visits[user.number].tally)
        guard tally >= 0, found[tally].goal.isPayment else { return }
        switch answer {
        case .paid, .silent, .paidWithoutReceipt, .paidLate: done(tally, by: user.number)
        case .cancelled, .refused, .unreached: break
        }
    }

    private func done(_ tally: Int, by user: Int) {
        found[tally].tookPlace = true
        guard !visits[user].isDone else { return }
        visits[user].isDone = true
        run.metrics.add(1, to: slots[tally])
    }

    func journeyEnded(_ user: User) {
        let visit = visits[user.number]
        visits[user.number] = Visit()
        guard visit.tally >= 0, !visit.isDone else { return }
        found[Int(visit.tally)].endedWithout += 1
    }
}

/// The number of times a population's journey reached its goal, and the ends of its other tries.
struct GoalTally {
    /// The number of journeys without their goal from which a run has missed it.
    ///
    /// More than half of the journeys for a goal reach it, so ten failures in a row are no
    /// accident; a run that is too short or too small for ten shows nothing.
    static let enough: Int64 = 10

    let population, journey: String
    let goal: Goal
    /// Journeys that began in the measured time.
    var begun: Int64 = 0
    /// Journeys that ended without their goal: left by their last step or before, but not by the
    /// end of the run.
    var endedWithout: Int64 = 0
    /// Tries for which the app offered nothing, tries with another outcome, and tries without end.
    var idle: Int64 = 0
    var failed: Int64 = 0
    var hung: Int64 = 0
    /// True if it was reached at all, also in a journey that began in the warm-up.
    var tookPlace = false

    /// True if the run certainly never reached the journey's goal.
    var isMissed: Bool { !tookPlace && endedWithout >= Self.enough }

    mutating func restart() {
        self = GoalTally(population: population, journey: journey, goal: goal)
    }
}
