import SquallApps

/// An observer of users' visits, journeys and steps.
protocol FleetObserver: AnyObject {
    func userArrived(_ user: Int)
    /// A visit is to begin now, or should have begun before; called once for each planned visit.
    func visitOffered(in population: Int)
    /// A visit has begun; how late, where the load plans its beginning.
    func visitBegan(user: Int, lateByNanoseconds: Int64?)
    func visitEnded(user: Int, isGivenUp: Bool)
    /// A visit was offered, found no free user, and is not to wait.
    func visitRefused(in population: Int)
    /// The load is over, and visits that it offered have not begun.
    func visitsWait(in population: Int, _ waits: VisitWaits)
    /// The journey is a position in the population's list.
    func journeyBegan(user: Int, journey: Int)
    func journeyEnded(user: Int)
    func stepBegan(user: Int, ordinal: UInt32, step: StepID)
    /// A step has ended; without an outcome its user gave it up.
    func stepEnded(user: Int, ordinal: UInt32, step: RunningStep, outcome: StepOutcome?)
    /// The run is over, but a step has not ended.
    func stepUnfinished(user: Int, ordinal: UInt32, step: RunningStep)
    func stepEndedLate(user: Int, ordinal: UInt32)
}

/// A step of a user, by positions alone; the measurement finds its names.
enum StepID: Hashable {
    /// Signing in, which belongs to no journey.
    case signIn
    /// A step of a journey, by their positions in the app's journey and in the population's list.
    case step(UInt16, ofJourney: UInt16)
}
