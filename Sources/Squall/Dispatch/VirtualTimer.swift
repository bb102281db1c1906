import CVirtualDispatch
import SquallKernel

/// A timer of Dispatch as a world has it.
final class VirtualTimer {
    /// The number that its events carry.
    var number: UInt64 = 0
    let source: UnsafeMutableRawPointer
    var queue: UnsafeMutableRawPointer
    var handlers = [squall_work](repeating: squall_work(), count: 3)
    /// The owner of the code that made it.
    var owner: (any CodeOwner)?
    /// The user of that code, where a schedule decides.
    var user: UInt64?
    /// How often it was suspended without being resumed; a new one has to be activated.
    var suspensions = 1
    var isCancelled = false
    /// When it fires next.
    var deadline: Instant?
    /// Nanoseconds from one time to the next; negative for a single one.
    var interval: Int64 = -1
    var event: Timer?
    /// How often it has fired since its handler was called.
    var due: UInt = 0
    /// The count of fires that the running handler is told, and then gone from `due`.
    var fires: UInt = 0
    /// True while an event that calls the handler is on its way: no second one is put there.
    var isQueued = false

    init(source: UnsafeMutableRawPointer, queue: UnsafeMutableRawPointer) {
        self.source = source
        self.queue = queue
    }

    deinit {
        for handler in handlers { squall_work_release(handler) }
    }
}
