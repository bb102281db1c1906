import CVirtualClock

/// Asks the processor for memory that will be touched soon; the address need not be valid.
///
/// With many users what an event touches is in no cache. Asked for early, it comes while other
/// events run, and several come at once.
public func prefetch(_ address: UInt, byteCount: Int) {
    squall_prefetch(UnsafeRawPointer(bitPattern: address), UInt(byteCount))
}

/// What handles a kind of event, and what asks for the memory that it will touch.
///
/// A structure: a function that is an element of an array is called through another one.
struct Handler {
    let handle: (UInt64) -> Void
    let prefetch: ((UInt64) -> Void)?
}

/// What changes while a simulation runs.
struct SimulationState: ~Copyable {
    var ready = ReadyRing()
    var timers: TimerWheel
    var handlers: [Handler] = []
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
        let next = timers.drainNextInstant(upTo: limit, into: &ready)
        for item in timers.near {
            if item.kind < ReadyItem.firstHandler {
                // A job is the beginning of its task.
                prefetch(UInt(item.payload), byteCount: 512)
            } else {
                handlers[Int(item.kind - ReadyItem.firstHandler)].prefetch?(item.payload)
            }
        }
        return next
    }
}
