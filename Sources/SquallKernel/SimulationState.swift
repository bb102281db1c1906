/// What changes while a simulation runs.
struct SimulationState: ~Copyable {
    var now = Instant.start
    var ready = ReadyRing()
    var timers: TimerWheel
    var handlers: [(UInt64) -> Void] = []
    /// Replaces the two above where a policy decides.
    var agenda = Agenda()
    var digest = EventDigest()
    var itemsRun = 0
    var choices: [UInt16] = []
    var isStopRequested = false
    var stillness = Stillness()
    var mainActor = MainActorState()

    /// Makes the state; where a policy decides, the agenda replaces the wheel.
    init(isFirstInFirstOut: Bool) {
        timers = TimerWheel(isUsed: isFirstInFirstOut)
        handlers.reserveCapacity(16)
    }

    mutating func drainNextInstant(upTo limit: UInt64) -> UInt64? {
        timers.drainNextInstant(upTo: limit, into: &ready)
    }
}
