import CVirtualDispatch
import Dispatch
import Foundation
import SquallKernel

/// Dispatch and blocking for the code of one world.
///
/// **Start here** to read this folder. `CVirtualDispatch` replaces the functions and calls
/// `DispatchHooks`, which find the thread's world; the extensions of this class do the work. A
/// block becomes an event of the kernel as soon as its queue releases it: a serial queue releases
/// one at a time, so no schedule can change its order.
final class VirtualDispatch {
    let simulation: Simulation
    let stacks: Stacks
    /// Queues by their objects; idle ones are forgotten when there are many.
    @exclusivity(unchecked) var queues: [UnsafeMutableRawPointer: VirtualQueue] = [:]
    /// The queues that were asked for last, by a few bits of their address: a call asks fifty
    /// times.
    @exclusivity(unchecked) var recentQueues = [VirtualQueue?](repeating: nil, count: recentMax)
    static let recentMax = 64
    var queuesEver: UInt64 = 0
    /// How many there may be before idle ones are forgotten.
    var queuesKept = 256
    var ticketsEver: UInt64 = 0
    @exclusivity(unchecked) private var handlers: [String: EventHandler] = [:]
    /// Released work that has not begun, by numbers that events carry.
    @exclusivity(unchecked) var released = SlotMap<QueuedWork>()
    /// Work that waits for its queue's target.
    @exclusivity(unchecked) var stalled: [UInt64] = []
    /// Work to be put on its queue later.
    var delayed = SlotMap<Delayed>()
    /// Waiters by what they wait for, the longest waiting first.
    var waiters: [Waiter.Key: [Waiter]] = [:]
    /// All waiters by number, including those that wait for a turn.
    @exclusivity(unchecked) var waiting: [UInt64: Waiter] = [:]
    var waitersEver: UInt64 = 0
    var notices: [UnsafeMutableRawPointer: [Notice]] = [:]
    var timers: [UnsafeMutableRawPointer: VirtualTimer] = [:]
    var timersByNumber = SlotMap<VirtualTimer>()
    /// Actions that happened in real life or not at all, in order.
    private(set) var escapes: [Escape] = []
    /// The world it belongs to, for code that only knows its thread.
    weak var world: (any LoadingWorld)?
    /// What `OperationQueue.main` is for the world's code.
    private(set) lazy var mainOperations = withoutInterception {
        let operations = OperationQueue()
        operations.name = "NSOperationQueue Main Queue"
        operations.maxConcurrentOperationCount = 1
        operations.underlyingQueue = .main
        return operations
    }
    /// True in worlds of several users, where work runs for the user that put it on its queue.
    var carriesOwners = false
    /// Where running code may be interrupted; `nil` for only where it waits.
    private(set) var preemption: Preemption?
    var events: Events?

    /// What `dispatch_group_notify` asked for: work, and the queue on which it begins.
    struct Notice {
        let queue: UnsafeMutableRawPointer
        let work: squall_work
        let owner: (any CodeOwner)?
        let user: UInt64?
    }

    typealias Delayed = Notice

    /// The kernel's handlers, beside those of queues.
    struct Events {
        let delayEnds, waitEnds, patienceEnds, timerFires, hop, interruptionEnds: EventHandler
    }

    init(_ simulation: Simulation) {
        self.simulation = simulation
        stacks = Stacks(simulation)
        events = Events(
            delayEnds: register("asyncAfter", { $0.delayed[$1]?.user }) { $0.delayEnds($1) },
            waitEnds: register("wait ends", { $0.waiting[$1]?.user }) { $0.resume($1) },
            patienceEnds: register("wait times out", { $0.waiting[$1]?.user }) { $0.giveUp($1) },
            timerFires: register("timer", { $0.timersByNumber[$1]?.user }) { $0.fire($1) },
            hop: register("hop to an actor", { $0.waiting[$1]?.user }) { $0.resume($1) },
            // Of no user: a device is not suspended or killed within a step of its code, which may
            // have a lock that all of the process share.
            interruptionEnds: register("interruption ends", { _, _ in nil }) { $0.resume($1) })
    }

    /// A handler of events that happen on a user's device.
    private func register(
        _ label: EventLabel, _ user: @escaping (VirtualDispatch, UInt64) -> UInt64?,
        _ handle: @escaping (VirtualDispatch, UInt64) -> Void
    ) -> EventHandler {
        let meaning = EventMeaning.timer(label, onDevice: true) { [unowned self] number in
            .init(number: number, user: user(self, number))
        }
        return simulation.register(meaning) { [unowned self] number in
            withoutInterception { handle(self, number) }
        }
    }

    /// The user on whose device the running code runs; `nil` where users are not told apart.
    var user: UInt64? { simulation.subject?.user }

