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
/// An object that is called by an unmanaged reference: none is ever removed.
final class Handler {
    private let handle: (UInt64) -> Void
    private let prefetch: ((UInt64) -> Void)?

    init(handle: @escaping (UInt64) -> Void, prefetch: ((UInt64) -> Void)?) {
        (self.handle, self.prefetch) = (handle, prefetch)
    }

    func call(_ argument: UInt64) { handle(argument) }

    func prefetch(_ argument: UInt64) { prefetch?(argument) }
}

/// What changes while a simulation runs.
struct SimulationState: ~Copyable {
    var ready = ReadyRing()
    var timers: TimerWheel
    private(set) var handlers: [Unmanaged<Handler>] = []
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

    // Safe because it is given back here only, when nothing calls it any more.
    deinit { for handler in handlers { handler.release() } }

    /// Keeps a handler until the simulation ends.
    mutating func add(_ handler: Handler) { handlers.append(.passRetained(handler)) }

    mutating func drainNextInstant(upTo limit: UInt64) -> UInt64? {
        let next = timers.drainNextInstant(upTo: limit, into: &ready)
        for item in timers.near {
            if item.kind < ReadyItem.firstHandler {
                // A job is the beginning of its task.
                prefetch(UInt(item.payload), byteCount: 512)
            } else {
                handlers[Int(item.kind - ReadyItem.firstHandler)]._withUnsafeGuaranteedRef {
                    $0.prefetch(item.payload)
                }
            }
        }
        return next
    }
}
