import SquallApps

/// How often a population's journey came to what it is for, and how its other tries ended.
struct DeedTally {
    /// How many journeys must have ended without their deed before that says anything.
    ///
    /// A deed is done in more than half of the journeys that are for it, so that ten in a row
    /// without one are no accident; a run that is too short or too small for ten says nothing.
    static let enough: Int64 = 10

    let population, journey: String
    let deed: Deed
    /// Journeys that began in what is measured.
    var begun: Int64 = 0
    /// Those of them that are over without what they are for: left by the last step or before,
    /// but not by the end of the run.
    var endedWithout: Int64 = 0
    /// Tries for which the app offered nothing, that came to something else, that never ended.
    var idle: Int64 = 0
    var failed: Int64 = 0
    var hung: Int64 = 0
    /// Whether it was done at all, also in a journey that began in the warm-up.
    var tookPlace = false

    init(population: String, journey: String, deed: Deed) {
        self.population = population
        self.journey = journey
        self.deed = deed
    }

    /// Whether it can be said that the run never did what the journey is for.
    var isMissed: Bool { !tookPlace && endedWithout >= Self.enough }

    /// Forgets what was counted, at the end of a warm-up.
    mutating func restart() {
        self = DeedTally(population: population, journey: journey, deed: deed)
    }
}
