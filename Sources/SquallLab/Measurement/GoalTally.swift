import SquallApps

/// How often a population's journey reached its goal, and how its other tries ended.
struct GoalTally {
    /// How many journeys must have ended without their goal before that means anything.
    ///
    /// More than half of the journeys for a goal reach it, so ten failures in a row are no
    /// accident; a run that is too short or too small for ten shows nothing.
    static let enough: Int64 = 10

    let population, journey: String
    let goal: Goal
    /// Journeys that began in the measured time.
    var begun: Int64 = 0
    /// Those of them that ended without their goal: left by their last step or before, but not by
    /// the end of the run.
    var endedWithout: Int64 = 0
    /// Tries for which the app offered nothing, tries with another outcome, and tries without end.
    var idle: Int64 = 0
    var failed: Int64 = 0
    var hung: Int64 = 0
    /// Whether it was reached at all, also in a journey that began in the warm-up.
    var tookPlace = false

    /// Whether the run certainly never reached the journey's goal.
    var isMissed: Bool { !tookPlace && endedWithout >= Self.enough }

    mutating func restart() {
        self = GoalTally(population: population, journey: journey, goal: goal)
    }
}
