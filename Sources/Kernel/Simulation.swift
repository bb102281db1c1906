internal import CVirtualClock

/// One thread's virtual world: its clock, what will happen, and what can run now.
///
/// While `run(until:)` works, Swift tasks, actors, sleeps and clocks used on that thread live in
/// virtual time. Everything happens on that one thread, so nothing here is locked.
///
/// ```swift
/// let simulation = Simulation()
/// simulation.spawn { try? await Task.sleep(for: .seconds(3600)) }
/// try simulation.run(until: Instant(nanoseconds: 7_200_000_000_000))  // takes microseconds
/// ```
public final class Simulation: @unchecked Sendable {
    // Safe because it is used by one thread at a time: the one that built it or, while it runs, the
    // one that runs it; enqueueing from any other thread is routed away before it gets here.

    /// Why a call of `run(until:)` came back.
    public enum Pause: Hashable, Sendable {
        /// Virtual time has reached the end that was asked for.
        case reachedEnd
        /// Nothing can ever happen again unless somebody outside makes it.
        case quiescent
        /// `stop()` was called.
        case stopped
    }

    /// Is told of every recorded event, as one line without a line break; for finding differences.
    public var journal: ((String) -> Void)?

    /// Everything that changes while a simulation runs, behind a pointer.
    ///
    /// The run loop reads and writes it several times per job. As properties of a class each of
    /// these would be checked for overlapping access at run time, which took a sixth of the loop.
    /// No access here lasts while code from outside runs.
    private let state = UnsafeMutablePointer<SimulationState>.allocate(capacity: 1)
    private let isFirstInFirstOut: Bool
    private let recordsChoices: Bool
    private let itemsPerInstantMax: Int
    private let strictness: Strictness
    private var policy: any SchedulingPolicy
    /// The handler that wakes sleepers; always the first one.
    let sleeperHandler = EventHandler(number: 0)