    /// Lets schedules interrupt code that does not wait, at most this often.
    func allow(preemptions: Int) {
        guard preemptions > 0, !(simulation.policy is FirstInFirstOut) else { return }
        let preemption = Preemption(preemptions)
        self.preemption = preemption
        simulation.policy = CountedPreemptions(preemption, simulation.policy)
    }

    /// Runs everything in the simulation that is due until an instant.
    ///
    /// - Throws: what the simulation throws.
    func run(until end: Instant) throws -> Simulation.Pause {
        precondition(
            squall_dispatch_world() == nil, "a world cannot be run by the code of another one")
        DispatchHooks.install()
        squall_set_dispatch_world(Unmanaged.passUnretained(self).toOpaque())
        squall_allow_preemption(preemption == nil ? 0 : 1)
        defer {
            squall_set_dispatch_world(nil)
            squall_allow_preemption(0)
        }
        var result: Result<Simulation.Pause, any Error>?
        stacks.run { [simulation] in
            let ended = Result { try simulation.goOn(until: end) }
            if result == nil { result = ended }
        }
        guard let result else { preconditionFailure("the loop ended without a result") }
        return try result.get()
    }

    /// Stops what would go on for ever: interruptions and repeating timers.
    func endsLoops() {
        preemption = nil
        for timer in timers.values.sorted(by: { $0.number < $1.number }) where timer.interval >= 0 {
            cancel(timer)
        }
    }

    /// Gives up what still waits for a later time or an empty group, which will not come.
    func releaseAll() {
        while let later = delayed.removeAny() {
            squall_work_release(later.work)
            squall_object_release(later.queue)
        }
        while let (group, given) = notices.popFirst() {
            for notice in given {
                squall_work_release(notice.work)
                squall_object_release(notice.queue)
                squall_object_release(group)
            }
        }
        for timer in timers.values { forget(timer) }
        stacks.giveUp()
    }

    /// The dispatch whose code runs on this thread; `nil` in real life.
    static var current: VirtualDispatch? {
        squall_dispatch_world().map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// False when this executable has its own copy of libdispatch, as one that is linked
    /// statically.
    static let isAvailable = squall_dispatch_is_interposed() != 0

    /// The owner of work that is put on a queue now.
    var workOwner: (any CodeOwner)? { carriesOwners ? CurrentOwner.owner : nil }

    /// Blocked code, and what it waits for, in the order in which it began to wait.
    var standing: [Waiter] { waiting.values.sorted { $0.number < $1.number } }

    func escape(_ what: String, _ detail: String) {
        let isKnown = escapes.contains { $0.what == what && $0.detail == detail }
        guard !isKnown, escapes.count < 64 else { return }
        var escape = Escape(what: what, detail: detail, instant: simulation.now)
        if carriesOwners, let owner = CurrentOwner.owner {
            escape.whose = "user \(owner.user) in \(owner.doing)"
        }
        if let label = stacks.current?.queues.last?.label, !label.isEmpty {
            escape.place = "the queue \(label)"
        }
        escapes.append(escape)
        world?.escaped(escape)
    }

    /// The handler of a queue's blocks; queues with names that differ only by numbers share one,
    /// because those may be counted over the whole process, as in `URLSession<56>`.
    func handler(ofQueue label: String) -> EventHandler {
        if let known = handlers[label] { return known }
        let name = String(
            decoding: label.utf8.filter { !(48...57).contains($0) }, as: UTF8.self)
        if let known = handlers[name] { return known }
        let meaning = EventMeaning.timer("queue \(name)", onDevice: true) {
            [unowned self] number in
            guard let work = released[number] else { return .init(number: number) }
            let isLine = !work.queue.isConcurrent
            return .init(number: isLine ? 1 << 40 | work.queue.number : number, user: work.user)
        }
        let made = simulation.register(meaning) { [unowned self] number in
            withoutInterception { begin(number) }
        }
        handlers[name] = made
        return made
    }
}

/// Things by numbers that are reused when a thing is gone.
struct SlotMap<Thing> {
    private var things: [Thing?] = []
    private var free: [UInt64] = []

    mutating func insert(_ thing: Thing) -> UInt64 {
        if let number = free.popLast() {
            things[Int(number)] = thing
            return number
        }
        things.append(thing)
        return UInt64(things.count - 1)
    }

    subscript(number: UInt64) -> Thing? {
        number < things.count ? things[Int(number)] : nil
    }

    @discardableResult
    mutating func remove(_ number: UInt64) -> Thing? {
        guard number < things.count, let thing = things[Int(number)] else { return nil }
        things[Int(number)] = nil
        free.append(number)
        return thing
    }

    func count(where isMeant: (Thing) -> Bool) -> Int {
        things.count { thing in thing.map(isMeant) ?? false }
    }

    mutating func removeAny() -> Thing? {
        guard let index = things.firstIndex(where: { $0 != nil }) else { return nil }
        return remove(UInt64(index))
    }
}
