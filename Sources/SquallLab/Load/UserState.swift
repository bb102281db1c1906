import SquallKernel

/// The state of a user: the place on the journey.
///
/// A thinking user is this record, the copy of the app and one timer. A task exists only while a
/// step runs. It holds no references: to look at a part of it would count them.
struct UserState {
    /// The journey under way, as a position in the population's list.
    var journey: UInt16?
    /// The next step of the journey.
    var nextStep: UInt16 = 0
    var journeysBegun: UInt32 = 0
    /// The number of steps that have begun; the number of the current one is one less.
    var stepsBegun: UInt32 = 0
    /// True between the beginning and the end of a visit.
    var isVisiting = false
    /// True if the visit began with signing in, after which the app does not start again.
    var hasSignedIn = false
    /// True while the app runs and shows what the last visit left.
    var isOpen = false
    /// True if `intended` belongs to a step that has not begun.
    var isIntended = false
    /// The planned moment of the newest visit, where the load plans it.
    var intended: Int64 = 0
    var running: RunningStep?
}

struct RunningStep {
    let startedAt: Instant
    /// The planned moment of its beginning, in nanoseconds since the run began; earlier than its
    /// beginning if late.
    let intendedAt: Int64
    /// The event of the moment at which the user gives up.
    let patience: Timer
    let isSignIn: Bool
    /// True if the app goes on to the next step by itself when this one succeeds.
    let leadsOn: Bool
}
