import SquallApps
import SquallKernel

/// The state of a user: the place on the journey, and the copy of the app.
///
/// A thinking user is this record and one timer. A task exists only while a step runs.
struct UserState {
    /// The app, from the user's arrival on; first, so that its memory can be asked for ahead.
    var app: (any InstalledApp)?
    /// The journey under way, as a position in the population's list.
    var journey: UInt16?
    /// The next step of the journey.
    var nextStep: UInt16 = 0
    /// How many journeys have begun.
    var journeysBegun: UInt32 = 0
    /// How many steps have begun; the number of the current one is one less.
    var stepsBegun: UInt32 = 0
    /// Whether the user is between the beginning and the end of a visit.
    var isVisiting = false
    /// Whether the visit began with signing in, after which the app does not start again.
    var hasSignedIn = false
    /// Whether the app still runs and shows what the last visit left.
    var isOpen = false
    /// Whether `intended` belongs to a step that has not begun.
    var isIntended = false
    /// When the newest visit should begin, where the load plans it.
    var intended: Int64 = 0
    var running: RunningStep?
}

struct RunningStep {
    let startedAt: Instant
    /// When it should have begun, in nanoseconds since the run began; earlier than it did if late.
    let intendedAt: Int64
    /// When the user gives up.
    let patience: Timer
    let isSignIn: Bool
    /// Whether the app goes on to the next step by itself when this one succeeds.
    let leadsOn: Bool
}
