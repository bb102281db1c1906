import CVirtualDispatch
import SquallKernel

/// Code that is blocked until something happens.
final class Waiter {
    enum Key: Hashable {
        /// A wake-up for the object at this address.
        case object(UnsafeRawPointer)
        /// Its turn on a queue, or the end of work, by its own number.
        case own(UInt64)
    }

    let number: UInt64
    let stack: Stacks.Stack
    let key: Key
    let kind: squall_wait_kind
    /// The label of the queue whose turn it waits for.
    let queue: String?
    let since: Instant
    /// The user of its code, where a schedule decides.
    let user: UInt64?
    var timer: Timer?
    /// The queue on which it waits for its turn.
    var turn: VirtualQueue?
    /// True when it went on without that turn, which is then skipped.
    var isOutOfTurn = false
    /// False until something wakes it: before that only the end of its span lets it go on.
    var isWoken = false
    /// True as soon as it may go on, for any reason: it must not be released twice.
    var isReleased = false

    init(
        number: UInt64, on stack: Stacks.Stack, for key: Key, _ kind: squall_wait_kind,
        queue: String?, since: Instant, user: UInt64?
    ) {
        self.number = number
        self.stack = stack
        self.key = key
        self.kind = kind
        self.queue = queue
        self.since = since
        self.user = user
    }

    var reason: String {
        switch kind {
        case squall_wait_sleep: "the end of a sleep"
        case squall_wait_semaphore: "a semaphore"
        case squall_wait_group: "a group"
        case squall_wait_lock: "a lock"
        case squall_wait_condition: "a condition"
        case squall_wait_run_loop: "a run loop, which has no sources or timers in a world"
        case squall_wait_queue: "its turn on the queue \(queue ?? "")"
        case squall_wait_hop: "its turn to go over to an actor"
        default: "something"
        }
    }

    /// The place where its code is blocked.
    var place: String {
        let queues = stack.queues.map { "the queue \($0.name)" }
        if let queue = queues.last { return queue }
        return stack.hasMain ? "the main actor" : "a task"
    }
}
