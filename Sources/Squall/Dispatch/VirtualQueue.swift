import CVirtualDispatch
import SquallKernel

/// A world's queue of Dispatch: the work that waits on it, and how much is under way.
final class VirtualQueue {
    /// Libdispatch's object, which is kept as long as this one.
    let pointer: UnsafeMutableRawPointer
    /// Its label at its creation.
    let label: String
    /// Its label without a number that is counted over the whole process, as in `URLSession<56>`,
    /// so that the same play has the same words.
    var name: String { label.hasPrefix("URLSession<") ? "URLSession" : label }
    /// Its number among the queues of its world.
    let number: UInt64
    let isConcurrent: Bool
    /// True for the queue that Foundation makes for each request of a `URLSession`.
    let isOfRequest: Bool
    let isMain: Bool
    let isGlobal: Bool
    /// The user whose work came to it first, in a world with several users' code.
    var firstUser: Int?
    /// The handler of its blocks' events.
    let handler: EventHandler
    // Unchecked, here and in `VirtualDispatch`: no access to these values lasts while other code
    // runs, and a call of a `URLSession` makes three hundred of them.
    /// The queue that it hands its work to; none for the process's own queues.
    @exclusivity(unchecked) var target: VirtualQueue?
    /// Keeps a queue that others hand their work to when idle ones are forgotten.
    var isTarget = false
    /// How often it was suspended, and not resumed.
    @exclusivity(unchecked) var suspensions = 0
    /// Work that has not been released yet, first in, first out.
    @exclusivity(unchecked) var pending = WorkList()
    /// How much work has been released and is not done.
    @exclusivity(unchecked) var active = 0
    /// True when the released work wants the queue to itself, as a barrier does.
    @exclusivity(unchecked) var isExclusive = false
    /// How much work, its own and that of queues that target it, has begun and is not done.
    @exclusivity(unchecked) var running = 0
    @exclusivity(unchecked) var isRunningBarrier = false
    /// The tickets of work that has not begun, its own and that of queues that target it; in rising
    /// order, and kept by serial queues only.
    @exclusivity(unchecked) private var tickets: [Ticket] = []

    /// A place in line, and the user on whose device the work runs.
    struct Ticket {
        let number: UInt64
        let user: UInt64?
    }

    init(
        _ facts: squall_queue, of pointer: UnsafeMutableRawPointer, number: UInt64, label: String,
        handler: EventHandler
    ) {
        self.pointer = pointer
        self.number = number
        self.label = label
        isOfRequest = label == "org.swift.URLSessionTask.WorkQueue"
        self.handler = handler
        isConcurrent = facts.is_concurrent
        isGlobal = facts.is_global
        isMain = facts.is_main
        if facts.is_inactive { suspensions = 1 }
        squall_object_retain(pointer)
    }

    deinit { squall_object_release(pointer) }

    /// An idle queue can be forgotten: seen again, it is made anew without loss.
    var isIdle: Bool {
        pending.isEmpty && active == 0 && running == 0 && suspensions == 0 && tickets.isEmpty
    }

    var chain: Chain { Chain(queue: self) }

    /// A queue and those below it, looked at some hundred times for each call; as a `Sequence` that
    /// would take most of a debug build's time on queues.
    struct Chain {
        fileprivate let queue: VirtualQueue

        func first(where isMeant: (VirtualQueue) -> Bool) -> VirtualQueue? {
            var next: VirtualQueue? = queue
            while let queue = next {
                if isMeant(queue) { return queue }
                next = queue.target
            }
            return nil
        }

        func contains(where isMeant: (VirtualQueue) -> Bool) -> Bool {
            first(where: isMeant) != nil
        }

        func contains(_ wanted: VirtualQueue) -> Bool { contains { $0 === wanted } }

        func forEach(_ body: (VirtualQueue) -> Void) {
            _ = first { queue in
                body(queue)
                return false
            }
        }
    }

    /// Adds a ticket to the line: a serial queue begins its work, through whatever queues it comes,
    /// first in, first out.
    func line(up ticket: Ticket) { if !isConcurrent { tickets.append(ticket) } }

    /// True for the first in line; work that has no ticket would be the last.
    ///
    /// Work of a suspended device blocks no other device's: a phone has queues of its own where
    /// Foundation has one for the process.
    func isNext(_ ticket: UInt64?, isSuspended: (UInt64?) -> Bool) -> Bool {
        if tickets.isEmpty || tickets[0].number == ticket { return true }
        return tickets.first { !isSuspended($0.user) }.map { $0.number == ticket } ?? true
    }

    /// Takes work out of the line.
    func leave(_ ticket: UInt64) {
        // Nearly always it is alone.
        if tickets.last?.number == ticket {
            tickets.removeLast()
        } else {
            tickets.removeAll { $0.number == ticket }
        }
    }

    /// True when work of the queue cannot begin while the work that runs here does.
    func excludes(_ queue: VirtualQueue, isBarrier: Bool) -> Bool {
        running > 0 && (!isConcurrent || isRunningBarrier || isBarrier && queue === self)
    }
}

/// Work that was put on a queue.
final class QueuedWork {
    enum Block {
        /// Call it, once.
        case call(squall_work)
        /// A waiter that waits for its turn on the queue.
        case turn(Waiter)
        /// One of the calls of `concurrentPerform`.
        case iteration(Iterations, Int)
        /// A timer's handler.
        case timer(VirtualTimer)
    }

    let queue: VirtualQueue
    let block: Block
    let isBarrier: Bool
    /// The owner of the code that submitted it.
    let owner: (any CodeOwner)?
    /// The user of the code that submitted it, where a schedule decides: on whose device it runs.
    let user: UInt64?
    /// Its place in the lines of the queues it comes through, until it begins; none while one of
    /// them is suspended.
    @exclusivity(unchecked) var ticket: UInt64?

    init(
        on queue: VirtualQueue, _ block: Block, isBarrier: Bool, of user: UInt64?,
        owner: (any CodeOwner)? = nil
    ) {
        self.owner = owner
        self.user = user
        self.queue = queue
        self.block = block
        self.isBarrier = isBarrier
    }
}

/// Work in the order in which it came.
struct WorkList {
    private var items: [QueuedWork?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var first: QueuedWork? { isEmpty ? nil : items[head] }

    func forEach(_ body: (QueuedWork) -> Void) {
        for case let work? in items[head...] { body(work) }
    }

    mutating func append(_ work: QueuedWork) { items.append(work) }

    mutating func removeFirst() {
        items[head] = nil
        head += 1
        guard isEmpty else { return }
        // Nearly always one: cheaper than to remove all.
        while !items.isEmpty { items.removeLast() }
        head = 0
    }
}

/// The calls of one `concurrentPerform`, and the waiter for the last.
final class Iterations {
    typealias Body = @convention(c) (UnsafeMutableRawPointer?, Int) -> Void

    let body: Body
    let context: UnsafeMutableRawPointer?
    var left: Int
    let end: Waiter.Key

    init(
        _ count: Int, _ body: @escaping Body, _ context: UnsafeMutableRawPointer?,
        end: Waiter.Key
    ) {
        left = count
        self.body = body
        self.context = context
        self.end = end
    }
}
