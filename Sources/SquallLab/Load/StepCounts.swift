/// How many steps a fleet has begun, and how many are over.
struct StepCounts {
    var begun: Int64 = 0
    /// Those that came to an end of their own.
    var ended: Int64 = 0
    /// Those that their users did not wait for any longer.
    var givenUp: Int64 = 0
    /// Those of the latter that came to an end later on.
    var endedLate: Int64 = 0

    /// Those that run now.
    var running: Int64 { begun - ended - givenUp }
    /// Those whose code runs now, whether it is waited for or not.
    var open: Int64 { begun - ended - endedLate }
}
