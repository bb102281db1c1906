import CVirtualDispatch
import SquallKernel

/// A queue of Dispatch as a world has it: what waits on it, and how much of it is under way.
final class VirtualQueue {
    /// Libdispatch's object, which is kept for as long as this one.
    let pointer: UnsafeMutableRawPointer
    /// What it was called when it was created.
    let label: String
    /// Which one it is among the queues of its world.
    let number: UInt64
    let isConcurrent: Bool
    /// Whether it is the main queue.
    let isMain: Bool
    /// Whether it is one of the queues that every process has.
    let isGlobal: Bool
    /// Whose work came to it first, where many people's does.
    var firstUser: Int?
    /// How its blocks are brought to a scheduling policy.
    let handler: EventHandler
    // Unchecked, here and in `VirtualDispatch`: values of which no access lasts while other code
    // runs, and a call of a `URLSession` makes three hundred of them.
    /// The queue that it hands its work to; none for the process's own queues.
    @exclusivity(unchecked) var target: VirtualQueue?
    /// Whether another queue that is kept hands its work to it, while idle ones are forgotten.
    var isTarget = false
    /// How often it was suspended, and not resumed.
    @exclusivity(unchecked) var suspensions = 0
    /// Work that has not been let go yet, first in, first out.
    @exclusivity(unchecked) var pending = WorkList()
    /// How much work has been let go and is not done.
    @exclusivity(unchecked) var active = 0
    /// Whether that is work that wants the queue to itself.
    @exclusivity(unchecked) var isExclusive = false
    /// How much work, its own and that of queues that target it, has begun and is not done.
    @exclusivity(unchecked) var running = 0
    @exclusivity(unchecked) var isRunningBarrier = false
    /// The tickets of work that has not begun, its own and that of queues that target it; in rising
    /// order, and kept by serial queues only.
    @exclusivity(unchecked) private var tickets: [UInt64] = []

    init(
        _ facts: squall_queue, of pointer: UnsafeMutableRawPointer, number: UInt64, label: String,
        handler: EventHandler
    ) {
        self.pointer = pointer
        self.number = number
        self.label = label
        self.handler = handler
        isConcurrent = facts.is_concurrent
        isGlobal = facts.is_global
        isMain = facts.is_main
        if facts.is_inactive { suspensions = 1 }
        squall_object_retain(pointer)
    }

    deinit { squall_object_release(pointer) }

    /// Whether nothing would be lost if it were forgotten.
    var isIdle: Bool {
        pending.isEmpty && active == 0 && running == 0 && suspensions == 0 && tickets.isEmpty
    }

    /// Itself and the queues below it.
    var chain: Chain { Chain(queue: self) }

    /// A queue and those below it, of which there are some hundred walks for each call.
    struct Chain: Sequence, IteratorProtocol {
        fileprivate var queue: VirtualQueue?

        mutating func next() -> VirtualQueue? {
            defer { queue = queue?.target }
            return queue
        }
    }

    /// Puts work in line: a serial queue begins what comes to it, through whatever queues, first in
    /// first out.
    func line(up ticket: UInt64) { if !isConcurrent { tickets.append(ticket) } }

    /// Whether work is the first in line; work that has no ticket would be the last.
    func isNext(_ ticket: UInt64?) -> Bool { tickets.isEmpty || tickets[0] == ticket }

    /// Takes work out of the line.
    func leave(_ ticket: UInt64) {
        // Nearly always it is alone.
        if tickets.last == ticket {
            tickets.removeLast()
        } else {
            tickets.removeAll { $0 == ticket }
        }
    }

    /// Whether work of a queue cannot begin while what runs here does.
    func excludes(_ queue: VirtualQueue, isBarrier: Bool) -> Bool {
        running > 0 && (!isConcurrent || isRunningBarrier || isBarrier && queue === self)
    }
}

/// Something that was put on a queue.
final class QueuedWork {
    /// What there is to do.
    enum Block {
        /// Call it, once.
        case call(squall_work)
        /// Somebody waits for their turn on the queue.
        case turn(Waiter)
        /// One of the calls of `concurrentPerform`.
        case iteration(Iterations, Int)
        /// A timer's handler.
        case timer(VirtualTimer)
    }

    let queue: VirtualQueue
    let block: Block
    let isBarrier: Bool
    /// On whose behalf it is done.
    let owner: (any CodeOwner)?
    /// Its place in the lines of the queues it comes through, until it begins; none while one of
    /// them is suspended.
    @exclusivity(unchecked) var ticket: UInt64?

    init(
        on queue: VirtualQueue, _ block: Block, isBarrier: Bool, owner: (any CodeOwner)? = nil
    ) {
        self.owner = owner
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

/// The calls of one `concurrentPerform`, and who waits for the last.
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
