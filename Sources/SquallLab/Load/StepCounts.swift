/// How many steps a fleet has begun, and how many are over.
struct StepCounts {
    var begun: Int64 = 0
    /// Those that ended by themselves.
    var ended: Int64 = 0
    /// Those that their users gave up.
    var hung: Int64 = 0
    /// Those of the latter that ended later.
    var endedLate: Int64 = 0

    /// Those that run now.
    var running: Int64 { begun - ended - hung }
    /// Those with running code, whether their users wait or not.
    var open: Int64 { begun - ended - endedLate }
}