    /// A simulation at the beginning of its time.
    ///
    /// - Parameters:
    ///   - policy: decides among things that can run at the same instant.
    ///   - recordsChoices: whether to keep the policy's choices for a replay.
    ///   - itemsPerInstantMax: how much may run before virtual time must move.
    ///   - strictness: what to make of Swift jobs on threads that run no simulation.
    public init(
        policy: any SchedulingPolicy = FirstInFirstOut(), recordsChoices: Bool = false,
        itemsPerInstantMax: Int = 100_000_000, strictness: Strictness = .tolerant
    ) {
        self.policy = policy
        isFirstInFirstOut = policy is FirstInFirstOut && !recordsChoices
        self.recordsChoices = recordsChoices
        self.itemsPerInstantMax = itemsPerInstantMax
        self.strictness = strictness
        state.initialize(to: SimulationState())
        WorldExecutors.install()
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The present moment.
    public var now: Instant { state.pointee.now }

    /// The hash of everything recorded so far.
    public var digest: EventDigest { state.pointee.digest }

    /// How many jobs and events have run.
    public var itemsRun: Int { state.pointee.itemsRun }

    /// The choices of the schedule so far, if they were to be recorded.
    public var choices: [UInt16] { state.pointee.choices }

    /// Adds a handler of events; its number is what events are scheduled for.
    public func register(_ handle: @escaping (UInt64) -> Void) -> EventHandler {
        state.pointee.handlers.append(handle)
        return EventHandler(number: UInt32(state.pointee.handlers.count - 1))
    }

    /// Has a handler called with an argument at an instant, now at the earliest; no allocation.
    @discardableResult
    public func schedule(_ handler: EventHandler, argument: UInt64, at instant: Instant) -> Timer {
        let item = ReadyItem(payload: argument, kind: handler.number + ReadyItem.firstHandler)
        return state.pointee.timers.insert(item, at: UInt64(max(instant, now).nanoseconds))
    }

    /// Takes back a scheduled event; `false` when its instant has already come.
    ///
    /// An event of this very instant may already be among the things about to run: it then still
    /// runs.
    @discardableResult
    public func cancel(_ timer: Timer) -> Bool { state.pointee.timers.cancel(timer) }

    /// Starts a task inside the simulation.
    public func spawn(_ operation: @escaping @Sendable () async -> Void) {
        inside { _ = Task.detached(operation: operation) }
    }

    /// Takes an event into the digest, and into the journal if there is one.
    public func record(_ kind: EventKind, user: UInt64, request: UInt64, outcome: UInt64) {
        state.pointee.digest.record(
            kind, at: now, user: user, request: request, outcome: outcome)
        journal?(
            "\(now.nanoseconds) \(kind.name) user=\(user) request=\(request) outcome=\(outcome)")
    }

    /// Makes `run(until:)` come back before the next job or event.
    public func stop() { state.pointee.isStopRequested = true }

    /// Lets everything happen that is due until `end`, in order, and moves the clock there.
    ///
    /// - Throws: `SimulationError.noProgress` when time stands still for too long, `.escaped` when
    ///   the simulation is strict and a job turned up outside it.
    public func run(until end: Instant) throws -> Pause {
        strictness.begin()
        defer { strictness.end() }
        return try inside {
            while true {
                try runReady()
                if state.pointee.isStopRequested {
                    state.pointee.isStopRequested = false
                    return .stopped
                }
                if let escape = strictness.escape(at: now) { throw escape }
                guard advance(upTo: end) else { return try pause(at: end) }
            }
        }
    }

    private func pause(at end: Instant) throws -> Pause {
        guard state.pointee.timers.count > 0 else {
            strictness.awaitForeignJobs()
            if let escape = strictness.escape(at: now) { throw escape }
            return .quiescent
        }
        move(to: max(now, end))
        return .reachedEnd
    }

    private func runReady() throws {
        var ran = 0
        while state.pointee.ready.count > 0, !state.pointee.isStopRequested {
            guard ran < itemsPerInstantMax else {
                throw SimulationError.noProgress(at: now, ran: ran)
            }
            ran &+= 1
            execute(isFirstInFirstOut ? state.pointee.ready.removeFirst() : choose())
        }
        state.pointee.itemsRun &+= ran
    }

    private func choose() -> ReadyItem {
        let count = state.pointee.ready.count
        guard count > 1 else { return state.pointee.ready.removeFirst() }
        let choice = policy.choose(among: count)
        if recordsChoices { state.pointee.choices.append(UInt16(clamping: choice)) }
        return state.pointee.ready.remove(at: choice)
    }

    @inline(__always)
    private func execute(_ item: ReadyItem) {
        switch item.kind {
        case ReadyItem.defaultJob: WorldExecutors.runDefault(item.payload)
        case ReadyItem.mainJob: WorldExecutors.runMain(item.payload)
        default: state.pointee.handlers[Int(item.kind - ReadyItem.firstHandler)](item.payload)
        }
    }

    private func advance(upTo end: Instant) -> Bool {
        let limit = UInt64(end.nanoseconds)
        guard let next = state.pointee.drainNextInstant(upTo: limit) else { return false }
        move(to: Instant(nanoseconds: Int64(next)))
        return true
    }

    private func move(to instant: Instant) {
        state.pointee.now = instant
        squall_set_virtual_clock(instant.nanosecondsSince1970)
    }

    /// Runs code on this thread as part of the simulation, and leaves as it came.
    private func inside<Value>(_ body: () throws -> Value) rethrows -> Value {
        let (outer, outerClock) = (squall_current_simulation(), squall_virtual_clock())
        squall_set_current_simulation(Unmanaged.passUnretained(self).toOpaque())
        squall_set_virtual_clock(now.nanosecondsSince1970)
        defer {
            squall_set_current_simulation(outer)
            squall_set_virtual_clock(outerClock)
        }
        return try body()
    }

    /// Called by the executors: a job became ready.
    func enqueue(_ job: UInt64, kind: UInt32) {
        state.pointee.ready.append(ReadyItem(payload: job, kind: kind))
    }

    /// Called by the executors: a job is to become ready after a while.
    func enqueue(_ job: UInt64, kind: UInt32, afterNanoseconds delay: Int64) {
        let (sum, overflow) = now.nanoseconds.addingReportingOverflow(delay)
        let item = ReadyItem(payload: job, kind: kind)
        _ = state.pointee.timers.insert(item, at: UInt64(overflow ? .max : sum))
    }
}

/// What changes while a simulation runs.
private struct SimulationState: ~Copyable {
    var now = Instant.start
    var ready = ReadyRing()
    var timers = TimerWheel()
    var handlers: [(UInt64) -> Void] = [Sleeper.wake]
    var digest = EventDigest()
    var itemsRun = 0
    var choices: [UInt16] = []
    var isStopRequested = false

    mutating func drainNextInstant(upTo limit: UInt64) -> UInt64? {
        timers.drainNextInstant(upTo: limit, into: &ready)
    }
}

/// Names a registered handler of events.
public struct EventHandler: Hashable, Sendable {
    let number: UInt32
}
