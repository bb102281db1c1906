import SquallApps

/// Is told what users do.
protocol FleetObserver: AnyObject {
    func userArrived(_ user: Int)
    /// The journey is a position in the population's list.
    func journeyBegan(user: Int, journey: Int)
    /// A journey that was meant to begin at a certain moment has begun.
    func journeyStarted(user: Int, lateByNanoseconds: Int64)
    func journeyEnded(user: Int)
    func stepBegan(user: Int, ordinal: UInt32, step: StepID)
    func stepEnded(user: Int, ordinal: UInt32, step: RunningStep, outcome: StepOutcome)
    func stepHung(user: Int, ordinal: UInt32, step: RunningStep)
    func stepEndedLate(user: Int, ordinal: UInt32)
}

/// Which step a user takes; measurement finds out what that means to it.
enum StepID: Hashable {
    /// Signing in, which belongs to no journey.
    case signIn
    /// A step of a journey, by their positions in the app's journey and in the population's list.
    case step(UInt16, ofJourney: UInt16)
}
